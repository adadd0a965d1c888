// The general way through columns: `{"t":[…],"v":[…],"q":…}` of any values, in any format. First the columns are found, by
// stepping over them, then the points are put together one by one, by the same rules as those of TVQ objects. Both in
// steps, because columns may be long.

import { ProblemError } from '../../problem.ts';
import { Column } from '../scalars/column.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import type { BatchBuilder } from './batch-builder.ts';
import type { BodySource, PointEntries } from './body-source.ts';
import { kindName, type PointAssembler, qualityFault } from './point-assembler.ts';

type Key = 't' | 'v' | 'q';

const NOWHERE = -1;
/** Of points, while the times are not known to be a column. */
const UNKNOWN = -1;
/** Only an attack has more. */
const MAX_UNKNOWN_KEYS = 1000;
/** Points that a short cut is tried for at a time. */
const POINTS_AT_ONCE = 1024;

export class ColumnReader {
  private readonly source: BodySource;
  private readonly builder: BatchBuilder;
  private readonly assembler: PointAssembler;
  private readonly columns: Record<Key, Column> = { t: new Column(), v: new Column(), q: new Column() };
  private readonly token = new Token();
  private readonly quality = new Token();
  /** Where the last member of each name has its value, and whether that is a column. */
  private readonly places: Record<Key, number> = { t: NOWHERE, v: NOWHERE, q: NOWHERE };
  private readonly areColumns: Record<Key, boolean> = { t: false, v: false, q: false };
  private readonly unknownKeys = new Set<string>();
  /** The column that is being stepped over. */
  private skipped: Key | undefined;
  private isEmpty = false;
  /** Behind the object. */
  private end = 0;
  private entries: PointEntries | undefined;
  private pointCount = UNKNOWN;
  private index = 0;
  private hasFault = false;

  constructor(source: BodySource, builder: BatchBuilder, assembler: PointAssembler) {
    this.source = source;
    this.builder = builder;
    this.assembler = assembler;
  }

  /** Begins with the object that is next; `find` goes on. */
  begin(): void {
    for (const key of ['t', 'v', 'q'] as const) {
      this.places[key] = NOWHERE;
      this.areColumns[key] = false;
      this.columns[key].clear();
    }
    this.unknownKeys.clear();
    this.skipped = undefined;
    this.entries = undefined;
    this.isEmpty = !this.source.enter();
    this.end = this.source.position;
  }

  /** Finds the columns, up to the end of the object or to `stopAt`; true when it is behind us. */
  find(stopAt: number): boolean {
    const { source } = this;
    if (this.isEmpty) return true;
    do {
      if (this.skipped === undefined) this.member();
      if (this.skipped !== undefined && !this.stepOver(this.skipped, stopAt)) return false;
      if (!source.more(TokenKind.Object)) {
        this.end = source.position;
        return true;
      }
    } while (source.position < stopAt);
    return false;
  }

  /** Of an object that was found: whether it has times and values in arrays. */
  get areFound(): boolean {
    return this.areColumns.t && this.areColumns.v;
  }

  /** Of an object that was found: how many points are lost with it. */
  get lostCount(): number {
    return this.isEmpty ? 0 : Math.max(1, this.columns.t.count);
  }

  /**
   * Adds points of the object that was found, those of about `stepBytes`; its faults go to the builder. True when all of
   * them are there, and we are behind the object.
   */
  addPoints(stepBytes: number): boolean {
    this.entries ??= this.prepare();
    const start = this.readBytes;
    while (!this.hasFault && this.index < this.columns.t.count) {
      if (this.readBytes - start >= stepBytes) return false;
      this.addSome(this.entries, stepBytes);
    }
    this.source.goTo(this.end);
    return true;
  }

  /** How far the columns were read, all together. */
  private get readBytes(): number {
    const { t, v, q } = this.columns;
    return t.next + v.next + q.next;
  }

  private member(): void {
    const { source, token } = this;
    source.key(token);
    const key = source.text(token);
    if (key !== 't' && key !== 'v' && key !== 'q') {
      this.unknownKeys.add(key);
      if (this.unknownKeys.size > MAX_UNKNOWN_KEYS) refuseKeys();
      return source.value(token);
    }
    source.kind();
    this.places[key] = source.position;
    const outcome = source.openColumn(this.columns[key]);
    this.areColumns[key] = outcome !== 'none';
    if (outcome === 'none') source.value(token);
    if (outcome === 'begun') this.skipped = key;
  }

  private stepOver(key: Key, stopAt: number): boolean {
    if (!this.source.skipOn(stopAt)) return false;
    this.columns[key].count = this.source.skippedEntries;
    this.skipped = undefined;
    return true;
  }

  /** Tells what is wrong with the columns as such. */
  private prepare(): PointEntries {
    const { builder, columns } = this;
    const { t, v, q } = columns;
    builder.beginColumns();
    this.hasFault = false;
    this.pointCount = UNKNOWN;
    this.index = 0;
    for (const key of this.unknownKeys) this.fault(key, 'unknown key; columns are t, v and q');
    if (this.checkColumn('t')) this.pointCount = t.count;
    this.checkColumn('v');
    const hasQualities = this.checkColumn('q');
    if (this.hasFault) builder.rejectRun(Math.max(1, t.count, v.count));
    for (const column of [t, v, q]) column.next = column.start;
    return { times: t, values: v, qualities: hasQualities ? q : undefined, quality: this.quality };
  }

  /** True when the member is a column, and as long as the times are. */
  private checkColumn(key: Key): boolean {
    const { places, pointCount } = this;
    const { count } = this.columns[key];
    if (key === 'q') this.quality.kind = TokenKind.Absent;
    if (places[key] === NOWHERE) {
      if (key !== 'q') this.fault(key, 'missing; want an array, an entry for each point');
      return false;
    }
    if (!this.areColumns[key]) {
      this.checkOther(key);
      return false;
    }
    if (pointCount === UNKNOWN || count === pointCount) return true;
    this.fault(key, `got ${count} entries; want ${pointCount}, one for each time`);
    return false;
  }

  /** No column is there: a quality may stand in its place that holds for all points. */
  private checkOther(key: Key): void {
    const { source } = this;
    const token = key === 'q' ? this.quality : this.token;
    source.goTo(this.places[key]);
    source.value(token);
    if (key === 'q') {
      const fault = qualityFault(token);
      if (fault !== undefined) this.fault(key, `${fault}, or an array of them`);
    } else {
      this.fault(key, `got ${kindName(token.kind)}; want an array, an entry for each point`);
    }
  }

  private fault(key: string, message: string): void {
    this.hasFault = true;
    this.builder.columnFault(key, message);
  }

  private addSome(entries: PointEntries, stepBytes: number): void {
    const count = Math.min(POINTS_AT_ONCE, this.columns.t.count - this.index);
    if (this.source.fastEntries(entries, count, this.builder)) {
      this.index += count;
      return;
    }
    const start = this.readBytes;
    for (let i = 0; i < count && this.readBytes - start < stepBytes; i++) this.point(entries, this.index++);
  }

  private point({ times, values, qualities }: PointEntries, i: number): void {
    const { source, assembler, places } = this;
    assembler.begin(i, 'entry');
    source.entry(times, assembler.time);
    source.entry(values, assembler.value);
    if (qualities !== undefined) {
      source.entry(qualities, assembler.quality);
    } else if (places.q !== NOWHERE) {
      source.goTo(places.q);
      source.value(assembler.quality);
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
