// An edge's reads of times that purge has taken there, from its centre. Raw reads have the points before from the centre and
// those behind it from the edge; what is computed of the whole range is computed at the centre, whose copy is seconds old.

import {
  type Instant,
  justBehind,
  type OlderPoints,
  type OlderReads,
  type PointChunk,
  type ReadGap,
  type ReadMarker,
  type ReadRequest,
  type ReadResult,
  type StatisticsRequest,
  type StatisticsResult,
  type TagCursor,
  type TagDefinition,
} from '../engine/index.ts';
import type { CentreEngine } from './centre-engine.ts';

export class CentreOlderReads implements OlderReads {
  readonly #centre: CentreEngine;
  readonly #nameOf: (dataset: string) => string;

  /** @param nameOf the name that a dataset of the edge has at the centre */
  constructor(centre: CentreEngine, nameOf: (dataset: string) => string) {
    this.#centre = centre;
    this.#nameOf = nameOf;
  }

  read(dataset: string, request: ReadRequest, until: Instant, local: () => ReadResult): ReadResult | undefined {
    const name = this.#nameOf(dataset);
    const { range } = request;
    if (!this.#centre.isFresh) return new LocalRead(local(), until, range.kind === 'range' ? range.start : undefined);
    if (!this.#centre.hasDataset(name)) return undefined;
    const isRaw = request.aggregates === undefined && request.intervals === undefined;
    const isWhole = range.kind !== 'range' || !isRaw || request.limit !== undefined || request.after.length > 0;
    if (!isWhole && range.end.ms > until.ms)
      return new JoinedRead({ centre: this.#centre, name, request, until, local });
    const older: OlderPoints = { from: 'centre', until };
    const read = this.#centre.read(name, request);
    // Its cursors and its settling need it as their own.
    return Object.defineProperty(read, 'older', { value: older });
  }

  statistics(dataset: string, request: StatisticsRequest): StatisticsResult | undefined {
    const name = this.#nameOf(dataset);
    const isThere = this.#centre.isFresh && this.#centre.hasDataset(name);
    return isThere ? this.#centre.statistics(name, request) : undefined;
  }

  close(): Promise<void> {
    return this.#centre.close();
  }
}

/** What is here, and that something is missing. */
class LocalRead implements ReadResult {
  readonly older: OlderPoints;
  readonly #local: ReadResult;
  readonly #start: Instant | undefined;

  constructor(local: ReadResult, until: Instant, start: Instant | undefined) {
    this.#local = local;
    this.#start = start;
    this.older = { from: 'missing', until };
  }

  get tagCount(): number {
    return this.#local.tagCount;
  }

  get bounds(): ReadResult['bounds'] {
    return this.#local.bounds;
  }

  settle(): Promise<void> | undefined {
    return this.#local.settle?.();
  }

  open(index: number): TagCursor {
    const cursor = this.#local.open(index);
    if (this.#start === undefined) return cursor;
    return new GapCursor(cursor, { start: this.#start, end: this.older.until, points: 0 });
  }
}

/** A cursor with one gap more. */
class GapCursor implements TagCursor {
  readonly #cursor: TagCursor;
  readonly #gap: ReadGap;

  constructor(cursor: TagCursor, gap: ReadGap) {
    this.#cursor = cursor;
    this.#gap = gap;
  }

  get tag(): TagDefinition {
    return this.#cursor.tag;
  }

  get gaps(): readonly ReadGap[] {
    return [this.#gap, ...this.#cursor.gaps];
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor.marker;
  }

  get reducedFrom(): number | undefined {
    return this.#cursor.reducedFrom;
  }

  get label(): TagCursor['label'] {
    return this.#cursor.label;
  }

  get summary(): TagCursor['summary'] {
    return this.#cursor.summary;
  }

  next(): PointChunk | undefined | Promise<PointChunk | undefined> {
    return this.#cursor.next();
  }

  close(): void {
    this.#cursor.close();
  }
}

interface JoinedParts {
  readonly centre: CentreEngine;
  readonly name: string;
  readonly request: ReadRequest;
  readonly until: Instant;
  readonly local: () => ReadResult;
}

/** Points up to a time from the centre, and those behind it from here. */
class JoinedRead implements ReadResult {
  readonly bounds = undefined;
  readonly older: OlderPoints;
  readonly #parts: JoinedParts;
  readonly #local: ReadResult;

  constructor(parts: JoinedParts) {
    this.#parts = parts;
    this.#local = parts.local();
    this.older = { from: 'centre', until: parts.until };
  }

  get tagCount(): number {
    return this.#local.tagCount;
  }

  settle(): Promise<void> | undefined {
    return this.#local.settle?.();
  }

  open(index: number): TagCursor {
    const { centre, name, request, until } = this.#parts;
    const cursor = this.#local.open(index);
    const { range } = request;
    if (range.kind !== 'range') return cursor;
    const tags = [cursor.tag.name];
    const before = { ...request, tags, skipMissing: true, range: { ...range, end: until } };
    const older = {
      open: () => {
        const read = centre.read(name, before);
        return read.tagCount === 0 ? undefined : read.open(0);
      },
    };
    return new CursorChain([older, { open: () => new LaterCursor(cursor, justBehind(until)) }], cursor.tag);
  }
}

interface CursorPart {
  /** Undefined when it has nothing. */
  readonly open: () => TagCursor | undefined;
}

/** Cursors one after another. */
class CursorChain implements TagCursor {
  readonly tag: TagDefinition;
  readonly #parts: CursorPart[];
  readonly #gaps: ReadGap[] = [];
  #cursor: TagCursor | undefined;

  constructor(parts: readonly CursorPart[], tag: TagDefinition) {
    this.#parts = [...parts];
    this.tag = tag;
  }

  get gaps(): readonly ReadGap[] {
    return [...this.#gaps, ...(this.#cursor?.gaps ?? [])];
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor?.marker;
  }

  async next(): Promise<PointChunk | undefined> {
    for (;;) {
      this.#cursor ??= this.#parts.shift()?.open();
      const chunk = await this.#cursor?.next();
      if (chunk !== undefined || this.#parts.length === 0) return chunk;
      if (this.#cursor) this.#gaps.push(...this.#cursor.gaps);
      this.#cursor?.close();
      this.#cursor = undefined;
    }
  }

  close(): void {
    this.#cursor?.close();
    for (const part of this.#parts.splice(0)) part.open()?.close();
  }
}

/** The points of a cursor from a time on. */
class LaterCursor implements TagCursor {
  readonly #cursor: TagCursor;
  readonly #start: Instant;

  constructor(cursor: TagCursor, start: Instant) {
    this.#cursor = cursor;
    this.#start = start;
  }

  get tag(): TagDefinition {
    return this.#cursor.tag;
  }

  get gaps(): readonly ReadGap[] {
    return this.#cursor.gaps;
  }

  get marker(): ReadMarker | undefined {
    return this.#cursor.marker;
  }

  async next(): Promise<PointChunk | undefined> {
    for (let chunk = await this.#cursor.next(); chunk !== undefined; chunk = await this.#cursor.next()) {
      const { points, end } = chunk;
      let { start } = chunk;
      while (start < end && this.#isBefore(points.timesMs[start] as number, points.ticks[start] as number)) start++;
      if (start < end) return { ...chunk, start };
    }
    return undefined;
  }

  close(): void {
    this.#cursor.close();
  }

  #isBefore(ms: number, ticks: number): boolean {
    return (ms - this.#start.ms || ticks - this.#start.ticks) < 0;
  }
}
