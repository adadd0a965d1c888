// Reads of points at the centre: newest, at a time, of a range, reduced for a chart.

import {
  compareInstants,
  EngineError,
  type Instant,
  type ReadMarker,
  type ReadRange,
  type ReadRequest,
  type ReadResult,
  type TagCursor,
} from '../engine/index.ts';
import type { Cluster } from '../replication/clickhouse/cluster.ts';
import type { TagDocument } from '../replication/sink.ts';
import { type FoundTag, findTags } from './catalogue/asked-tags.ts';
import type { CentreDataset } from './catalogue/centre-dataset.ts';
import type { CentreWatch } from './centre-watch.ts';
import { readTips } from './points/known-points.ts';
import { newestOfMany } from './points/newest-of-many.ts';
import { askedPoint, pointCursor } from './points/range-cursor.ts';
import type { RowPoint } from './points/readable-rows.ts';
import { TagPoints } from './points/tag-points.ts';
import { begunCursor } from './ranges/begun-cursor.ts';
import { openChart } from './ranges/chart-cursor.ts';
import { RangeGroups } from './ranges/range-groups.ts';
import type { GroupedRows } from './ranges/tag-group.ts';

type TimeRange = Extract<ReadRange, { kind: 'range' }>;

export class CentreRead implements ReadResult {
  bounds: ReadResult['bounds'];
  #settling: Promise<void> | undefined;
  #isSettled = false;
  readonly #cluster: Cluster;
  readonly #dataset: CentreDataset;
  readonly #request: ReadRequest;
  readonly #found: readonly FoundTag[];
  /** Knows newest points without asking, where somebody listens. */
  readonly #watch: CentreWatch | undefined;
  /** Points of reads of single ones, tag by tag. */
  #points: readonly (RowPoint | undefined)[] = [];
  /** Groups of reads of ranges. */
  #groups: RangeGroups | undefined;

  /** Throws TAG_NOT_FOUND, BAD_REQUEST. */
  constructor(cluster: Cluster, dataset: CentreDataset, request: ReadRequest, watch: CentreWatch | undefined) {
    this.#cluster = cluster;
    this.#dataset = dataset;
    this.#request = request;
    this.#watch = watch;
    this.#found = findTags(dataset, request);
  }

  get tagCount(): number {
    return this.#found.length;
  }

  /** Single points are all read here. */
  settle(): Promise<void> | undefined {
    const { range } = this.#request;
    if (range.kind === 'range') return undefined;
    this.#settling ??= this.#locate(range);
    return this.#settling;
  }

  open(index: number): TagCursor {
    const { range } = this.#request;
    const { definition, tag } = this.#found[index] as FoundTag;
    if (range.kind !== 'range') {
      if (this.#isSettled) return pointCursor(definition, this.#points[index]);
      const tip = this.#isTip(this.#pointsOf(tag)) ? this.#watch?.newestOf(tag.id) : undefined;
      return tip ? pointCursor(definition, tip) : askedPoint(definition, () => this.#pointAt(index));
    }
    return this.#openRange(index, range);
  }

  async #pointAt(index: number): Promise<RowPoint | undefined> {
    await this.settle();
    return this.#points[index];
  }

  async #locate(range: Exclude<ReadRange, TimeRange>): Promise<void> {
    const all = this.#found.map(({ tag }) => this.#pointsOf(tag));
    const plain = all.filter((points) => this.#isTip(points)).map(({ tag }) => tag.id);
    const others = all.filter((points) => !this.#isTip(points));
    const end = range.kind === 'at' ? range.end : undefined;
    const located = await Promise.all([
      readTips(this.#cluster, this.#dataset, plain),
      newestOfMany(this.#cluster, this.#dataset, others, end),
    ]);
    this.#points = all.map(({ tag }) => located[0].get(tag.id) ?? located[1].get(tag.id));
    this.bounds = boundsOf(this.#points);
    this.#isSettled = true;
  }

  #openRange(index: number, range: TimeRange): TagCursor {
    const { tag, definition, marker } = this.#found[index] as FoundTag;
    const points = this.#pointsOf(tag);
    const { intervals, limit, carryIn: isAsked } = this.#request;
    const carryIn = isAsked && compareInstants(range.start, range.end) <= 0;
    this.#groups ??= this.#groupsOf(range, carryIn);
    const grouped = this.#groups.open(index);
    const [cluster, dataset] = [this.#cluster, this.#dataset];
    if (intervals !== undefined)
      return openChart({
        cluster,
        dataset,
        points,
        definition,
        intervals: { ...range, count: intervals },
        carryIn,
        grouped,
      });
    if (grouped) return begunCursor(definition, openGrouped(points, { ...range, limit }, grouped));
    const begun = marker
      ? openBehind(points, { ...range, limit }, marker)
      : points.openFrom({ ...range, limit, carryIn });
    return begunCursor(definition, begun);
  }

  #groupsOf({ start, end }: TimeRange, carryIn: boolean): RangeGroups {
    const { intervals, limit } = this.#request;
    const isChart = intervals !== undefined;
    const tags = this.#found.map(({ tag, marker }) => {
      const points = this.#pointsOf(tag);
      return points.isItsRows && (marker === undefined || isChart) ? points : undefined;
    });
    return new RangeGroups(this.#cluster, this.#dataset, tags, {
      start,
      end,
      limit: isChart ? undefined : limit,
      carryIn,
      fewest: isChart && this.#cluster.style.isModern ? 1 : 2,
    });
  }

  /** Whether the point with the largest ordinal is what is asked for. Who listens may have been told one that was removed since. */
  #isTip({ isPlain }: TagPoints): boolean {
    return this.#request.range.kind === 'newest' && isPlain;
  }

  #pointsOf(tag: TagDocument): TagPoints {
    return new TagPoints(this.#cluster, this.#dataset, tag);
  }
}

interface LimitedRange extends TimeRange {
  readonly limit: number | undefined;
}

async function openGrouped(
  points: TagPoints,
  { start, end, limit }: LimitedRange,
  grouped: Promise<GroupedRows>,
): Promise<TagCursor> {
  return points.open({ start, end, firstOrdinal: 0, limit, source: await grouped });
}

async function openBehind(points: TagPoints, { end, limit }: LimitedRange, marker: ReadMarker): Promise<TagCursor> {
  const time = await points.timeOf(marker.ordinal);
  if (time === undefined) throw staleMarker();
  return points.open({ start: time, end, firstOrdinal: marker.ordinal, limit });
}

function staleMarker(): EngineError {
  const message = 'A marker in "after" is of a point that is not there any more. Read again from the start.';
  return new EngineError('BAD_REQUEST', message);
}

function boundsOf(points: readonly (RowPoint | undefined)[]): { start: Instant; end: Instant } | undefined {
  const known = points.filter((point) => point !== undefined).sort(compareInstants);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { start: { ms: first.ms, ticks: first.ticks }, end: { ms: last.ms, ticks: last.ticks } };
}
