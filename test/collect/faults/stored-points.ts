// What a dataset has of the values of a plant, compared with them: every value once; or, where no server has kept it, a mark.

import type { SetValue } from './plant.ts';

export interface StoredPoint {
  readonly timeMs: number;
  readonly v: number | null;
  readonly q: number;
}

export async function readStored(url: string, dataset: string, tag: string): Promise<StoredPoint[]> {
  const query = `tagname=${encodeURIComponent(tag)}&relativeStart=-1d&relativeEnd=1h`;
  const answer = await fetch(`${url}/api/datasets/${dataset}/data?${query}`);
  if (answer.status === 404) return [];
  const { tl } = (await answer.json()) as { tl: { d: { t: string; v: number | null; q: number }[] }[] };
  return (tl[0]?.d ?? []).map(({ t, v, q }) => ({ timeMs: Date.parse(t), v, q }));
}

const SHOWN = 5;

export interface Judged {
  readonly set: readonly SetValue[];
  /** With those that need not be stored. */
  readonly known: readonly SetValue[];
  readonly stored: readonly StoredPoint[];
}

/** What is wrong, in words. */
export function compare({ set, known, stored }: Judged, mayBeMarked: boolean): string[] {
  const counts = new Map<number, number>();
  for (const { v } of stored) if (v !== null) counts.set(v, (counts.get(v) ?? 0) + 1);
  const times = new Set(stored.filter(({ v }) => v !== null).map(({ timeMs, v }) => `${timeMs} ${v}`));
  const twice = [...counts].filter(([, count]) => count > 1).map(([value]) => value);
  const missing = set.filter(({ value, timeMs }) => !times.has(`${timeMs} ${value}`));
  const unmarked = mayBeMarked ? missing.filter((value) => !isInMarkedHole(value, stored)) : missing;
  const real = new Set(known.map(({ value }) => value));
  const invented = [...counts.keys()].filter((value) => !real.has(value));
  return [
    ...describe('stored twice', twice),
    ...describe(
      mayBeMarked ? 'neither stored nor marked' : 'not stored',
      unmarked.map(({ value }) => value),
    ),
    ...describe('stored and never set', invented),
  ];
}

/** Between the values around it there is a mark. */
function isInMarkedHole({ timeMs, value }: SetValue, stored: readonly StoredPoint[]): boolean {
  const before = stored.findLastIndex((point) => point.v !== null && point.timeMs < timeMs);
  const after = stored.findIndex((point, index) => index > before && point.v !== null);
  return stored.slice(before + 1, after < 0 ? undefined : after).some(isMark) || isMarkedAtEnds(value, stored);
}

/** A mark directly behind the value that was set before it, or directly before that set after it: clocks may have been set back. */
function isMarkedAtEnds(value: number, stored: readonly StoredPoint[]): boolean {
  const values = stored.flatMap(({ v }) => v ?? []);
  const before = Math.max(...values.filter((each) => each < value));
  const after = Math.min(...values.filter((each) => each > value));
  return stored.some(
    ({ v }, index) =>
      (v === before && isMark(stored[index + 1])) || (v === after && index > 0 && isMark(stored[index - 1])),
  );
}

function isMark(point: StoredPoint | undefined): boolean {
  return point?.v === null;
}

function describe(what: string, values: readonly number[]): string[] {
  if (values.length === 0) return [];
  const shown = values.length > SHOWN ? [...values.slice(0, SHOWN), '…', values.at(-1)] : values;
  return [`${values.length} values are ${what}: ${shown.join(', ')}`];
}
