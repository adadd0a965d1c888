// What has changed since a position: tags that came, changed or went, removed points, new points, corrections; in this order,
// in which a client can carry them out one by one.

import {
  compareInstants,
  type FollowedTag,
  type Following,
  type Instant,
  PointColumns,
} from '../../../engine/index.ts';
import { contentOf } from '../../../replication/job/describe-tag.ts';
import { CORRECTIONS_TAG } from '../../../replication/log-entries.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { formatTag } from '../../codec/write-json/tag-json.ts';
import { TvqWriter } from '../../codec/write-json/tvq-writer.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import { ProblemError } from '../../problem.ts';
import { type LogEntry, readLog } from './correction-log.ts';
import type { FeedPosition, TagPosition } from './feed-position.ts';

// No state of an answer is in the writer, so that one serves all answers.
const writer = new TvqWriter();
const POINTS_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 1_000_000;
const NOTHING: TagPosition = { next: 0, content: -1 };

export interface ScanParts {
  readonly following: Following;
  /** Undefined: from the beginning. */
  readonly since: FeedPosition | undefined;
  readonly out: OutputBytes;
  readonly style: ValueStyle;
  /** Most points. */
  readonly limit: number;
  turn(): Promise<void> | undefined;
}

export interface ScanEnd {
  readonly position: FeedPosition;
  readonly count: number;
  /** Whether there is more than fitted. */
  readonly isMore: boolean;
}

/** Writes the members of the list of changes. Throws a 410 for a position that is not one of this dataset as it is now. */
export async function writeChanges(parts: ScanParts): Promise<ScanEnd> {
  const scan = new ChangeScan(parts);
  return scan.run();
}

