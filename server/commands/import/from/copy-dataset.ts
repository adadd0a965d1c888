// Tags, their metadata and their points from one server to another, tag by tag, and then counted on both.

import { setTimeout as delay } from 'node:timers/promises';
import { PointBatch } from '../point-batch.ts';
import type { PointSender } from '../point-sender.ts';
import type { ServerDataset, SourcePoint, TimeRange } from './source-server.ts';

export interface CopyOptions {
  readonly from: ServerDataset;
  readonly to: ServerDataset;
  readonly sender: PointSender;
  readonly range: TimeRange;
  /** Points in a second, at most; undefined without a bound. */
  readonly rate: number | undefined;
  readonly stop: AbortSignal;
}

export interface CopyOutcome {
  readonly tagCount: number;
  readonly readCount: number;
  /** Tags whose points are not as many on both; a count that is not known is undefined. */
  readonly differing: readonly { readonly tag: string; readonly wanted: number; readonly got: number | undefined }[];
}

/** Tags of one request. */
const DEFINED_AT_ONCE = 1000;

/** Goes on where an earlier copy ended: behind the newest point that the target has of each tag. */
export async function copyDataset(options: CopyOptions): Promise<CopyOutcome> {
  const tags = await options.from.tags();
  for (let at = 0; at < tags.length; at += DEFINED_AT_ONCE)
    await options.to.define(tags.slice(at, at + DEFINED_AT_ONCE));
  const pace = new Pace(options.rate, options.stop);
  const differing: CopyOutcome['differing'][number][] = [];
  let readCount = 0;
  for (const { n: tag } of tags) {
    const counted = await options.from.count(tag, options.range);
    const read = await copyTag(tag, counted !== undefined, options, pace);
    readCount += read;
    const wanted = counted ?? read;
    const got = await options.to.count(tag, options.range);
    if (got !== wanted) differing.push({ tag, wanted, got });
  }
  return { tagCount: tags.length, readCount, differing };
}

/** A source that does not count is read from the beginning, so that what was read is the count. Gives the points that were read. */
async function copyTag(
  tag: string,
  goesOn: boolean,
  { from, to, sender, range }: CopyOptions,
  pace: Pace,
): Promise<number> {
  const newest = goesOn ? await to.newest(tag) : undefined;
  const isBehind = newest !== undefined && Date.parse(newest) > Date.parse(range.start);
  // The newest point itself comes again: others may have the same time.
  const rest = isBehind ? { ...range, start: newest } : range;
  if (Date.parse(rest.start) > Date.parse(rest.end)) return 0;
  let count = 0;
  for await (const points of from.points(tag, rest)) {
    let batch = new PointBatch();
    for (const point of points) {
      batch.add({
        tag,
        time: point.t,
        value: valueText(point),
        quality: point.q === undefined ? undefined : String(point.q),
        line: ++count,
      });
      if (!batch.isFull) continue;
      await sender.send(batch);
      batch = new PointBatch();
    }
    if (batch.pointCount > 0) await sender.send(batch);
    await pace.after(points.length);
  }
  return count;
}

function valueText({ v: value }: SourcePoint): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value ?? null);
}

/** Waits so that not more than so many points pass in a second. */
class Pace {
  readonly #rate: number | undefined;
  readonly #stop: AbortSignal;
  readonly #beganMs = performance.now();
  #count = 0;

  constructor(rate: number | undefined, stop: AbortSignal) {
    this.#rate = rate;
    this.#stop = stop;
  }

  async after(count: number): Promise<void> {
    this.#count += count;
    if (this.#rate === undefined) return;
    const dueMs = this.#beganMs + (this.#count / this.#rate) * 1000;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#stop });
  }
}
