// Values of points as the two cells `Value` and `Text`.

import { type PointChunk, payloadOf, ValueType } from '../../../../engine/index.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { instantFromTicks, wideInteger } from '../../../codec/write-json/wide-values.ts';
import type { Row } from '../query/cells.ts';

const instant = { ms: 0, ticks: 0 };

/**
 * Sets `Time`, `Value`, `Text` and `Quality` of a row. A number is in `Value`, a Boolean as 1 or 0, a long one as the nearest
 * double with all of its digits in `Text`; texts, and times in ISO 8601, are in `Text`.
 */
export function setPoint(row: Row, { type, points }: PointChunk, at: number): void {
  row.Time = { ms: points.timesMs[at] as number, ticks: points.ticks[at] as number };
  row.Quality = points.qualities[at] as number;
  row.Value = null;
  row.Text = null;
  if (points.nulls[at] !== 0) return;
  const payload = payloadOf(type);
  if (payload === 'number') {
    row.Value = points.numbers[at] as number;
    return;
  }
  row.Text =
    payload === 'text' ? points.texts.at(points.numbers[at] as number) : wideText(type, points.bigints[at] as bigint);
  if (type === ValueType.Decimal || type === ValueType.Int64 || type === ValueType.UInt64) row.Value = Number(row.Text);
}

function wideText(type: ValueType, bits: bigint): string {
  if (type === ValueType.Int64 || type === ValueType.UInt64) return String(wideInteger(type, bits));
  instantFromTicks(bits, instant);
  return formatInstant(instant);
}
