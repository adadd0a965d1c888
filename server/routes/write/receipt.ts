// Receipts of writes: in headers always, as the body when it was asked for.

import type { WriteCounts, WriteReceipt } from '../../../engine/index.ts';
import { writeJsonText } from '../../codec/write-json/json-text.ts';
import { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { countHeaders } from '../../count-headers.ts';
import type { HeaderList, HttpResponse } from '../../http/contract/http-server.ts';
import type { ProblemFault } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER, sendDone } from '../answer/answers.ts';
import { paced } from '../answer/paced.ts';
import { appliedHeader, type Preferences } from '../request/prefer.ts';

/** Receipt of a write without points. */
export const NOTHING_WRITTEN: WriteReceipt = {
  written: 0,
  ignored: 0,
  repeated: 0,
  rejected: 0,
  ahead: 0,
  expired: 0,
  tags: new Map(),
  eachTag: () => [],
};

export interface ReceiptOptions {
  readonly preferences: Preferences;
  /** Over all tags, those with impossible names included, of which the engine never heard. */
  readonly rejectedCount: number;
  /** Counts from `formatTagCounts`, when the receipt is wanted. */
  readonly tagCounts: readonly Uint8Array[];
  /** First fault of the points that were left out. */
  readonly firstFault?: ProblemFault | undefined;
}

/** Most characters of the path and of the message of a fault; names may be long. */
const FAULT_CHARS = 200;
const FIRST_BYTES = 1024;
/** About the length of one part of the counts of tags. */
const PART_BYTES = 65_536;

/**
 * The counts of each tag as members of a JSON object, in parts, as bytes: strings of very many tags are much work for the
 * garbage collector. Called before the batch is released: no client that takes its time may hold that.
 */
export async function formatTagCounts(receipt: WriteReceipt): Promise<Uint8Array[]> {
  const pacer = createPacer();
  const parts: Uint8Array[] = [];
  const out = new OutputBytes(FIRST_BYTES);
  // Written by hand, because an object would reorder tags whose names are numbers.
  for (const [name, counts] of receipt.eachTag()) {
    if (out.length > 0) out.ascii(',');
    writeJsonText(out, name);
    out.ascii(`:{${formatCounts(counts, counts.rejected)}}`);
    if (out.length > PART_BYTES) {
      parts.push(new Uint8Array(out.written()));
      out.clear();
    }
    if (pacer.isDue()) await pacer.yield();
  }
  if (out.length > 0) parts.push(new Uint8Array(out.written()));
  return parts;
}

/** A promise only for a receipt that is sent as the body. */
export function sendReceipt(
  response: HttpResponse,
  receipt: WriteReceipt,
  options: ReceiptOptions,
): Promise<void> | undefined {
  const { preferences, rejectedCount } = options;
  const fault = options.firstFault && formatFault(options.firstFault);
  const counts = countHeaders(receipt, rejectedCount);
  const others: HeaderList = [
    ...(fault === undefined ? [] : [['Historian-Fault', fault] as const]),
    ...appliedHeader(preferences),
  ];
  const headers = others.length === 0 ? counts : [...counts, ...others];
  if (!preferences.isReceiptWanted) {
    sendDone(response, headers);
    return undefined;
  }
  const faultMember = fault === undefined ? '' : `,"fault":${fault}`;
  const front = `{${formatCounts(receipt, rejectedCount)}${faultMember},"tags":{`;
  return sendParts(new AnswerSink(response, [JSON_HEADER, ...headers]), front, options.tagCounts);
}

async function sendParts(sink: AnswerSink, front: string, parts: readonly Uint8Array[]): Promise<void> {
  const pacer = createPacer();
  try {
    sink.out.utf8(front);
    for (const [index, part] of parts.entries()) {
      if (index > 0) sink.out.ascii(',');
      sink.out.raw(part);
      const waiting = paced(sink, pacer);
      if (waiting !== undefined) await waiting;
    }
    sink.out.ascii('}}');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** The fault as JSON that a header may hold: what is not ASCII is escaped. */
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
