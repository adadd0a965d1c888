// Short ways to correct tags of numbers, and to read what is there then.

import {
  type CorrectionKind,
  type CorrectionReceipt,
  type Engine,
  PointColumns,
  type PointDeletionReceipt,
  type ReadMarker,
  type ReadRange,
  ValueType,
} from '../../../engine/index.ts';
import { EVERYTHING } from '../../support/engine-points.ts';
import { asPlain } from '../../support/plain-batches.ts';
import type { HistoryPoint } from './plain-history.ts';

export interface PlainCorrection {
  readonly tag: string;
  readonly kind: Exclude<CorrectionKind, 'cut'>;
  readonly startMs: number;
  readonly endMs: number;
  readonly points?: readonly HistoryPoint[];
  readonly isPreview?: boolean;
}

export function correct(engine: Engine, dataset: string, correction: PlainCorrection): Promise<CorrectionReceipt> {
  const { tag: name, kind, startMs, endMs, points: given = [], isPreview = false } = correction;
  const points = new PointColumns(Math.max(1, given.length));
  for (const { ms, value, quality } of given) {
    points.timesMs[points.count] = ms;
    points.numbers[points.count] = value;
    points.qualities[points.count] = quality;
    points.count++;
  }
  const tag = engine.lookup(dataset).find(name);
  const run = { name, tag, type: ValueType.Double, start: 0, count: points.count, rejected: 0, stamped: 0 };
  return engine.correct(dataset, {
    tag: name,
    kind,
    range: { start: { ms: startMs, ticks: 0 }, end: { ms: endMs, ticks: 0 } },
    batch: given.length > 0 ? asPlain({ points, runs: [run] }) : undefined,
    by: 'tester',
    reason: `${kind} for a test`,
    isPreview,
  });
}

export function cut(engine: Engine, dataset: string, tag: string, startMs: number): Promise<PointDeletionReceipt> {
  return engine.deletePoints(dataset, [tag], { ms: startMs, ticks: 0 });
}

export interface PageOfTag {
  readonly range?: ReadRange;
  readonly carryIn?: boolean;
  readonly limit?: number;
  readonly after?: readonly ReadMarker[];
  /** Takes the marker to go on with. */
  readonly markers?: ReadMarker[];
}

export async function readAll(
  engine: Engine,
  dataset: string,
  tag: string,
  page: PageOfTag = {},
): Promise<HistoryPoint[]> {
  const { range = EVERYTHING, carryIn = false, limit, after = [], markers } = page;
  const result = engine.read(dataset, { tags: [tag], range, carryIn, skipMissing: false, limit, after });
  await result.settle?.();
  const cursor = result.open(0);
  const read: HistoryPoint[] = [];
  try {
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
      const { timesMs, numbers, qualities } = chunk.points;
      for (let i = chunk.start; i < chunk.end; i++)
        read.push({ ms: timesMs[i] as number, value: numbers[i] as number, quality: qualities[i] as number });
    }
    const { gaps, marker } = cursor.outcome();
    if (gaps.length > 0) throw new Error(`gaps: ${JSON.stringify(gaps)}`);
    if (marker) markers?.push(marker);
    return read;
  } finally {
    cursor.close();
  }
}
