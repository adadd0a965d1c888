// An answer to a read on its way: what it goes by, and when it lets others have a turn.

import type { Instant, PointChunk, ReadRange, ReadSummary, TagCursor } from '../../../engine/index.ts';
import { endOfPart } from '../../codec/write-json/text-parts.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import type { Pacer } from '../../process/pacer.ts';
import type { AnswerSink } from '../answer/answer-sink.ts';
import { paced } from '../answer/paced.ts';
import { formatMarker } from '../request/read-marker.ts';
import type { Bounds, EntryEnd, ResultMembers } from './entry-plan.ts';
import type { ReadRenderer } from './read-renderer.ts';

export interface ReadAnswer {
  readonly request: HttpRequest;
  readonly sink: AnswerSink;
  readonly renderer: ReadRenderer;
  readonly pacer: Pacer;
  readonly range: ReadRange;
  /** Stands for the time of the newest point where there is none. */
  readonly now: Instant;
  /** Interval of a read of functions, as its entries tell it. */
  readonly interval?: ResultMembers | undefined;
  /** Throws a 400 when the answer cannot hold so many entries. */
  readonly check?: ((entryCount: number) => void) | undefined;
}

/** A promise when the client has to take something first, or other requests are to run. */
export function breathe({ sink, pacer }: ReadAnswer): Promise<void> | undefined {
  return paced(sink, pacer);
}

/** Puts points down, long texts in parts; a promise as of `breathe`. When the client has gone, what is left is left out. */
export function writeChunk(chunk: PointChunk, answer: ReadAnswer): Promise<void> | undefined {
  if (endOf(chunk, chunk.start, answer) < chunk.end) return writeParts(chunk, answer);
  answer.renderer.points(chunk);
  return breathe(answer);
}

/** The end of the part that is written in one turn. */
function endOf(chunk: PointChunk, start: number, { renderer }: ReadAnswer): number {
  return Math.min(endOfPart(chunk, start), start + (renderer.pointsAtOnce ?? chunk.end));
}

async function writeParts(chunk: PointChunk, answer: ReadAnswer): Promise<void> {
  for (let start = chunk.start; start < chunk.end && !answer.request.aborted; ) {
    const end = endOf(chunk, start, answer);
    answer.renderer.points({ ...chunk, start, end });
    start = end;
    const waiting = breathe(answer);
    if (waiting !== undefined) await waiting;
  }
}

export function entryEnd(cursor: TagCursor, { interval }: ReadAnswer): EntryEnd {
  const { gaps, marker, reducedFrom, summary } = cursor.outcome();
  const results = summary && resultMembers(summary, interval);
  return { gaps, next: marker === undefined ? undefined : formatMarker(marker), reducedFrom, results };
}

function resultMembers({ kind, ...madeOf }: ReadSummary, interval: ResultMembers | undefined): ResultMembers {
  return { kind, ...interval, ...madeOf };
}

/** The range asked for; where none was, the times of the newest points. */
export function boundsOf({ range, now }: ReadAnswer, first: Instant | undefined, last: Instant | undefined): Bounds {
  switch (range.kind) {
    case 'range':
      return { start: range.start, end: range.end };
    case 'at':
      return { start: first ?? range.end, end: range.end };
    case 'newest':
      return { start: first ?? now, end: last ?? now };
  }
}
