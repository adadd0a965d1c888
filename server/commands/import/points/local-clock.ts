// Local times of a file to instants. An hour that clocks show twice, when they are put back, is told apart by the order of the
// rows: consecutive rows in such an hour are a stretch, and what they come from and go to says whether times rise or fall.

import { instantOfLocal, type TimeZone } from '../../../routes/request/time-zone.ts';

/**
 * What the order of the rows tells of a stretch. `asc` and `desc`: its times rise or fall, but for one step, before which the
 * hour is the first or the second one; `repeat`: that step is to an equal time. `asc untold` and `desc untold`: no row
 * tells which hour it is. `mixed`: the rows are in no order.
 */
export type StretchVerdict = 'asc' | 'asc repeat' | 'asc untold' | 'desc' | 'desc repeat' | 'desc untold' | 'mixed';

export interface ClockOptions {
  readonly isNewestFirst: boolean;
  /** What a pass before found; undefined in the first one. */
  readonly verdicts: readonly StretchVerdict[] | undefined;
  /** Which hour a stretch is of that rows do not tell. */
  readonly twice: 'first' | 'second' | undefined;
  readonly isOnePass: boolean;
}

interface Stretch {
  readonly verdict: StretchVerdict | undefined;
  readonly firstLine: number;
  rowCount: number;
  /** Steps within it. */
  falls: number;
  rises: number;
  repeats: number;
  /** True where the step into it, or out of it, is none of times that rise, or fall. */
  canRise: boolean;
  canFall: boolean;
  /** True behind the step at which the one hour ends and the other begins. */
  isTurned: boolean;
  /** Tags that have had a row of the last time. */
  readonly tagsNow: Set<string>;
}

export interface UntoldRows {
  count: number;
  readonly firstLine: number;
  readonly taken: 'first' | 'second';
}

const QUARTER_MS = 900_000;
/** Longer than any two hours that are one after the other on a clock that is put back. */
const APART_MS = 4 * 3_600_000;
/** More are in no order that could be kept. */
const MOST_STRETCHES = 1_000_000;

export class LocalClock {
  /** Rows that were taken for one of both hours without a row that tells it. */
  untold: UntoldRows | undefined;
  readonly #zone: TimeZone;
  readonly #options: ClockOptions;
  readonly #verdicts: StretchVerdict[] = [];
  #quarter = Number.NaN;
  #firstMs = 0;
  #secondMs = 0;
  #isSkipped = false;
  #lastLocalMs: number | undefined;
  #stretch: Stretch | undefined;

  constructor(zone: TimeZone, options: ClockOptions) {
    this.#zone = zone;
    this.#options = options;
  }

  /** `skipped` for a time that the clocks never show, `mixed` for one that they show twice in rows without an order. */
  instantOf(localMs: number, tag: string, line: number): number | 'skipped' | 'mixed' {
    const quarter = Math.floor(localMs / QUARTER_MS);
    if (quarter !== this.#quarter) this.#turnTo(quarter);
    if (this.#isSkipped) return 'skipped';
    const isTwice = this.#firstMs !== this.#secondMs;
    if (this.#stretch !== undefined) this.#leaveUnlessNear(localMs, isTwice);
    const occurrence = isTwice ? this.#occurrenceOf(localMs, tag, line) : 'first';
    this.#lastLocalMs = localMs;
    if (occurrence === 'mixed') return occurrence;
    return localMs - (occurrence === 'first' ? this.#firstMs : this.#secondMs);
  }

  /** After the last row: what the order told, and whether this pass went by it. */
  end(): { readonly verdicts: readonly StretchVerdict[]; readonly isFinal: boolean } {
    this.#leave(undefined);
    const told = this.#verdicts;
    const isMixed = told.includes('mixed') || told.length > MOST_STRETCHES;
    // An order that some rows do not have says nothing about others that would fit it.
    const verdicts = isMixed ? told.map((one) => (one.endsWith('untold') ? 'mixed' : one)) : told;
    const { verdicts: known, twice } = this.#options;
    const isExpected = (one: StretchVerdict): boolean =>
      one === this.#expected || (one === `${this.#expected} untold` && (twice === undefined || twice === this.#early));
    return { verdicts, isFinal: known !== undefined || verdicts.every(isExpected) };
  }

  get #expected(): 'asc' | 'desc' {
    return this.#options.isNewestFirst ? 'desc' : 'asc';
  }

  /** Which hour comes first in the file. */
  get #early(): 'first' | 'second' {
    return this.#options.isNewestFirst ? 'second' : 'first';
  }

  #occurrenceOf(localMs: number, tag: string, line: number): 'first' | 'second' | 'mixed' {
    const stretch = this.#stretch ?? this.#enter(localMs, line);
    const last = stretch.rowCount === 0 ? localMs : (this.#lastLocalMs as number);
    stretch.rowCount++;
    const isRepeat = localMs === last && stretch.tagsNow.has(tag);
    if (localMs !== last || isRepeat) stretch.tagsNow.clear();
    stretch.tagsNow.add(tag);
    if (localMs < last) stretch.falls++;
    if (localMs > last) stretch.rises++;
    if (isRepeat) stretch.repeats++;
    const verdict = stretch.verdict ?? this.#expected;
    const { twice, isOnePass } = this.#options;
    if (verdict === 'mixed' || (isOnePass && (stretch.falls > 1 || isRepeat))) return twice ?? 'mixed';
    if (verdict.endsWith('untold')) return this.#takeUntold(stretch, verdict);
    const isFalling = verdict.startsWith('desc');
    if (verdict.endsWith('repeat')) stretch.isTurned ||= isRepeat;
    else stretch.isTurned ||= isFalling ? localMs > last : localMs < last;
    return isFalling === stretch.isTurned ? 'first' : 'second';
  }

  #takeUntold(stretch: Stretch, verdict: StretchVerdict): 'first' | 'second' {
    const { twice } = this.#options;
    const taken = twice ?? (verdict.startsWith('asc') ? 'first' : 'second');
    if (twice === undefined) this.#noteUntold(1, stretch.firstLine, taken);
    return taken;
  }

  #noteUntold(count: number, firstLine: number, taken: 'first' | 'second'): void {
    this.untold ??= { count: 0, firstLine, taken };
    this.untold.count += count;
  }

