// The general path for columns: `{"t":[…],"v":[…],"q":…}` of any values, in any format. First it finds the columns, by
// skipping them, then it assembles the points one by one, by the same rules as TVQ objects. Both in pieces, because columns
// may be long.

import { ProblemError, shortened } from '../../problem.ts';
import { Column } from '../scalars/column.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import type { BatchBuilder } from './batch-builder.ts';
import type { BodySource } from './body-source.ts';
import { type FastRequest, FastStep, type PointEntries } from './fast-path.ts';
import { PIECE_BYTES, type Pieces } from './pieces.ts';
import { kindName, type PointAssembler, qualityFault, SHOWN_KEY_CHARS } from './point-assembler.ts';

type Key = 't' | 'v' | 'q';

const NOWHERE = -1;
/** The point count while the times are not known to be a column. */
const UNKNOWN = -1;
/** Only an attack has more. */
const MAX_UNKNOWN_KEYS = 1000;
/** Points that the fast path is asked for at a time. */
const POINTS_AT_ONCE = 1024;

export class ColumnReader {
  readonly #source: BodySource;
  readonly #builder: BatchBuilder;
  readonly #assembler: PointAssembler;
  readonly #request: FastRequest;
  readonly #columns: Record<Key, Column> = { t: new Column(), v: new Column(), q: new Column() };
  readonly #token = new Token();
  readonly #quality = new Token();
  /** The offset of the value of the last member of each name, and whether that is a column. */
  readonly #valueOffsets: Record<Key, number> = { t: NOWHERE, v: NOWHERE, q: NOWHERE };
  readonly #areColumns: Record<Key, boolean> = { t: false, v: false, q: false };
  readonly #unknownKeys = new Set<string>();
  #isEmpty = false;
  /** Offset after the object. */
  #end = 0;
  #pointCount = UNKNOWN;
  #index = 0;
  #hasFault = false;

  constructor(source: BodySource, assembler: PointAssembler, request: FastRequest) {
    this.#source = source;
    this.#builder = request.builder;
    this.#assembler = assembler;
    this.#request = request;
  }

  /** Finds the columns of the object that is next, and steps over it. */
  *find(): Pieces {
    const source = this.#source;
    for (const key of ['t', 'v', 'q'] as const) {
      this.#valueOffsets[key] = NOWHERE;
      this.#areColumns[key] = false;
      this.#columns[key].clear();
    }
    this.#unknownKeys.clear();
    this.#isEmpty = !source.enter();
    if (!this.#isEmpty) {
      do {
        const column = this.#member();
        if (column !== undefined) yield* this.#stepOver(column);
        if (source.position >= this.#request.stopAt) yield;
      } while (source.more(TokenKind.Object));
    }
    this.#end = source.position;
  }

  /** Whether the object, once found, has times and values in arrays. */
  get areFound(): boolean {
    return this.#areColumns.t && this.#areColumns.v;
  }

  /** How many points are lost with the object, once found. */
  get lostCount(): number {
    return this.#isEmpty ? 0 : Math.max(1, this.#columns.t.count);
  }

  /** Adds the points of the object that was found; its faults go to the builder. The position is after the object then. */
  *addPoints(): Pieces {
    const entries = this.#prepare();
    let stopAt = this.#readBytes + PIECE_BYTES;
    while (!this.#hasFault && this.#index < this.#columns.t.count) {
      if (this.#readBytes >= stopAt) {
        yield;
        stopAt = this.#readBytes + PIECE_BYTES;
      }
      this.#addSome(entries, stopAt);
    }
    this.#source.goTo(this.#end);
  }

  /** Sum of the offsets up to which the columns were read; only for differences. */
  get #readBytes(): number {
    const { t, v, q } = this.#columns;
    return t.next + v.next + q.next;
  }

