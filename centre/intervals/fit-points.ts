// Which points can be summed up where they lie, and which number each of them is to a calculation, as SQL.

import { GOOD_QUALITY, payloadOf, ValueType } from '../../engine/index.ts';

/** Values that are not in the column of numbers. */
const OTHER_TYPES = Object.values(ValueType).filter((type) => payloadOf(type) !== 'number');
const WHOLE_VALUES: ReadonlyMap<ValueType, string> = new Map([
  [ValueType.Int64, 'toFloat64(whole)'],
  [ValueType.UInt64, 'toFloat64(toUInt64(whole))'],
]);

/** Whether points of a tag of some type may be summed up: texts are numbers of one calculation only. */
export function haveNumbers(type: ValueType): boolean {
  return payloadOf(type) === 'number' || WHOLE_VALUES.has(type);
}

export function numberOf(type: ValueType): string {
  return WHOLE_VALUES.get(type) ?? 'num';
}

/** Not of those that are bad, uncertain or null, that a tag has kept from when it was of another type, and of NaN and -0, which no order holds. */
export function isFit(type: ValueType): string {
  const isGood = `isnull = 0 AND quality >= ${GOOD_QUALITY}`;
  if (WHOLE_VALUES.has(type)) return `${isGood} AND type = ${type}`;
  return `${isGood} AND type NOT IN (${OTHER_TYPES.join(', ')}) AND NOT isNaN(num) AND NOT (num = 0 AND 1 / num < 0)`;
}