  #enter(localMs: number, line: number): Stretch {
    const last = this.#lastLocalMs;
    const { verdicts } = this.#options;
    this.#stretch = {
      verdict: verdicts === undefined ? undefined : (verdicts[this.#verdicts.length] ?? 'mixed'),
      firstLine: line,
      rowCount: 0,
      falls: 0,
      rises: 0,
      repeats: 0,
      canRise: last === undefined || last < localMs,
      canFall: last === undefined || last > localMs,
      isTurned: false,
      tagsNow: new Set(),
    };
    return this.#stretch;
  }

  #leaveUnlessNear(localMs: number, isTwice: boolean): void {
    if (!isTwice || Math.abs(localMs - (this.#lastLocalMs as number)) > APART_MS) this.#leave(localMs);
  }

  #leave(nextMs: number | undefined): void {
    const stretch = this.#stretch;
    if (stretch === undefined) return;
    this.#stretch = undefined;
    const last = this.#lastLocalMs as number;
    stretch.canRise &&= nextMs === undefined || nextMs > last;
    stretch.canFall &&= nextMs === undefined || nextMs < last;
    const verdict = this.#judge(stretch);
    if (this.#verdicts.length <= MOST_STRETCHES) this.#verdicts.push(verdict);
    const isUntoldNow = stretch.verdict === undefined && verdict === `${this.#expected} untold`;
    if (isUntoldNow && this.#options.twice === undefined)
      this.#noteUntold(stretch.rowCount, stretch.firstLine, this.#early);
  }

  #judge(stretch: Stretch): StretchVerdict {
    const rising = stretch.canRise ? judgeOrder('asc', stretch.falls, stretch.repeats) : 'mixed';
    const falling = stretch.canFall ? judgeOrder('desc', stretch.rises, stretch.repeats) : 'mixed';
    const [likely, other] = this.#options.isNewestFirst ? [falling, rising] : [rising, falling];
    return likely === 'mixed' ? other : likely;
  }

  /** The differences to UTC are those of the whole quarter of an hour. */
  #turnTo(quarter: number): void {
    const localMs = quarter * QUARTER_MS;
    const first = instantOfLocal(this.#zone, localMs, 'first');
    this.#quarter = quarter;
    this.#firstMs = localMs - first;
    this.#secondMs = localMs - instantOfLocal(this.#zone, localMs, 'second');
    this.#isSkipped = first + this.#zone.offsetMs(first) !== localMs;
  }
}

/** `steps`: those against the order. */
function judgeOrder(order: 'asc' | 'desc', steps: number, repeats: number): StretchVerdict {
  if (steps > 1) return 'mixed';
  if (steps === 1) return order;
  if (repeats > 1) return 'mixed';
  return repeats === 1 ? `${order} repeat` : `${order} untold`;
}
