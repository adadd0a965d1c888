// An edge's reads of times that purge has taken there, from its centre. Raw reads have the points before from the centre and
// those behind it from the edge; what is computed of the whole range is computed at the centre, whose copy is seconds old.

import {
  compareInstants,
  derivedCursor,
  type Instant,
  justBehind,
  type OlderPoints,
  type OlderReads,
  type PointChunk,
  type PointColumns,
  type ReadGap,
  type ReadOutcome,
  type ReadRequest,
  type ReadResult,
  type StatisticsRequest,
  type StatisticsResult,
  type TagCursor,
  WHOLE_OUTCOME,
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
    return withGap(cursor, { start: this.#start, end: this.older.until, points: 0 });
  }
}

function withGap(cursor: TagCursor, gap: ReadGap): TagCursor {
  const outcome = (): ReadOutcome => {
    const own = cursor.outcome();
    return { ...own, gaps: [gap, ...own.gaps] };
  };
  return derivedCursor(cursor, { outcome });
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
    const openOlder = (): TagCursor | undefined => {
      const read = centre.read(name, before);
      return read.tagCount === 0 ? undefined : read.open(0);
    };
    return chained(openOlder, laterPoints(cursor, justBehind(until)));
  }
}

/** The points of one cursor, which may have nothing, and then those of another. */
function chained(openFirst: () => TagCursor | undefined, second: TagCursor): TagCursor {
  let first: TagCursor | undefined;
  let isOpen = false;
  const next = async (): Promise<PointChunk | undefined> => {
    if (!isOpen) first = openFirst();
    isOpen = true;
    return (await first?.next()) ?? second.next();
  };
  const outcome = (): ReadOutcome => {
    const [before, behind] = [first?.outcome() ?? WHOLE_OUTCOME, second.outcome()];
    return { ...behind, gaps: [...before.gaps, ...behind.gaps] };
  };
  const close = (): void => {
    first?.close();
    second.close();
  };
  return derivedCursor(second, { next, outcome, close });
}

/** The points of a cursor from a time on. */
function laterPoints(cursor: TagCursor, from: Instant): TagCursor {
  const next = async (): Promise<PointChunk | undefined> => {
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
      const { points, end } = chunk;
      let { start } = chunk;
      while (start < end && compareInstants(instantAt(points, start), from) < 0) start++;
      if (start < end) return { ...chunk, start };
    }
    return undefined;
  };
  return derivedCursor(cursor, { next });
}

function instantAt({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
