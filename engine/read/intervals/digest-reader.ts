// Gives whole blocks that lie in a few intervals to a calculation without their points, by digests that are remembered.

import type { Calculation } from '../../aggregates/calculation.ts';
import { offsetMs, PointWindow } from '../../aggregates/input/point-window.ts';
import { digestOf, type RunDigest } from '../../aggregates/input/run-digest.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { TagFile } from '../../files/tag-file.ts';
import { releaseColumns, takeColumns } from '../../points/spare-columns.ts';
import type { Instant, PointColumns } from '../../types.ts';
import { BlockReader, type BlockSource } from '../block-sources.ts';

/** Smaller blocks are hardly dearer than their digests. */
const LEAST_POINTS = 16;

export class DigestReader {
  readonly #dataset: Dataset;
  readonly #start: Instant;
  readonly #calculation: Calculation;
  readonly #reader: BlockReader;
  readonly #window = new PointWindow();
  #points: PointColumns | undefined;
  /** File of the last block. */
  #file: TagFile | undefined;

  /** @param start of the range that the calculation is about */
  constructor(dataset: Dataset, start: Instant, calculation: Calculation) {
    this.#dataset = dataset;
    this.#start = start;
    this.#calculation = calculation;
    this.#reader = new BlockReader(dataset);
  }

  /** Gives a block to the calculation, which has taken all points before it; false when its points are needed. Throws CORRUPT. */
  takes(source: BlockSource): boolean {
    const { file, entry } = source;
    if (!(file instanceof TagFile) || entry.sizeBytes === 0 || entry.pointCount < LEAST_POINTS) return false;
    const firstMs = offsetMs(this.#start, entry.firstMs, entry.firstTicks);
    const lastMs = offsetMs(this.#start, entry.lastMs, entry.lastTicks);
    const cuts = this.#calculation.cutsWithin(firstMs, lastMs);
    if (cuts === undefined) return false;
    const {
      files: { digests },
    } = this.#dataset;
    if (file !== this.#file) digests.touch(file);
    this.#file = file;
    let parts = digests.get(file, entry.offset);
    if (parts === 'none') return false;
    if (parts === undefined || !this.#isCutAt(cuts, parts)) {
      parts = this.#digestsOf(source, cuts) ?? 'none';
      digests.put(file, entry.offset, parts);
      if (parts === 'none' || !this.#isCutAt(cuts, parts)) return false;
    }
    for (const part of parts) this.#calculation.takeDigest(part, this.#offsetOf(part));
    return true;
  }

  /** Whether no part has points on both sides of a cut. The last of several points where an interval begins counts. */
  #isCutAt(cuts: readonly number[], parts: readonly RunDigest[]): boolean {
    return parts.every((part) => {
      const firstMs = this.#offsetOf(part);
      const lastMs = firstMs + part.last.time;
      return cuts.every((cut) => cut < firstMs || cut > lastMs || (cut === firstMs && part.isFirstAlone));
    });
  }

  #offsetOf({ origin }: RunDigest): number {
    return offsetMs(this.#start, origin.ms, origin.ticks);
  }

  close(): void {
    this.#reader.close();
    if (this.#points) releaseColumns(this.#points);
    this.#points = undefined;
  }

  /** Digests of the parts of a block; undefined unless all of its points are good. */
  #digestsOf(source: BlockSource, cuts: readonly number[]): RunDigest[] | undefined {
    this.#points ??= takeColumns();
    const points = this.#points;
    const { type, goodCount, pointCount } = this.#reader.read(source, points);
    this.#dataset.counters.read += pointCount;
    if (goodCount < pointCount) return undefined;
    const parts: RunDigest[] = [];
    for (let start = 0; start < points.count; ) {
      const origin = { ms: points.timesMs[start] as number, ticks: points.ticks[start] as number };
      const end = this.#endOfPart(points, start, cuts);
      this.#window.fill({ type, points, start, end }, origin, undefined);
      const part = digestOf(this.#window, origin);
      if (part === undefined) return undefined;
      parts.push(part);
      start = end;
    }
    return parts;
  }

  /** The first point at or behind the next cut. */
  #endOfPart({ timesMs, ticks, count }: PointColumns, start: number, cuts: readonly number[]): number {
    const timeOf = (i: number): number => offsetMs(this.#start, timesMs[i] as number, ticks[i] as number);
    const cut = cuts.find((one) => one > timeOf(start));
    if (cut === undefined) return count;
    let end = start + 1;
    while (end < count && timeOf(end) < cut) end++;
    return end;
  }
}
