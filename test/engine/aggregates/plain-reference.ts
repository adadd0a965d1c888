// The same functions once more, by the text of the standard and without any thought of speed: every interval is looked at by
// itself, and every question asks all points. Shares nothing with the engine.

import type { Result, SeriesPoint } from './series.ts';

interface Rules {
  readonly isStepped: boolean;
  readonly treatUncertainAsBad: boolean;
  readonly percentGood: number;
  readonly percentBad: number;
  readonly extrapolatesSlope: boolean;
}

/** 0 bad, 1 uncertain, 2 good. */
type Status = 0 | 1 | 2;

interface P {
  readonly t: number;
  readonly v: number;
  readonly s: Status;
  readonly q: number;
}

const NONE: Result = { value: null, status: 0, time: undefined };

export class PlainReference {
  private readonly points: readonly P[];
  private readonly rules: Rules;

  constructor(points: readonly SeriesPoint[], rules: Rules) {
    this.rules = rules;
    this.points = points.map(({ time, value, quality }) => {
      const known: Status = quality < 192 ? 1 : 2;
      const s: Status = value === null || quality < 64 ? 0 : known;
      return { t: time, v: value ?? 0, s, q: value === null && quality >= 64 ? 0 : quality };
    });
  }

  compute(name: string, from: number, to: number): Result {
    const result = this.computeRaw(name, from, to);
    if (result.value === null || !Number.isFinite(result.value) || result.status === 0)
      return { ...NONE, time: name === 'Start' || name === 'End' ? result.time : undefined };
    return result;
  }

  private computeRaw(name: string, from: number, to: number): Result {
    const inside = this.points.filter(({ t }) => t >= from && t < to);
    const good = inside.filter(({ s }) => s === 2);
    const unusable = inside.filter((p) => !this.usable(p));
    const byCounts = this.byShares(good.length, unusable.length, inside.length);
    const plainGood: Status = unusable.length === 0 ? 2 : 1;
    const allGood: Status = good.length === inside.length ? 2 : 1;
    const first = this.points[0];
    const last = this.points.at(-1);
    const isOutside = !first || !last || from > last.t || to < first.t;
    const put = (value: number, status: Status, time?: number): Result => ({ value, status, time });
    const values = good.map(({ v }) => v);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
    const min = Math.min(...values);
    const max = Math.max(...values);
    const ofGood = (value: number, status: Status, time?: number): Result =>
      good.length === 0 ? NONE : put(value, status, time);
    switch (name) {
      case 'Average':
        return ofGood(mean, byCounts);
      case 'Minimum':
        return ofGood(min, plainGood);
      case 'Maximum':
        return ofGood(max, plainGood);
      case 'MinimumActualTime':
        return ofGood(min, plainGood, good.find(({ v }) => v === min)?.t);
      case 'MaximumActualTime':
        return ofGood(max, plainGood, good.find(({ v }) => v === max)?.t);
      case 'Range':
        return ofGood(max - min, plainGood);
      case 'Delta':
        return ofGood((good.at(-1)?.v ?? 0) - (good[0]?.v ?? 0), allGood);
      case 'StandardDeviationSample':
        return ofGood(Math.sqrt(squares / Math.max(1, good.length - 1)), allGood);
      case 'VarianceSample':
        return ofGood(squares / Math.max(1, good.length - 1), allGood);
      case 'StandardDeviationPopulation':
        return ofGood(Math.sqrt(squares / good.length), allGood);
      case 'VariancePopulation':
        return ofGood(squares / good.length, allGood);
      case 'Count':
        return isOutside ? NONE : put(good.length, byCounts);
      case 'NumberOfTransitions':
        return isOutside ? NONE : put(this.transitions(inside, from), byCounts);
      case 'Start':
        return inside[0] ? put(inside[0].v, inside[0].s, inside[0].t) : NONE;
      case 'End': {
        const end = inside.at(-1);
        return end ? put(end.v, end.s, end.t) : NONE;
      }
      case 'WorstQuality':
        return inside.length === 0 ? NONE : put(Math.min(...inside.map(({ q }) => q)), 2);
      case 'Interpolative': {
        const value = this.interpolatedAt(from, 'at');
        return value ? put(value.v, value.s) : NONE;
      }
      case 'TimeAverage':
      case 'Total':
        return isOutside ? NONE : this.interpolatedArea(name, from, to);
      default:
        return isOutside ? NONE : this.bySimpleBounds(name, from, to, inside);
    }
  }

