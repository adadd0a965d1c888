// What reads of a tag with corrections must see, found plainly: everything that was done to it is done again, in order, to a
// list of points, without the corrections that were undone.

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

interface ShownPoint extends HistoryPoint {
  readonly isCorrected: boolean;
}

/** The readable points, in order. */
export function playBack(steps: readonly Step[]): HistoryPoint[] {
  const undone = new Set(steps.flatMap((step) => (step.kind === 'undo' ? [step.id] : [])));
  let shown: ShownPoint[] = [];
  for (const step of steps) {
    if (step.kind === 'append') shown.push(...step.points.map((point) => ({ ...point, isCorrected: false })));
    else if (step.kind === 'cut') shown = shown.filter(({ ms }) => ms < step.startMs);
    else if (step.kind !== 'undo' && !undone.has(step.id)) {
      const times = new Set(step.kind === 'insert' ? step.points.map(({ ms }) => ms) : []);
      const isHidden = (ms: number): boolean =>
        step.kind === 'insert' ? times.has(ms) : ms >= step.startMs && ms <= step.endMs;
      shown = shown.filter(({ ms }) => !isHidden(ms));
      if (step.kind !== 'delete') shown.push(...step.points.map((point) => ({ ...point, isCorrected: true })));
    }
  }
  return shown
    .map((point, at) => ({ point, at }))
    .sort((a, b) => a.point.ms - b.point.ms || Number(a.point.isCorrected) - Number(b.point.isCorrected) || a.at - b.at)
    .map(({ point: { ms, value, quality } }) => ({ ms, value, quality }));
}

/** The time of the newest stored point; undefined when there is none. */
export function newestStoredMs(steps: readonly Step[]): number | undefined {
  let times: number[] = [];
  for (const step of steps) {
    if (step.kind === 'append') times.push(...step.points.map(({ ms }) => ms));
    if (step.kind === 'cut') times = times.filter((ms) => ms < step.startMs);
  }
  return times.at(-1);
}
