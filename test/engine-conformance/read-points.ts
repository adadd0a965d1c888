// Reads of points through the interface of engines, as plain values.

import { type Engine, type ReadMarker, type ReadRange, type ReadRequest, valueAt } from '../../engine/index.ts';

export interface ReadTag {
  readonly name: string;
  /** Points as `[ms, value, quality]`; null for no value. */
  readonly points: readonly (readonly [number, unknown, number])[];
  readonly marker: ReadMarker | undefined;
  /** Points that a chart was made of. */
  readonly reducedFrom: number | undefined;
}

export function rangeOf(startMs: number, endMs: number): ReadRange {
  return { kind: 'range', start: { ms: startMs, ticks: 0 }, end: { ms: endMs, ticks: 0 } };
}

export async function readTags(
  engine: Engine,
  dataset: string,
  tags: readonly string[],
  request: Partial<ReadRequest> & Pick<ReadRequest, 'range'>,
): Promise<ReadTag[]> {
  const all = { tags, carryIn: false, skipMissing: false, limit: undefined, after: [], ...request };
  const result = engine.read(dataset, all);
  await result.settle?.();
  const read: ReadTag[] = [];
  for (let i = 0; i < result.tagCount; i++) {
    const cursor = result.open(i);
    const points: (readonly [number, unknown, number])[] = [];
    try {
      for (let chunk = await cursor.next(); chunk; chunk = await cursor.next())
        for (let k = chunk.start; k < chunk.end; k++) {
          const value = valueAt(chunk.points, k, chunk.type);
          points.push([chunk.points.timesMs[k] as number, value, chunk.points.qualities[k] as number]);
        }
    } finally {
      cursor.close();
    }
    const { marker, reducedFrom } = cursor.outcome();
    read.push({ name: cursor.tag.name, points, marker, reducedFrom });
  }
  return read;
}
