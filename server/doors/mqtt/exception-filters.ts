// The exception rules of topics, kept for each tag by the filter that the collector of OPC UA has: a point that says no more than the
// line between stored points is held back. What comes late is none of a filter's business, and passes.

import { ExceptionFilter, type ExceptionRules } from '../../../collect/exception-filter.ts';
import { compareTimes, type Instant, type SourcePoint } from '../../../collect/point.ts';
import { parseInstant } from '../../codec/scalars/timestamp.ts';
import type { MappedPoint } from './mapping/mapped-point.ts';

/** Tags whose last points are kept; points of further ones are all stored. */
const MOST_TAGS = 200_000;
const GOOD_QUALITY = 192;

interface HeldPoint<P> extends SourcePoint {
  readonly mapped: P;
}

interface FilteredTag<P> {
  readonly filter: ExceptionFilter<HeldPoint<P>>;
  /** Time of the last point that it was given. */
  last: Instant;
}

export class ExceptionFilters<P extends MappedPoint> {
  readonly #tags = new Map<string, FilteredTag<P>>();
  #filteredCount = 0;

  /** Points that are not stored, without those that are held back. */
  get filteredCount(): number {
    return this.#filteredCount;
  }

  /** Gives what is to be stored now. */
  take(mapped: P, rules: ExceptionRules): readonly P[] {
    const point = toSourcePoint(mapped);
    if (point === undefined) return [mapped];
    const key = `${mapped.dataset}\n${mapped.tag}`;
    const known = this.#tags.get(key);
    if (known === undefined && this.#tags.size >= MOST_TAGS) return [mapped];
    const tag = known ?? { filter: new ExceptionFilter<HeldPoint<P>>(rules), last: point };
    this.#tags.set(key, tag);
    if (compareTimes(point, tag.last) < 0) return mapped.serverMs === undefined ? [mapped] : [...release(tag), mapped];
    tag.last = point;
    const before = tag.filter.filteredCount;
    const stored = tag.filter.add(point);
    this.#filteredCount += tag.filter.filteredCount - before;
    return stored.map((one) => one.mapped);
  }

  /** Gives all that is held back. */
  flush(): P[] {
    return [...this.#tags.values()].flatMap(release);
  }
}

function release<P>({ filter }: FilteredTag<P>): P[] {
  return filter.flush().map((one) => one.mapped);
}

/** Undefined for a time that cannot be read: the writer says so. */
function toSourcePoint<P extends MappedPoint>(mapped: P): HeldPoint<P> | undefined {
  const { text, serverMs } = mapped;
  const { t, v, q = GOOD_QUALITY } = JSON.parse(text) as { t?: string; v: unknown; q?: number };
  const time = t === undefined ? { ms: serverMs ?? 0, ticks: 0 } : parseInstant(t);
  if (time === undefined) return undefined;
  const number = typeof v === 'number' && Number.isFinite(v) ? v : undefined;
  return { timeMs: time.ms, ticks: time.ticks, json: '', number, quality: q, mapped };
}
