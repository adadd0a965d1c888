// States that have a text, and numbers that have none: the latter are drawn apart, and do not stretch the axis.

import { type Series, toNumber } from './series.ts';

export interface SplitStates {
  readonly known: Series;
  /** Undefined when all are known. */
  readonly unknown: Series | undefined;
}

export function splitStates(series: Series, states: ReadonlyMap<number, string>): SplitStates {
  const isKnown = series.values.map((value) => value === null || states.has(toNumber(value)));
  if (isKnown.every(Boolean)) return { known: series, unknown: undefined };
  return {
    known: { ...series, values: series.values.map((value, index) => (isKnown[index] ? value : null)) },
    unknown: { ...series, values: series.values.map((value, index) => (isKnown[index] ? null : value)) },
  };
}
