// What an engine must hold of one tag: all that was done to it, in order, and the points that reads see of that.

import { compareInstants, type Instant, type TagDefinition } from '../../engine/index.ts';
import type { Point, Run } from './points.ts';

/** A correction as it was asked for. */
export interface PlannedCorrection {
  readonly tag: string;
  readonly kind: 'delete' | 'replace' | 'insert';
  readonly start: Instant;
  readonly end: Instant;
  /** In time order. */
  readonly run: Run;
  /** Known once it is acknowledged. */
  id: number | undefined;
}

type Step =
  | { readonly kind: 'append'; readonly points: readonly ShownPoint[] }
  | { readonly kind: 'cut'; readonly start: Instant }
  | { readonly kind: 'correct'; readonly correction: PlannedCorrection };

/** Order of points of one time: those that were stored in time, then those of corrections, then late ones. */
const Rank = { InTime: 0, Corrected: 1, Late: 2 } as const;

interface ShownPoint {
  readonly point: Point;
  readonly rank: number;
}

export class ReferenceTag {
  definition: TagDefinition;
  /** Number of the first points that a purge may have taken before the newest ones were cut off. */
  purgeable = 0;
  /** Stored and not cut, also where corrections hide them; in time order. */
  inTime: Point[] = [];
  /** The same of points that were earlier than the newest when they came, in the order in which they came. */
  late: Point[] = [];
  readonly #steps: Step[] = [];
  /** Also those that were undone. */
  readonly corrections: PlannedCorrection[] = [];
  readonly #undone = new Set<PlannedCorrection>();
  #points: readonly Point[] | undefined;

  constructor(definition: TagDefinition) {
    this.definition = definition;
  }

  /** What reads see, in time order. */
  get points(): readonly Point[] {
    if (this.corrections.length === 0 && this.late.length === 0) return this.inTime;
    this.#points ??= this.#playBack();
    return this.#points;
  }

  isUndone(correction: PlannedCorrection): boolean {
    return this.#undone.has(correction);
  }

  /** @param points in time order */
  append(points: readonly Point[]): void {
    const newest = this.inTime.at(-1);
    const shown = points.map((point): ShownPoint => {
      const isLate = newest !== undefined && compareInstants(point, newest) < 0;
      return { point, rank: isLate ? Rank.Late : Rank.InTime };
    });
    for (const { point, rank } of shown) (rank === Rank.Late ? this.late : this.inTime).push(point);
    this.#add({ kind: 'append', points: shown });
  }

  cut(start: Instant): void {
    const isLeft = (point: Point): boolean => compareInstants(point, start) < 0;
    this.inTime = this.inTime.filter(isLeft);
    this.late = this.late.filter(isLeft);
    this.#add({ kind: 'cut', start });
  }

  correct(correction: PlannedCorrection): void {
    this.corrections.push(correction);
    this.#add({ kind: 'correct', correction });
  }

  undo(correction: PlannedCorrection): void {
    this.#undone.add(correction);
    this.#points = undefined;
  }

  #add(step: Step): void {
    this.#steps.push(step);
    this.#points = undefined;
  }

  /** Everything is done again but what was undone. */
  #playBack(): Point[] {
    let shown: ShownPoint[] = [];
    for (const step of this.#steps) {
      if (step.kind === 'append') shown.push(...step.points);
      else if (step.kind === 'cut') shown = shown.filter(({ point }) => compareInstants(point, step.start) < 0);
      else if (!this.#undone.has(step.correction)) shown = corrected(shown, step.correction);
    }
    // Points of the same rank and time stay in the order in which they came.
    return shown.sort((a, b) => compareInstants(a.point, b.point) || a.rank - b.rank).map(({ point }) => point);
  }
}

function corrected(shown: readonly ShownPoint[], { kind, start, end, run }: PlannedCorrection): ShownPoint[] {
  const times = new Set(run.points.map(formatTime));
  const isHidden = (point: Point): boolean =>
    kind === 'insert'
      ? times.has(formatTime(point))
      : compareInstants(point, start) >= 0 && compareInstants(point, end) <= 0;
  const given = run.points.map((point): ShownPoint => ({ point, rank: Rank.Corrected }));
  return [...shown.filter(({ point }) => !isHidden(point)), ...given];
}

export function formatTime({ ms, ticks }: Instant): string {
  return `${ms}+${ticks}`;
}
