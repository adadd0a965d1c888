// Receipts of writes: in headers always, as the body when it was asked for.

import type { WriteCounts, WriteReceipt } from '../../../engine/index.ts';
import type { HeaderList, HttpResponse } from '../../http/contract/http-server.ts';
import type { ProblemFault } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER, sendDone } from '../answer/answers.ts';
import { paced } from '../read/read-answer.ts';
import { appliedHeader, type Preferences } from '../request/prefer.ts';

/** Of a write without points. */
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
  /** Of `formatTagCounts`, when the receipt is wanted. */
  readonly tagCounts: readonly string[];
  /** Of the points that were left out. */
  readonly firstFault?: ProblemFault | undefined;
}

/** Of the path and of the message of a fault; names may be long. */
const FAULT_CHARS = 200;
/** About as long is a piece of the counts of tags. */
const PIECE_CHARS = 32_768;

/**
 * The counts of each tag as members of a JSON object in pieces. Before the batch is given back: no
 * client that takes its time may hold that.
 */
export async function formatTagCounts(receipt: WriteReceipt): Promise<string[]> {
  const pacer = createPacer();
  const pieces: string[] = [];
  let piece = '';
  // Written by hand, because an object would reorder tags whose names are numbers.
  for (const [name, counts] of receipt.eachTag()) {
    piece += `${piece === '' ? '' : ','}${JSON.stringify(name)}:{${formatCounts(counts, counts.rejected)}}`;
    if (piece.length > PIECE_CHARS) {
      pieces.push(piece);
      piece = '';
    }
    if (pacer.isDue()) await pacer.yield();
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** A promise only for a receipt that is sent as the body. */
export function sendReceipt(
  response: HttpResponse,
  receipt: WriteReceipt,
  options: ReceiptOptions,
): Promise<void> | undefined {
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
  if (!preferences.isReceiptWanted) {
    sendDone(response, headers);
    return undefined;
  }
  const faultMember = fault === undefined ? '' : `,"fault":${fault}`;
  const front = `{${formatCounts(receipt, rejectedCount)}${faultMember},"tags":{`;
  return sendPieces(new AnswerSink(response, [JSON_HEADER, ...headers]), front, options.tagCounts);
}

async function sendPieces(sink: AnswerSink, front: string, pieces: readonly string[]): Promise<void> {
  const pacer = createPacer();
  try {
    sink.out.utf8(front);
    for (const [index, piece] of pieces.entries()) {
      sink.out.utf8(index === 0 ? piece : `,${piece}`);
      const waiting = paced(sink.drain(), pacer);
      if (waiting !== undefined) await waiting;
    }
    sink.out.ascii('}}');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
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
