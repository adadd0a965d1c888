// What reads of a tag with corrections must see, found plainly: everything that was done to it is done again, in order, to a
// list of points, without the corrections that were undone. Points that are earlier than the newest are late ones.

export interface HistoryPoint {
  readonly ms: number;
  readonly value: number;
  readonly quality: number;
}

export type Step =
  | { readonly kind: 'append'; readonly points: readonly HistoryPoint[] }
  | { readonly kind: 'delete'; readonly id: number; readonly startMs: number; readonly endMs: number }
  | {
      readonly kind: 'replace' | 'insert';
      readonly id: number;
      readonly startMs: number;
      readonly endMs: number;
      readonly points: readonly HistoryPoint[];
    }
  | { readonly kind: 'undo'; readonly id: number }
  | { readonly kind: 'cut'; readonly startMs: number };

/** Order of points of one time: those that were stored in time, then those of corrections, then late ones. */
const Rank = { InTime: 0, Corrected: 1, Late: 2 } as const;

interface ShownPoint extends HistoryPoint {
  readonly rank: number;
}

/** The readable points, in order. */
export function playBack(steps: readonly Step[]): HistoryPoint[] {
  const undone = new Set(steps.flatMap((step) => (step.kind === 'undo' ? [step.id] : [])));
  let shown: ShownPoint[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'append') shown.push(...ranked(step.points, newestStoredMs(steps.slice(0, at))));
    else if (step.kind === 'cut') shown = shown.filter(({ ms }) => ms < step.startMs);
    else if (step.kind !== 'undo' && !undone.has(step.id)) {
      const times = new Set(step.kind === 'insert' ? step.points.map(({ ms }) => ms) : []);
      const isHidden = (ms: number): boolean =>
        step.kind === 'insert' ? times.has(ms) : ms >= step.startMs && ms <= step.endMs;
      shown = shown.filter(({ ms }) => !isHidden(ms));
      if (step.kind !== 'delete') shown.push(...step.points.map((point) => ({ ...point, rank: Rank.Corrected })));
    }
  }
  return shown
    .map((point, at) => ({ point, at }))
    .sort((a, b) => a.point.ms - b.point.ms || a.point.rank - b.point.rank || a.at - b.at)
    .map(({ point: { ms, value, quality } }) => ({ ms, value, quality }));
}

function ranked(points: readonly HistoryPoint[], newestMs = Number.NEGATIVE_INFINITY): ShownPoint[] {
  return points
    .toSorted((a, b) => a.ms - b.ms)
    .map((point) => ({ ...point, rank: point.ms < newestMs ? Rank.Late : Rank.InTime }));
}

/** The time of the newest stored point; undefined when there is none. Late points are not among them. */
export function newestStoredMs(steps: readonly Step[]): number | undefined {
  let times: number[] = [];
  for (const step of steps) {
    const newestMs = times.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (step.kind === 'append')
      times.push(...step.points.flatMap(({ ms }) => (ms < newestMs ? [] : [ms])).toSorted((a, b) => a - b));
    if (step.kind === 'cut') times = times.filter((ms) => ms < step.startMs);
  }
  return times.at(-1);
}
