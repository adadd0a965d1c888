// Answers a read: one tag after the other, a chunk at a time, as fast as the client takes it. An answer that was begun
// and cannot be completed is cut off.

import type { Instant, PointChunk, ReadRange, ReadResult, TagCursor } from '../../engine/index.ts';
import type { HttpRequest } from '../http/http-server.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import type { AnswerSink } from './answer-sink.ts';
import { formatMarker } from './read-marker.ts';
import type { Bounds, EntryEnd, EntryPlan, ReadRenderer } from './read-renderer.ts';

export interface ReadAnswer {
  readonly request: HttpRequest;
  readonly sink: AnswerSink;
  readonly renderer: ReadRenderer;
  readonly range: ReadRange;
  /** Stands for the time of the newest point where there is none. */
  readonly now: Instant;
}

/** Renders all of `result`. Rejects when it cannot be completed; what was begun is cut off by then. */
export async function answerRead(result: ReadResult, answer: ReadAnswer): Promise<void> {
  const { request, sink, renderer } = answer;
  const pacer = createPacer();
  try {
    renderer.begin(boundsOf(answer, result.bounds?.start, result.bounds?.end), result.tagCount);
    for (let i = 0; i < result.tagCount; i++) {
      const plan = renderer.isPlanned ? await planEntry(result.open(i), pacer) : undefined;
      await renderEntry(result.open(i), answer, plan, pacer);
      if (request.aborted) return;
    }
    renderer.end();
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** Goes over the points of a tag without rendering them. Closes the cursor. */
async function planEntry(cursor: TagCursor, pacer: Pacer): Promise<EntryPlan> {
  let pointCount = 0;
  try {
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
      pointCount += chunk.end - chunk.start;
      if (pacer.isDue()) await pacer.yield();
    }
    return { pointCount, ...entryEnd(cursor) };
  } finally {
    cursor.close();
  }
}

/** Closes the cursor. Throws when a plan does not hold: the points that were counted are gone. */
async function renderEntry(
  cursor: TagCursor,
  answer: ReadAnswer,
  plan: EntryPlan | undefined,
  pacer: Pacer,
): Promise<void> {
  const { renderer, sink, request } = answer;
  let restCount = plan?.pointCount ?? Number.POSITIVE_INFINITY;
  try {
    let chunk = await nextChunk(cursor, restCount);
    const first = chunk === undefined ? undefined : timeOf(chunk, chunk.start);
    renderer.beginEntry(cursor.tag, boundsOf(answer, first, first), plan);
    while (chunk !== undefined) {
      renderer.points(chunk);
      restCount -= chunk.end - chunk.start;
      await breathe(sink, pacer);
      if (request.aborted) return;
      chunk = await nextChunk(cursor, restCount);
    }
    if (plan !== undefined && restCount > 0) throw new Error('BUG: a read found fewer points than it had counted');
    renderer.endEntry(plan ?? entryEnd(cursor));
    await breathe(sink, pacer);
  } finally {
    cursor.close();
  }
}

/** At most `limit` points: ones that came after the counting are left for the next read. */
async function nextChunk(cursor: TagCursor, limit: number): Promise<PointChunk | undefined> {
  if (limit <= 0) return undefined;
  const chunk = await cursor.next();
  if (chunk === undefined || chunk.end - chunk.start <= limit) return chunk;
  return { ...chunk, end: chunk.start + limit };
}

/** Waits for the client, and lets other requests run. */
async function breathe(sink: AnswerSink, pacer: Pacer): Promise<void> {
  const draining = sink.drain();
  if (draining !== undefined) await draining;
  if (pacer.isDue()) await pacer.yield();
}

function entryEnd({ gaps, marker }: TagCursor): EntryEnd {
  return { gaps, next: marker === undefined ? undefined : formatMarker(marker) };
}

/** The range asked for; where none was, the times of the newest points. */
function boundsOf({ range, now }: ReadAnswer, first: Instant | undefined, last: Instant | undefined): Bounds {
  switch (range.kind) {
    case 'range':
      return { start: range.start, end: range.end };
    case 'at':
      return { start: first ?? range.end, end: range.end };
    case 'newest':
      return { start: first ?? now, end: last ?? now };
  }
}

function timeOf({ points }: PointChunk, index: number): Instant {
  return { ms: points.timesMs[index] ?? 0, ticks: points.ticks[index] ?? 0 };
}
