// Receipts of writes: in headers always, as the body when it was asked for.

import type { WriteCounts, WriteReceipt } from '../../engine/index.ts';
import type { HeaderList, HttpResponse } from '../http/http-server.ts';
import { JSON_HEADER, sendDone } from './answers.ts';
import { appliedHeader, type Preferences } from './prefer.ts';

/** Of a write without points. */
export const NOTHING_WRITTEN: WriteReceipt = {
  written: 0,
  ignored: 0,
  repeated: 0,
  rejected: 0,
  ahead: 0,
  tags: new Map(),
};

export interface ReceiptOptions {
  readonly preferences: Preferences;
  /** Over all tags, those with impossible names included, of which the engine never heard. */
  readonly rejectedCount: number;
}

export function sendReceipt(response: HttpResponse, receipt: WriteReceipt, options: ReceiptOptions): void {
  const { preferences, rejectedCount } = options;
  const headers: HeaderList = [
    ['Historian-Written', String(receipt.written)],
    ['Historian-Ignored', String(receipt.ignored)],
    ['Historian-Repeated', String(receipt.repeated)],
    ['Historian-Rejected', String(rejectedCount)],
    ['Historian-Ahead', String(receipt.ahead)],
    ...appliedHeader(preferences),
  ];
  if (preferences.isReceiptWanted) {
    response.send(200, [JSON_HEADER, ...headers], formatReceipt(receipt, rejectedCount));
  } else {
    sendDone(response, headers);
  }
}

/** Written by hand, because an object would reorder tags whose names are numbers. */
function formatReceipt(receipt: WriteReceipt, rejectedCount: number): string {
  const tags = [...receipt.tags].map(
    ([name, counts]) => `${JSON.stringify(name)}:{${formatCounts(counts, counts.rejected)}}`,
  );
  return `{${formatCounts(receipt, rejectedCount)},"tags":{${tags.join(',')}}}`;
}

function formatCounts({ written, ignored, repeated }: WriteCounts, rejectedCount: number): string {
  return `"written":${written},"ignored":${ignored},"repeated":${repeated},"rejected":${rejectedCount}`;
}
