// The `data` of a map field: a comma-separated list of texts, numbers, multipliers (`text*count`) and ranges
// (`low-high`, `low-high/step`), and how the values of several fields are combined into instances.

/** More than this is a slip of the keyboard, and would take the memory of the machine. */
export const MAX_INSTANCES = 1_000_000;

export type MapDataResult =
  | { readonly ok: true; readonly values: readonly string[] }
  | { readonly ok: false; readonly found: string; readonly allowed: string };

const RANGE = /^(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)(?:\s*\/\s*(-?\d+(?:\.\d+)?))?$/;
const MULTIPLIER = /^(.*?)\s*\*\s*(\S*)$/s;

export function parseMapData(data: string): MapDataResult {
  const values: string[] = [];
  for (const item of data.split(',').map((part) => part.trim())) {
    const result = parseItem(item);
    if (!result.ok) return result;
    if (values.length + result.values.length > MAX_INSTANCES) return tooMany(item);
    for (const value of result.values) values.push(value);
  }
  return { ok: true, values };
}

/** The value of a field in the instance of that index: shorter fields wrap, or repeat their last value. */
export function fieldValue(values: readonly string[], wrap: boolean, index: number): string {
  const at = wrap ? index % values.length : Math.min(index, values.length - 1);
  return values[at] ?? '';
}

function parseItem(item: string): MapDataResult {
  if (item === '') return fail(item, 'a text, a number, text*count, low-high or low-high/step between commas');
  const range = RANGE.exec(item);
  if (range !== null) return expandRange(item, range[1] ?? '', range[2] ?? '', range[3] ?? '1');
  const multiplier = MULTIPLIER.exec(item);
  if (multiplier !== null) return expandMultiplier(item, multiplier[1] ?? '', multiplier[2] ?? '');
  return { ok: true, values: [item] };
}

function expandMultiplier(item: string, text: string, countText: string): MapDataResult {
  const count = Number(countText);
  if (text === '') return fail(item, 'text*count with a text before the *');
  if (!/^\d+$/.test(countText) || count < 1) return fail(item, 'text*count with a whole count from 1');
  if (count > MAX_INSTANCES) return tooMany(item);
  return { ok: true, values: Array.from({ length: count }, () => text) };
}

/** Counts in whole multiples of the finest decimal, so that `0-1/0.1` has eleven exact values. */
function expandRange(item: string, lowText: string, highText: string, stepText: string): MapDataResult {
  const scale = 10 ** Math.max(decimalsOf(lowText), decimalsOf(highText), decimalsOf(stepText));
  const low = Math.round(Number(lowText) * scale);
  const high = Math.round(Number(highText) * scale);
  const step = Math.round(Number(stepText) * scale);
  if (step <= 0) return fail(item, 'a step above 0');
  if (low > high) return fail(item, 'low-high with low not above high');
  const count = Math.floor((high - low) / step) + 1;
  if (count > MAX_INSTANCES) return tooMany(item);
  return { ok: true, values: Array.from({ length: count }, (_, index) => String((low + index * step) / scale)) };
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function tooMany(item: string): MapDataResult {
  return fail(item, `at most ${MAX_INSTANCES.toLocaleString('en')} values`);
}

function fail(item: string, allowed: string): MapDataResult {
  return { ok: false, found: JSON.stringify(item), allowed };
}
