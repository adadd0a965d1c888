// Labels of the value axis: each says the value of its grid line exactly.

import { formatNumber } from './number-format.ts';

/** What has room beside the axis. */
const MOST_CHARACTERS = 11;
const MOST_DECIMALS = 8;
/** Part of a step: closer is the same number, but for the last bits of a double. */
const TOLERANCE = 1e-6;

/** One label for each value, by the tag's format if that shows all of them exactly, else with the digits of the step. */
export function numberLabels(values: readonly number[], step: number, format?: string): string[] {
  const byStep = stepLabels(values, step);
  if (format === undefined || format.trim() === '') return byStep;
  const byFormat = values.map((value) => formatNumber(value === 0 ? 0 : value, format));
  const isTrue = byFormat.every((label, index) => says(label, values[index] as number, step));
  return isTrue ? byFormat : byStep;
}

function stepLabels(values: readonly number[], step: number): string[] {
  const decimals = decimalsOf(step);
  const plain = values.map((value) => (value === 0 ? 0 : value).toFixed(Math.min(decimals, MOST_DECIMALS)));
  const isShort = decimals <= MOST_DECIMALS && plain.every((label) => label.length <= MOST_CHARACTERS);
  return isShort ? plain : values.map((value) => scientific(value, step));
}

/** Fewest decimals that show the step itself: 0 for 25, 1 for 2.5. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const scaled = step * 10 ** decimals;
    if (scaled >= 1 - TOLERANCE && Math.abs(scaled - Math.round(scaled)) < TOLERANCE * scaled) return decimals;
  }
  return step >= 10 ** -MOST_DECIMALS ? MOST_DECIMALS : MOST_DECIMALS + 1;
}

/** With as many digits as tell it from its neighbours: `2.5e-9`. */
function scientific(value: number, step: number): string {
  if (value === 0) return '0';
  const digits = Math.ceil(Math.log10(Math.abs(value) / step)) + 2;
  const [mantissa = '', exponent = ''] = value.toExponential(Math.max(0, Math.min(16, digits - 1))).split('e');
  return `${Number(mantissa)}e${Number(exponent)}`;
}

/** True when the number that a reader sees is the value. */
function says(label: string, value: number, step: number): boolean {
  const [digits] = /-?\d[\d,]*(\.\d+)?([eE][+-]?\d+)?/.exec(label) ?? [];
  if (digits === undefined || label.length > MOST_CHARACTERS) return false;
  const seen = Number(digits.replaceAll(',', '')) / (label.includes('%') ? 100 : 1);
  return Math.abs(seen - value) <= step * TOLERANCE;
}
