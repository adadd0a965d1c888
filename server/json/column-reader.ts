// The general way through columns: `{"t":[…],"v":[…],"q":…}` of any values, in any format. First the entries of the columns
// are found, then the points are put together one by one, by the same rules as those of TVQ objects.

import type { BatchBuilder } from './batch-builder.ts';
import type { BodySource } from './body-source.ts';
import { Column } from './column.ts';
import { kindName, type PointAssembler, qualityFault } from './point-assembler.ts';
import { Token, TokenKind } from './token.ts';

type Key = 't' | 'v' | 'q';

const NOWHERE = -1;
/** Of points, while the times are not known to be a column. */
const UNKNOWN = -1;

export class ColumnReader {
  private readonly source: BodySource;
  private readonly builder: BatchBuilder;
  private readonly assembler: PointAssembler;
  private readonly times = new Column();
  private readonly values = new Column();
  private readonly qualities = new Column();
  private readonly token = new Token();
  /** Where the last member of each name has its value. */
  private readonly places: Record<Key, number> = { t: NOWHERE, v: NOWHERE, q: NOWHERE };
  private readonly unknownKeys = new Set<string>();
  private pointCount = UNKNOWN;
  private hasFault = false;

  constructor(source: BodySource, builder: BatchBuilder, assembler: PointAssembler) {
    this.source = source;
    this.builder = builder;
    this.assembler = assembler;
  }

  /** Adds the points of the object that is next; its faults go to the builder. */
  read(): void {
    const { source, builder, times, values, qualities } = this;
    builder.beginColumns();
    this.findMembers();
    const end = source.position;
    this.hasFault = false;
    this.pointCount = UNKNOWN;
    for (const key of this.unknownKeys) this.fault(key, 'unknown key; columns are t, v and q');
    if (this.findColumn('t', times)) this.pointCount = times.count;
    this.findColumn('v', values);
    const hasQualities = this.findColumn('q', qualities);
    if (this.hasFault) builder.rejectRun(Math.max(1, times.count, values.count));
    else for (let i = 0; i < times.count; i++) this.point(i, hasQualities);
    source.goTo(end);
  }

  /** Whether the object that is next has times and values in arrays; it stays next. */
  areNext(): boolean {
    const { source, places, times } = this;
    const start = source.position;
    this.findMembers();
    const areNext = [places.t, places.v].every((place) => {
      if (place === NOWHERE) return false;
      source.goTo(place);
      return source.column(times);
    });
    source.goTo(start);
    return areNext;
  }

  /** Steps over the object that is next; how many points would have been lost with it. */
  countPoints(): number {
    const { source, places, times } = this;
    const isEmpty = source.isEmpty();
    this.findMembers();
    const end = source.position;
    times.clear();
    if (places.t !== NOWHERE) source.goTo(places.t);
    if (places.t !== NOWHERE) source.column(times);
    source.goTo(end);
    return isEmpty ? 0 : Math.max(1, times.count);
  }

  private findMembers(): void {
    const { source, token, places, unknownKeys } = this;
    places.t = NOWHERE;
    places.v = NOWHERE;
    places.q = NOWHERE;
    unknownKeys.clear();
    if (!source.enter()) return;
    do {
      source.key(token);
      const key = source.text(token);
      if (key === 't' || key === 'v' || key === 'q') places[key] = source.position;
      else unknownKeys.add(key);
      source.value(token);
    } while (source.more(TokenKind.Object));
  }

  /** True when the member is a column, and as long as the times are. */
  private findColumn(key: Key, column: Column): boolean {
    const { source, places, pointCount } = this;
    column.clear();
    if (places[key] === NOWHERE) {
      if (key !== 'q') this.fault(key, 'missing; want an array, an entry for each point');
      return false;
    }
    source.goTo(places[key]);
    if (!source.column(column)) {
      this.checkOther(key);
      return false;
    }
    if (pointCount === UNKNOWN || column.count === pointCount) return true;
    this.fault(key, `got ${column.count} entries; want ${pointCount}, one for each time`);
    return false;
  }

  /** No column is next: a quality may stand there that holds for all points. */
  private checkOther(key: Key): void {
    const { source, token } = this;
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

  private point(i: number, hasQualities: boolean): void {
    const { source, assembler, places } = this;
    assembler.begin(i, 'entry');
    source.entry(this.times, i, assembler.time);
    source.entry(this.values, i, assembler.value);
    if (hasQualities) {
      source.entry(this.qualities, i, assembler.quality);
    } else if (places.q !== NOWHERE) {
      source.goTo(places.q);
      source.value(assembler.quality);
    }
    assembler.end();
  }
}
