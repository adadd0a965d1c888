// Receipts of writes: in headers always, as the body when it was asked for.

import type { WriteCounts, WriteReceipt } from '../../engine/index.ts';
import type { HeaderList, HttpResponse } from '../http/http-server.ts';
import type { ProblemFault } from '../http/problem.ts';
import { JSON_HEADER, sendDone } from './answers.ts';
import { appliedHeader, type Preferences } from './prefer.ts';

/** Of a write without points. */
export const NOTHING_WRITTEN: WriteReceipt = {
  written: 0,
  ignored: 0,
  repeated: 0,
  rejected: 0,
  ahead: 0,
  expired: 0,
  tags: new Map(),
};

export interface ReceiptOptions {
  readonly preferences: Preferences;
  /** Over all tags, those with impossible names included, of which the engine never heard. */
  readonly rejectedCount: number;
  /** Of the points that were left out. */
  readonly firstFault?: ProblemFault | undefined;
}

/** Of the path and of the message of a fault; names may be long. */
const FAULT_CHARS = 200;

export function sendReceipt(response: HttpResponse, receipt: WriteReceipt, options: ReceiptOptions): void {
  const { preferences, rejectedCount } = options;
  const fault = options.firstFault && formatFault(options.firstFault);
  const headers: HeaderList = [
    ['Historian-Written', String(receipt.written)],
    ['Historian-Ignored', String(receipt.ignored)],
    ['Historian-Repeated', String(receipt.repeated)],
    ['Historian-Rejected', String(rejectedCount)],
    ['Historian-Ahead', String(receipt.ahead)],
    ['Historian-Expired', String(receipt.expired)],
    ...(fault === undefined ? [] : [['Historian-Fault', fault] as const]),
    ...appliedHeader(preferences),
  ];
  if (preferences.isReceiptWanted) {
    response.send(200, [JSON_HEADER, ...headers], formatReceipt(receipt, rejectedCount, fault));
  } else {
    sendDone(response, headers);
  }
}

/** Written by hand, because an object would reorder tags whose names are numbers. */
function formatReceipt(receipt: WriteReceipt, rejectedCount: number, fault: string | undefined): string {
  const tags = [...receipt.tags].map(
    ([name, counts]) => `${JSON.stringify(name)}:{${formatCounts(counts, counts.rejected)}}`,
  );
  const faultMember = fault === undefined ? '' : `,"fault":${fault}`;
  return `{${formatCounts(receipt, rejectedCount)}${faultMember},"tags":{${tags.join(',')}}}`;
}

/** As JSON that a header may hold: what is not ASCII is escaped. */
function formatFault({ path, message }: ProblemFault): string {
  const fault = { path: shortened(path), message: shortened(message) };
  return JSON.stringify(fault).replace(/[^ -~]/g, escapeUnit);
}

function shortened(text: string): string {
  return text.length > FAULT_CHARS ? `${text.slice(0, FAULT_CHARS)}…` : text;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function formatCounts({ written, ignored, repeated, expired }: WriteCounts, rejectedCount: number): string {
  return `"written":${written},"ignored":${ignored},"repeated":${repeated},"rejected":${rejectedCount},"expired":${expired}`;
}