class ChangeScan {
  readonly #parts: ScanParts;
  /** Tags as they all were at one moment: what comes later comes with the next answer. */
  readonly #tags = new Map<number, FollowedTag>();
  readonly #there = new Map<number, TagPosition>();
  #count = 0;
  #left: number;
  #cuts: Extract<LogEntry, { kind: 'removed' }>[] = [];

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#left = parts.limit;
    for (const tag of parts.following.tags())
      if (!tag.isSystem || tag.id === CORRECTIONS_TAG) this.#tags.set(tag.id, tag);
  }

  async run(): Promise<ScanEnd> {
    const { following } = this.#parts;
    this.#checkPosition();
    this.#writeDeleted();
    await this.#writeTags();
    const log = await this.#writeRemoved();
    const isMore = await this.#writePoints();
    if (!isMore) this.#writeCorrections(log);
    const tags = new Map([...this.#there].sort(([a], [b]) => a - b));
    return { position: { identity: following.identity, tags }, count: this.#count, isMore };
  }

  #checkPosition(): void {
    const { following, since } = this.#parts;
    if (since === undefined) return;
    if (since.identity !== following.identity) throw expired('is of a dataset that is not this one any more');
    for (const [id, { next }] of since.tags) {
      const isAhead = id >= following.nextTagId || next > (this.#tags.get(id)?.nextOrdinal ?? Infinity);
      if (isAhead) throw expired('is ahead of this dataset, which was restored from a backup or has lost points');
    }
  }

  #sinceOf(id: number): TagPosition {
    return this.#parts.since?.tags.get(id) ?? NOTHING;
  }

  #put(text: string): void {
    this.#parts.out.utf8(`${this.#count++ === 0 ? '' : ','}${text}`);
  }

  #writeDeleted(): void {
    for (const id of this.#parts.since?.tags.keys() ?? []) if (!this.#tags.has(id)) this.#put(`{"deleted":${id}}`);
  }

  async #writeTags(): Promise<void> {
    for (const tag of this.#tags.values()) {
      const { next, content } = this.#sinceOf(tag.id);
      const isTold = !tag.isSystem && tag.lateOf === undefined;
      const now = isTold ? contentOf(tag) : Math.max(0, content);
      if (isTold && now !== content) this.#put(`{"id":${tag.id},"tag":${formatTag(tag.definition)}}`);
      this.#there.set(tag.id, { next, content: now });
      await this.#parts.turn();
    }
  }

  /** Removals that the client has not been told of; gives all entries of the log. */
  async #writeRemoved(): Promise<[number, LogEntry][]> {
    const end = this.#tags.get(CORRECTIONS_TAG)?.nextOrdinal ?? 0;
    const { next } = this.#sinceOf(CORRECTIONS_TAG);
    const entries: [number, LogEntry][] = [];
    for await (const [ordinal, entry] of readLog(this.#parts.following, end, this.#parts.turn)) {
      entries.push([ordinal, entry]);
      if (entry.kind !== 'removed') continue;
      this.#cuts.push(entry);
      if (ordinal >= next && this.#tags.has(entry.tagId))
        this.#put(`{"id":${entry.tagId},"removedFrom":"${formatInstant(entry.start)}"}`);
    }
    const { content } = this.#there.get(CORRECTIONS_TAG) ?? { content: 0 };
    if (end > 0) this.#there.set(CORRECTIONS_TAG, { next: end, content });
    return entries;
  }

  /** Late points come behind those that they are late for. Returns whether there was no place for all points. */
  async #writePoints(): Promise<boolean> {
    const tags = [...this.#tags.values()].filter(({ isSystem }) => !isSystem);
    const ordered = [...tags.filter(({ lateOf }) => lateOf === undefined), ...tags.filter(({ lateOf }) => lateOf)];
    for (const tag of ordered) {
      for (let at = this.#sinceOf(tag.id).next; at < tag.nextOrdinal; ) {
        if (this.#left === 0) return true;
        const next = this.#writeRun(tag, at);
        if (next === at) break;
        at = next;
        this.#there.set(tag.id, { next: at, content: this.#there.get(tag.id)?.content ?? 0 });
        await this.#parts.turn();
      }
    }
    return false;
  }

  #writeRun(tag: FollowedTag, from: number): number {
    const { following, out, style } = this.#parts;
    const points = new PointColumns(POINTS_AT_ONCE);
    const most = Math.min(POINTS_AT_ONCE, this.#left, tag.nextOrdinal - from);
    const wanted = { points: most, characters: CHARACTERS_AT_ONCE };
    const run = following.readPoints(tag.id, from, wanted, points);
    const owner = tag.lateOf ?? tag.id;
    const end = Math.min(run.count, tag.nextOrdinal - run.firstOrdinal);
    let isFirst = true;
    for (let i = 0; i < end; i++) {
      const at = run.start + i;
      const time = { ms: points.timesMs[at] as number, ticks: points.ticks[at] as number };
      if (tag.lateOf !== undefined && this.#isCut(owner, time, run.firstOrdinal + i)) continue;
      if (isFirst) this.#put(`{"id":${owner},${tag.lateOf === undefined ? '' : '"late":true,'}"points":[`);
      writer.writePoints(out, { type: run.type, points, start: at, end: at + 1 }, style, isFirst ? 'first' : 'comma');
      isFirst = false;
      this.#left--;
    }
    if (!isFirst) out.ascii(']}');
    return Math.min(tag.nextOrdinal, run.nextOrdinal);
  }

  /** Whether a late point was removed before it was told of. */
  #isCut(owner: number, time: Instant, ordinal: number): boolean {
    return this.#cuts.some(
      ({ tagId, start, lateBelow }) => tagId === owner && ordinal < lateBelow && compareInstants(time, start) >= 0,
    );
  }

  /** Corrections come behind all points that they may be about. */
  #writeCorrections(log: readonly (readonly [number, LogEntry])[]): void {
    const told = this.#there.get(CORRECTIONS_TAG);
    if (told === undefined) return;
    for (const [ordinal, entry] of log) {
      if (ordinal < told.content || entry.kind === 'removed') continue;
      this.#put(`{"${entry.kind}":${entry.id}}`);
    }
    this.#there.set(CORRECTIONS_TAG, { ...told, content: told.next });
  }
}

function expired(why: string): ProblemError {
  return new ProblemError(
    410,
    `The position ${why}. Begin anew without 'after', which gives everything that is there.`,
    { key: 'Error.PositionExpired' },
  );
}
