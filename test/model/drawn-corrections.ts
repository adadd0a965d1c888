// Corrections drawn at random for a tag of the reference, and their way into an engine.

import { compareInstants, type Engine, type Instant, TICKS_PER_MS, ValueType } from '../../engine/index.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { buildBatch, drawQuality, drawValue, formatPoint, type Point } from './points.ts';
import { formatTime, type PlannedCorrection, type ReferenceTag } from './reference-tag.ts';

/** Readable points that a range spans, at most. */
const MOST_SPANNED = 20;
const MOST_GIVEN = 6;

/** A correction that an engine must take; undefined where none can be. @param expiryMs purge may take points up to here */
export function drawCorrection(
  random: SeededRandom,
  tag: ReferenceTag,
  expiryMs: number,
): PlannedCorrection | undefined {
  const { name, type } = tag.definition;
  const newest = tag.inTime.at(-1);
  const readable = tag.points.filter(({ ms }) => ms > expiryMs);
  if (newest === undefined || type === ValueType.Open || readable.length === 0) return undefined;
  const first = Math.max(0, readable.length - 1 - random.below(3 * MOST_SPANNED));
  const last = Math.min(readable.length - 1, first + random.below(MOST_SPANNED));
  const start = timeOf(readable[first] as Point);
  let end = timeOf(readable[last] as Point);
  if (random.chance(0.2)) end = { ms: end.ms + random.between(1, 10_000), ticks: random.below(TICKS_PER_MS) };
  const kind = random.pick(['delete', 'replace', 'insert'] as const);
  const latest = compareInstants(end, newest) < 0 ? end : timeOf(newest);
  const points = kind === 'delete' ? [] : drawPoints(random, tag, start, latest);
  const run = { name, type, points };
  if (points.length === 0) return { tag: name, kind: 'delete', start, end, run, id: undefined };
  if (kind === 'replace') return { tag: name, kind, start, end, run, id: undefined };
  const range = { start: timeOf(points[0] as Point), end: timeOf(points.at(-1) as Point) };
  return { tag: name, kind, ...range, run, id: undefined };
}

/** Some of them of times that have a point already; in time order. */
function drawPoints(random: SeededRandom, tag: ReferenceTag, start: Instant, end: Instant): Point[] {
  const { type } = tag.definition;
  const isInRange = (time: Instant): boolean => compareInstants(time, start) >= 0 && compareInstants(time, end) <= 0;
  const there = tag.points.filter(isInRange);
  const points = Array.from({ length: random.between(1, MOST_GIVEN) }, (): Point => {
    const between = { ms: random.between(start.ms, Math.max(start.ms, end.ms)), ticks: random.below(TICKS_PER_MS) };
    const time = there.length > 0 && random.chance(0.4) ? timeOf(random.pick(there)) : between;
    const value = random.chance(0.1) ? null : drawValue(random, type);
    return { ...time, type, value, quality: drawQuality(random) };
  });
  const distinct = new Map(points.filter(isInRange).map((point) => [formatPoint(point), point]));
  return [...distinct.values()].sort(compareInstants);
}

/** Whether a point of the time is stored, hidden or given by a correction: then it may be new or known. */
export function isTimeTaken(tag: ReferenceTag, time: Instant): boolean {
  const given = tag.corrections.flatMap(({ run }) => run.points);
  const wanted = formatTime(time);
  return [tag.inTime, tag.late, given].some((points) => points.some((point) => formatTime(point) === wanted));
}

/** Corrects, and keeps the id. Throws where the counts are not those of the reference. */
export async function sendCorrection(engine: Engine, dataset: string, correction: PlannedCorrection): Promise<void> {
  const { tag, kind, start, end, run } = correction;
  const receipt = await engine.correct(dataset, {
    tag,
    kind,
    range: { start, end },
    batch: run.points.length > 0 ? buildBatch(engine, dataset, [run]) : undefined,
    by: 'tester',
    reason: 'drawn',
    isPreview: false,
  });
  if (receipt.added !== run.points.length) throw new Error(`${receipt.added} points added of ${run.points.length}`);
  correction.id = receipt.id;
}

function timeOf({ ms, ticks }: Instant): Instant {
  return { ms, ticks };
}
