// Answers a read: one tag after the other, a chunk at a time, as fast as the client takes it. An answer that was begun
// and cannot be completed is aborted, so that nobody takes it for complete (D14).

import type { Instant, PointChunk, ReadResult } from '../../../engine/index.ts';
import { HeldPoints } from './held-points.ts';
import { answerPlanned } from './planned-entry.ts';
import { boundsOf, breathe, entryEnd, type ReadAnswer, writeChunk } from './read-answer.ts';

/** Renders all of `result`. Rejects when it cannot be completed; what was begun is aborted by then. */
export async function answerRead(result: ReadResult, answer: ReadAnswer): Promise<void> {
  const { request, sink, renderer } = answer;
  try {
    const settling = result.settle?.();
    if (settling !== undefined) await settling;
    answer.check?.(result.tagCount);
    renderer.begin(boundsOf(answer, result.bounds?.start, result.bounds?.end), result.tagCount);
    if (renderer.isPlanned) await planEntries(result, answer);
    else await streamEntries(result, answer);
    if (request.aborted) return;
    renderer.end();
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** Entries whose points go out as they come. Nothing is awaited that is there already: most entries are small. */
export async function streamEntries(result: ReadResult, answer: ReadAnswer): Promise<void> {
  const { request, renderer } = answer;
  for (let i = 0; i < result.tagCount && !request.aborted; i++) {
    const cursor = result.open(i);
    try {
      const opening = cursor.next();
      let chunk = opening instanceof Promise ? await opening : opening;
      const first = chunk === undefined ? undefined : timeOf(chunk, chunk.start);
      renderer.beginEntry(cursor.tag, boundsOf(answer, first, first), undefined, cursor.label);
      while (chunk !== undefined) {
        const waiting = writeChunk(chunk, answer);
        if (waiting !== undefined) await waiting;
        if (request.aborted) return;
        const next = cursor.next();
        chunk = next instanceof Promise ? await next : next;
      }
      renderer.endEntry(entryEnd(cursor, answer));
      const waiting = breathe(answer);
      if (waiting !== undefined) await waiting;
    } finally {
      cursor.close();
    }
  }
}

async function planEntries(result: ReadResult, answer: ReadAnswer): Promise<void> {
  const held = new HeldPoints(answer.request.memory);
  for (let i = 0; i < result.tagCount && !answer.request.aborted; i++) {
    const answering = answerPlanned(result, i, answer, held);
    if (answering !== undefined) await answering;
    const waiting = breathe(answer);
    if (waiting !== undefined) await waiting;
  }
}

function timeOf({ points }: PointChunk, index: number): Instant {
  return { ms: points.timesMs[index] ?? 0, ticks: points.ticks[index] ?? 0 };
}
