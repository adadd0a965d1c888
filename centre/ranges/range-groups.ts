// Reads of ranges of many tags: in groups of one query each, a few tags at first and more from then on, for as long as the
// answers are small. Large ranges are read tag by tag: they are streams, and a query more costs nothing beside them.

import { compareInstants } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { newestOfMany } from '../points/newest-of-many.ts';
import type { RowPoint } from '../points/readable-rows.ts';
import type { TagPoints } from '../points/tag-points.ts';
import { GroupedRows, type GroupRange, readGroup, type TagPart } from './tag-group.ts';

/** Tags of the first group, and of each later one. */
const FIRST_TAGS = 8;
const GROWTH = 4;
const MOST_TAGS = 64;

export interface CarriedRange extends GroupRange {
  /** Whether the point before the range is wanted. */
  readonly carryIn: boolean;
  /** Tags of a group at least: others are read by themselves. */
  readonly fewest: number;
}

interface Group {
  /** Tags `[from, to)` of the request. */
  readonly from: number;
  readonly to: number;
  readonly parts: Promise<ReadonlyMap<number, TagPart>>;
  /** The points at or before the start, where they are asked for. */
  readonly before: Promise<ReadonlyMap<number, RowPoint>> | undefined;
}

export class RangeGroups {
  readonly #cluster: Cluster;
  readonly #dataset: CentreDataset;
  readonly #range: CarriedRange;
  /** The i-th of the request; undefined where it is read by itself. */
  readonly #tags: readonly (TagPoints | undefined)[];
  /** The one that is read. */
  #group: Group | undefined;
  #isLarge = false;

  constructor(cluster: Cluster, dataset: CentreDataset, tags: readonly (TagPoints | undefined)[], range: CarriedRange) {
    this.#cluster = cluster;
    this.#dataset = dataset;
    this.#tags = tags;
    this.#range = range;
  }

  /** Undefined: the tag is to be read by itself. Begins the query of its group at once. */
  open(index: number): Promise<GroupedRows> | undefined {
    const tag = this.#tags[index];
    if (tag === undefined) return undefined;
    if (this.#group === undefined || index < this.#group.from || index >= this.#group.to)
      this.#group = this.#isLarge ? undefined : this.#begin(index);
    const group = this.#group;
    return group && take(tag, group, this.#range);
  }

  #begin(index: number): Group | undefined {
    const { from, to } = placeOf(index, this.#tags.length);
    const tags = this.#tags.slice(from, to).filter((tag) => tag !== undefined);
    const { start, carryIn, fewest } = this.#range;
    if (tags.length < fewest) return undefined;
    const parts = readGroup(this.#cluster, this.#dataset, tags, this.#range);
    const before = carryIn ? newestOfMany(this.#cluster, this.#dataset, tags, start) : undefined;
    before?.catch(() => undefined);
    parts
      .then((known) => {
        this.#isLarge ||= this.#range.limit === undefined && [...known.values()].some(({ isWhole }) => !isWhole);
      })
      .catch(() => undefined);
    return { from, to, parts, before };
  }
}

async function take(tag: TagPoints, group: Group, range: GroupRange): Promise<GroupedRows> {
  const { id } = tag.tag;
  const part = (await group.parts).get(id) ?? { rows: [], isWhole: false };
  const before = (await group.before)?.get(id);
  const isEarlier = before !== undefined && compareInstants(before, range.start) < 0;
  return new GroupedRows(tag, part, range, isEarlier ? before : undefined);
}

/** The group that has the i-th tag. */
function placeOf(index: number, count: number): { readonly from: number; readonly to: number } {
  let from = 0;
  let size = FIRST_TAGS;
  while (index >= from + size) {
    from += size;
    size = Math.min(MOST_TAGS, size * GROWTH);
  }
  return { from, to: Math.min(count, from + size) };
}
