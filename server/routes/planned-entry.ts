// Answers one entry in a format that has to know of all its points before the first is written: they are gone over once
// for that, and then once more for each pass of the format. Few points are held meanwhile, many are read again.

import type { PointChunk, ReadResult, TagCursor } from '../../engine/index.ts';
import { EntrySurvey } from './entry-plan.ts';
import type { HeldPoints } from './held-points.ts';
import { boundsOf, breathe, entryEnd, type ReadAnswer } from './read-answer.ts';

/** Rejects when a plan does not hold: points that were counted are gone. */
export async function answerPlanned(
  result: ReadResult,
  index: number,
  answer: ReadAnswer,
  held: HeldPoints,
): Promise<void> {
  const { renderer, request } = answer;
  const survey = new EntrySurvey();
  const cursor = result.open(index);
  held.clear();
  try {
    await surveyPoints(cursor, survey, held, answer);
  } finally {
    cursor.close();
  }
  const plan = survey.plan(entryEnd(cursor));
  renderer.beginEntry(cursor.tag, boundsOf(answer, survey.first, survey.first), plan);
  for (let pass = 0; pass < renderer.passCount(plan); pass++) {
    renderer.beginPass(pass, plan);
    if (!held.isWhole) await renderAgain(result.open(index), plan.pointCount, answer);
    for (const chunk of held.chunks) {
      renderer.points(chunk);
      const waiting = breathe(answer);
      if (waiting !== undefined) await waiting;
    }
    if (request.aborted) return;
  }
  renderer.endEntry(plan);
}

async function surveyPoints(
  cursor: TagCursor,
  survey: EntrySurvey,
  held: HeldPoints,
  { pacer }: ReadAnswer,
): Promise<void> {
  for (;;) {
    const next = cursor.next();
    const chunk = next instanceof Promise ? await next : next;
    if (chunk === undefined) return;
    if (chunk.start === chunk.end) continue;
    survey.add(chunk);
    held.add(chunk);
    if (pacer.isDue()) await pacer.yield();
  }
}

/** Closes the cursor. Points that came after the counting are left for the next read. */
async function renderAgain(cursor: TagCursor, pointCount: number, answer: ReadAnswer): Promise<void> {
  let restCount = pointCount;
  try {
    while (restCount > 0) {
      const next = cursor.next();
      const chunk = next instanceof Promise ? await next : next;
      if (chunk === undefined) throw new Error('BUG: a read found fewer points than it had counted');
      answer.renderer.points(atMost(chunk, restCount));
      restCount -= chunk.end - chunk.start;
      const waiting = breathe(answer);
      if (waiting !== undefined) await waiting;
      if (answer.request.aborted) return;
    }
  } finally {
    cursor.close();
  }
}

function atMost(chunk: PointChunk, limit: number): PointChunk {
  return chunk.end - chunk.start <= limit ? chunk : { ...chunk, end: chunk.start + limit };
}