  /** Reads a member; returns the column that it begins, whose entries are to be counted. */
  #member(): Column | undefined {
    const source = this.#source;
    const token = this.#token;
    source.key(token);
    const text = source.text(token);
    const key = this.#assembler.nameOf(text);
    if (key !== 't' && key !== 'v' && key !== 'q') {
      this.#unknownKeys.add(shortened(text, SHOWN_KEY_CHARS));
      if (this.#unknownKeys.size > MAX_UNKNOWN_KEYS) refuseKeys();
      source.value(token);
      return undefined;
    }
    source.kind();
    this.#valueOffsets[key] = source.position;
    const column = this.#columns[key];
    const outcome = source.openColumn(column);
    this.#areColumns[key] = outcome !== 'none';
    if (outcome === 'none') source.value(token);
    return outcome === 'begun' ? column : undefined;
  }

  *#stepOver(column: Column): Pieces {
    while (!this.#source.skipOn(this.#request.stopAt)) yield;
    column.count = this.#source.skippedEntries;
  }

  /** Reports the faults of the columns as such. */
  #prepare(): PointEntries {
    const builder = this.#builder;
    const columns = this.#columns;
    const { t, v, q } = columns;
    builder.beginColumns();
    this.#hasFault = false;
    this.#pointCount = UNKNOWN;
    this.#index = 0;
    for (const key of this.#unknownKeys) this.#fault(key, 'unknown key; columns are t, v and q');
    if (this.#checkColumn('t')) this.#pointCount = t.count;
    this.#checkColumn('v');
    const hasQualities = this.#checkColumn('q');
    if (this.#hasFault) builder.rejectRun(Math.max(1, t.count, v.count));
    for (const column of [t, v, q]) column.next = column.start;
    return { times: t, values: v, qualities: hasQualities ? q : undefined, quality: this.#quality };
  }

  /** True when the member is a column, and as long as the times are. */
  #checkColumn(key: Key): boolean {
    const valueOffsets = this.#valueOffsets;
    const pointCount = this.#pointCount;
    const { count } = this.#columns[key];
    if (key === 'q') this.#quality.kind = TokenKind.Absent;
    if (valueOffsets[key] === NOWHERE) {
      if (key !== 'q') this.#fault(key, 'missing; want an array, an entry for each point');
      return false;
    }
    if (!this.#areColumns[key]) {
      this.#checkOther(key);
      return false;
    }
    if (pointCount === UNKNOWN || count === pointCount) return true;
    this.#fault(key, `got ${count} entries; want ${pointCount}, one for each time`);
    return false;
  }

  /** The member is no column: one quality for all points is allowed instead. */
  #checkOther(key: Key): void {
    const source = this.#source;
    const token = key === 'q' ? this.#quality : this.#token;
    source.goTo(this.#valueOffsets[key]);
    source.value(token);
    if (key === 'q') {
      const fault = qualityFault(token);
      if (fault !== undefined) this.#fault(key, `${fault}, or an array of them`);
    } else {
      this.#fault(key, `got ${kindName(token.kind)}; want an array, an entry for each point`);
    }
  }

  #fault(key: string, message: string): void {
    this.#hasFault = true;
    this.#builder.columnFault(key, message);
  }

  #addSome(entries: PointEntries, stopAt: number): void {
    const count = Math.min(POINTS_AT_ONCE, this.#columns.t.count - this.#index);
    if (this.#tryFast(entries, count)) {
      this.#index += count;
      return;
    }
    for (let i = 0; i < count && this.#readBytes < stopAt; i++) this.#point(entries, this.#index++);
  }

  #tryFast(entries: PointEntries, count: number): boolean {
    const request = this.#request;
    request.columns = entries;
    request.entryCount = count;
    return this.#source.tryFast?.(FastStep.Entries, request) === count;
  }

  #point({ times, values, qualities }: PointEntries, i: number): void {
    const source = this.#source;
    const assembler = this.#assembler;
    assembler.begin(i);
    source.entry(times, assembler.time);
    source.entry(values, assembler.value);
    if (qualities !== undefined) {
      source.entry(qualities, assembler.quality);
    } else {
      assembler.quality.kind = this.#quality.kind;
      assembler.quality.number = this.#quality.number;
    }
    assembler.end();
  }
}

function refuseKeys(): never {
  throw new ProblemError(
    400,
    `The body has columns with more than ${MAX_UNKNOWN_KEYS} keys that are none of t, v and q.`,
  );
}