  private usable({ s }: { readonly s: Status }): boolean {
    return s === 2 || (s === 1 && !this.rules.treatUncertainAsBad);
  }

  private byShares(good: number, bad: number, total: number): Status {
    if (total === 0 || (good / total) * 100 >= this.rules.percentGood - 1e-9) return 2;
    return (bad / total) * 100 >= this.rules.percentBad - 1e-9 ? 0 : 1;
  }

  private transitions(inside: readonly P[], from: number): number {
    let previous = this.points.filter((p) => p.t < from && this.usable(p)).at(-1)?.v;
    let count = 0;
    for (const p of inside.filter((q) => this.usable(q))) {
      if (p.v !== previous) count++;
      previous = p.v;
    }
    return count;
  }

  /** `before`: as it is when a time is reached, so without what begins at that time. */
  private interpolatedAt(t: number, side: 'at' | 'before'): { v: number; s: Status } | undefined {
    const usable = this.points.filter((p) => this.usable(p));
    const exact = this.points.filter((p) => p.t === t && this.usable(p));
    if (exact.length > 0 && side === 'at') return { v: (exact.at(-1) as P).v, s: (exact.at(-1) as P).s };
    const earlier = usable.filter((p) => p.t < t);
    const a = earlier.at(-1);
    const b = usable.find((p) => p.t > t || (side === 'before' && p.t === t));
    if (!a) return undefined;
    const index = this.points.lastIndexOf(a);
    const next = this.points[index + 1];
    if (this.rules.isStepped) {
      const isReached = next === undefined || next.t < t || (side === 'at' && next.t === t);
      return { v: a.v, s: a.s === 2 && !isReached ? 2 : 1 };
    }
    if (b) {
      const isClean = this.points[index + 1] === b;
      return { v: a.v + ((b.v - a.v) * (t - a.t)) / (b.t - a.t), s: a.s === 2 && b.s === 2 && isClean ? 2 : 1 };
    }
    const older = earlier.at(-2);
    if (this.rules.extrapolatesSlope && older && older.t !== a.t) {
      return { v: a.v + ((a.v - older.v) * (t - a.t)) / (a.t - older.t), s: 1 };
    }
    return { v: a.v, s: 1 };
  }

  private interpolatedArea(name: string, from: number, to: number): Result {
    const cuts = [from, ...this.points.filter((p) => p.t > from && p.t < to).map(({ t }) => t), to];
    let area = 0;
    let covered = 0;
    let isGood = true;
    for (let i = 1; i < cuts.length; i++) {
      const [a, b] = [cuts[i - 1] as number, cuts[i] as number];
      if (a === b) continue;
      const va = this.interpolatedAt(a, 'at');
      const vb = this.interpolatedAt(b, 'before');
      const middle = this.interpolatedAt((a + b) / 2, 'at');
      if (!va || !vb || !middle) {
        isGood = false;
        continue;
      }
      if (middle.s !== 2) isGood = false;
      const end = this.rules.isStepped ? va.v : vb.v;
      area += ((va.v + end) / 2) * (b - a);
      covered += b - a;
    }
    if (covered === 0) return NONE;
    return { value: name === 'Total' ? area / 1000 : area / covered, status: isGood ? 2 : 1, time: undefined };
  }

  private simpleAt(t: number, side: 'first' | 'last'): P {
    const exact = this.points.filter((p) => p.t === t);
    const found = side === 'first' ? exact[0] : exact.at(-1);
    if (found) return found;
    const a = this.points.filter((p) => p.t < t).at(-1);
    const b = this.points.find((p) => p.t > t);
    if (!a || !b || !this.usable(a)) return { t, v: Number.NaN, s: 0, q: 0 };
    if (this.rules.isStepped) return { t, v: a.v, s: a.s, q: a.s === 2 ? 192 : 64 };
    if (!this.usable(b)) return { t, v: a.v, s: 1, q: 64 };
    const s: Status = a.s === 2 && b.s === 2 ? 2 : 1;
    return { t, v: a.v + ((b.v - a.v) * (t - a.t)) / (b.t - a.t), s, q: s === 2 ? 192 : 64 };
  }

