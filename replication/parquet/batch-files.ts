// A batch as files: one for each range of tags, with its rows in the order of tags and ordinals.

import type { Batch, BatchRun } from '../sink.ts';
import { byRange, type OrdinalSpan, pointsFile } from './layout.ts';

/** The points of one range of tags. */
export interface FileRuns {
  readonly range: number;
  readonly runs: readonly BatchRun[];
}

export function divideBatch({ runs }: Batch): FileRuns[] {
  const used = runs.filter(({ count }) => count > 0);
  return byRange(used, ({ tag }) => tag.id).map(([range, ofRange]) => ({
    range,
    runs: ofRange.sort((a, b) => a.tag.id - b.tag.id || a.firstOrdinal - b.firstOrdinal),
  }));
}

/** The name goes by the ordinals alone: not by how they are cut into runs. */
export function fileFor(folder: string, batch: Batch, runs: readonly BatchRun[]): string {
  return pointsFile(folder, spansOf(runs), earliestOf(batch, runs));
}

function spansOf(runs: readonly BatchRun[]): OrdinalSpan[] {
  const spans: OrdinalSpan[] = [];
  for (const { tag, firstOrdinal, count } of runs) {
    const last = spans.at(-1);
    const to = firstOrdinal + count;
    if (last?.tag === tag.id && last.to === firstOrdinal) spans[spans.length - 1] = { ...last, to };
    else spans.push({ tag: tag.id, from: firstOrdinal, to });
  }
  return spans;
}

function earliestOf({ points }: Batch, runs: readonly BatchRun[]): number {
  const { timesMs } = points;
  let earliestMs = Number.POSITIVE_INFINITY;
  for (const { start, count } of runs)
    for (let i = start; i < start + count; i++) earliestMs = Math.min(earliestMs, timesMs[i] as number);
  return earliestMs;
}
