// How many times a yardstick each case is, run by run: runs of one round stand beside each other in time.

import { type CaseResult, type Figure, figure } from '../report/result.ts';

/** The figures that are compared. */
const COMPARED = ['rate', 'server CPU', 'CPU cold', 'CPU warm', 'on disk', '1 tag x 1 h', '100 tags x 1 h', 'latest'];

/** A case for each that was measured beside the yardstick, which is left out itself. */
export function ratiosTo(yardstick: CaseResult, cases: readonly CaseResult[]): CaseResult[] {
  if (yardstick.figures.length === 0) return [];
  return cases
    .filter((one) => one !== yardstick && one.figures.length > 0)
    .map((one) => ({
      table: `times ${yardstick.name}`,
      name: one.name,
      figures: COMPARED.flatMap((name) => ratio(name, one, yardstick)),
      notes: [],
    }));
}

function ratio(name: string, one: CaseResult, yardstick: CaseResult): Figure[] {
  const own = one.figures.find((entry) => entry.name === name);
  const other = yardstick.figures.find((entry) => entry.name === name);
  if (!own || !other) return [];
  const values = own.values.map((value, run) => value / (other.values[run] ?? Number.NaN));
  return [figure(name, '', own.better, values)];
}