  private bySimpleBounds(name: string, from: number, to: number, inside: readonly P[]): Result {
    const { isStepped } = this.rules;
    const start = this.simpleAt(from, 'last');
    const end = this.simpleAt(to, 'first');
    const isEndOfData = !this.points.some(({ t }) => t >= to);
    const list = [...(inside[0]?.t === from ? [] : [start]), ...inside];
    const regions = list.map((p, i) => {
      const next = list[i + 1] ?? end;
      const isLast = i === list.length - 1 && isEndOfData && this.usable(p);
      return { p, next, ms: isLast ? Math.min(1, to - p.t) : (list[i + 1]?.t ?? to) - p.t };
    });
    const sum = (wanted: (r: (typeof regions)[number]) => boolean): number =>
      regions.filter(wanted).reduce((a, { ms }) => a + ms, 0);
    const total = sum(() => true);
    const heldGood = sum(({ p }) => p.s === 2);
    const heldBad = sum(({ p }) => !this.usable(p));
    const held = this.byShares(this.rules.treatUncertainAsBad ? heldGood : total - heldBad, heldBad, total);
    const isClean = ({ p, next }: (typeof regions)[number]): boolean => p.s === 2 && (isStepped || next.s === 2);
    const slopedGood = sum((r) => (this.rules.treatUncertainAsBad ? isClean(r) : this.usable(r.p)));
    const sloped = this.byShares(slopedGood, total - slopedGood, total);
    const usableMs = total - heldBad;
    const area = regions
      .filter(({ p }) => this.usable(p))
      .reduce((a, { p, next, ms }) => a + ((p.v + (!isStepped && this.usable(next) ? next.v : p.v)) / 2) * ms, 0);
    const offered = [...list, ...(isStepped ? [] : [end])].filter((p) => this.usable(p));
    const min = Math.min(...offered.map(({ v }) => v));
    const max = Math.max(...offered.map(({ v }) => v));
    const timeOf = (v: number): number => {
      const t = offered.find((p) => p.v === v)?.t ?? Number.NaN;
      return t === to ? Math.max(from, to - 1) : t;
    };
    const put = (value: number, status: Status, time?: number): Result => ({ value, status, time });
    const put2 = (value: number, status: Status, time?: number): Result =>
      offered.length === 0 ? NONE : put(value, status, time);
    switch (name) {
      case 'TimeAverage2':
        return usableMs === 0 ? NONE : put(area / usableMs, sloped);
      case 'Total2':
        return usableMs === 0 ? NONE : put(area / 1000, sloped);
      case 'Minimum2':
        return put2(min, sloped);
      case 'Maximum2':
        return put2(max, sloped);
      case 'MinimumActualTime2':
        return put2(min, sloped, timeOf(min));
      case 'MaximumActualTime2':
        return put2(max, sloped, timeOf(max));
      case 'Range2':
        return put2(max - min, sloped);
      case 'DurationInStateZero':
        return put(
          sum(({ p }) => p.s === 2 && p.v === 0),
          held,
        );
      case 'DurationInStateNonZero':
        return put(
          sum(({ p }) => p.s === 2 && p.v !== 0),
          held,
        );
      case 'DurationGood':
        return put(heldGood, 2);
      case 'DurationBad':
        return put(heldBad, 2);
      case 'PercentGood':
        return put((100 * heldGood) / total, 2);
      case 'PercentBad':
        return put((100 * heldBad) / total, 2);
      case 'WorstQuality2':
        return put(Math.min(...[...list, ...(isStepped ? [] : [end])].map(({ q }) => q)), 2);
      case 'StartBound':
        return put(start.v, start.s);
      case 'EndBound':
        return put(end.v, end.s);
      case 'DeltaBounds':
        return put(end.v - start.v, Math.min(start.s, end.s) as Status);
      default:
        throw new Error(`no function ${name}`);
    }
  }
}
