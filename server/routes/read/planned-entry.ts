// Answers one entry in a format that has to know of all its points before the first is written: they are read once
// for that, and then once more for each pass of the format. Few points are held meanwhile, many are read again.

import type { PointChunk, ReadResult, TagCursor } from '../../../engine/index.ts';
import { endOfPart } from '../../codec/write-json/text-parts.ts';
import { type EntryPlan, EntrySurvey } from './entry-plan.ts';
import type { HeldPoints } from './held-points.ts';
import { boundsOf, entryEnd, type ReadAnswer, writeChunk } from './read-answer.ts';

/** More points than this are not copied before somebody else has had a turn. */
const FEW_POINTS = 64;

/** An entry while its points are read for the plan. */
interface PlannedEntry {
  readonly result: ReadResult;
  readonly index: number;
  readonly cursor: TagCursor;
  readonly survey: EntrySurvey;
  readonly held: HeldPoints;
}

/**
 * Rejects when a plan does not hold: points that were counted are gone. Most entries of long answers are of one point:
 * those are answered at once, without a promise.
 */
export function answerPlanned(
  result: ReadResult,
  index: number,
  answer: ReadAnswer,
  held: HeldPoints,
): Promise<void> | undefined {
  const cursor = result.open(index);
  const entry = { result, index, cursor, survey: new EntrySurvey(), held };
  held.clear();
  let next: NextChunk;
  try {
    next = takeFew(entry);
  } catch (error) {
    cursor.close();
    throw error;
  }
  if (next !== undefined) return answerLong(entry, next, answer);
  cursor.close();
  const { renderer } = answer;
  const plan = beginEntry(entry, answer);
  for (let pass = 0; pass < renderer.passCount(plan); pass++) {
    renderer.beginPass(pass, plan);
    for (const chunk of held.chunks) renderer.points(chunk);
  }
  renderer.endEntry(plan);
  return undefined;
}

type NextChunk = ReturnType<TagCursor['next']>;

/** Takes the first chunk, if it is one of few points; what comes next. */
function takeFew({ cursor, survey, held }: PlannedEntry): NextChunk {
  const next = cursor.next();
  if (next === undefined || next instanceof Promise) return next;
  const count = next.end - next.start;
  if (count === 0 || count > FEW_POINTS || endOfPart(next, next.start) < next.end) return next;
  survey.add(next);
  held.add(next);
  return cursor.next();
}

function beginEntry({ cursor, survey }: PlannedEntry, answer: ReadAnswer): EntryPlan {
  const plan = survey.plan(entryEnd(cursor, answer));
  answer.renderer.beginEntry(cursor.tag, boundsOf(answer, survey.first, survey.first), plan, cursor.label);
  return plan;
}

async function answerLong(entry: PlannedEntry, next: NextChunk, answer: ReadAnswer): Promise<void> {
  const { result, index, cursor, held } = entry;
  const { renderer, request } = answer;
  try {
    await surveyPoints(entry, next, answer);
  } finally {
    cursor.close();
  }
  const plan = beginEntry(entry, answer);
  for (let pass = 0; pass < renderer.passCount(plan); pass++) {
    renderer.beginPass(pass, plan);
    if (!held.isWhole) await renderAgain(result.open(index), plan.pointCount, answer);
    for (const chunk of held.chunks) {
      const waiting = writeChunk(chunk, answer);
      if (waiting !== undefined) await waiting;
    }
    if (request.aborted) return;
  }
  renderer.endEntry(plan);
}

/** All chunks from `opening` on. */
async function surveyPoints(
  { cursor, survey, held }: PlannedEntry,
  opening: NextChunk,
  { pacer }: ReadAnswer,
): Promise<void> {
  let chunk = opening instanceof Promise ? await opening : opening;
  while (chunk !== undefined) {
    if (chunk.start < chunk.end) {
      survey.add(chunk);
      held.add(chunk);
      if (pacer.isDue()) await pacer.yield();
    }
    const next = cursor.next();
    chunk = next instanceof Promise ? await next : next;
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
      const waiting = writeChunk(atMost(chunk, restCount), answer);
      restCount -= chunk.end - chunk.start;
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
