// How holds.json writes times and values: exact, and readable without this program.

import { type Instant, MIN_TIME_MS, TICKS_PER_MS, ValueType } from '../../engine/index.ts';
import type { PlainValue, Point } from '../model/points.ts';

/** Numbers as they are (-0, too); 64-bit integers, decimals and times as texts. */
export type HeldValue = number | boolean | string | null;

/** Time, value, quality; and the type of the value where it is not the tag's. */
export type HeldPoint = readonly [time: string, value: HeldValue, quality: number, type?: string];

/** With seven digits behind the second. */
export function formatInstant({ ms, ticks }: Instant): string {
  return new Date(ms).toISOString().replace('Z', `${String(ticks).padStart(4, '0')}Z`);
}

export function formatType(type: ValueType): string {
  const found = Object.entries(ValueType).find(([, code]) => code === type);
  if (!found) throw new Error(`BUG: ${type} is no value type`);
  return found[0];
}

export function holdPoint(point: Point, tagType: ValueType): HeldPoint {
  const { type, value, quality } = point;
  const held = [formatInstant(point), holdValue(type, value), quality] as const;
  return value === null || type === tagType ? held : [...held, formatType(type)];
}

function holdValue(type: ValueType, value: PlainValue): HeldValue {
  if (typeof value === 'bigint') return holdBigint(type, value);
  return type === ValueType.Boolean && value !== null ? value === 1 : value;
}

function holdBigint(type: ValueType, value: bigint): string {
  if (type === ValueType.UInt64) return String(BigInt.asUintN(64, value));
  if (type === ValueType.Int64) return String(value);
  const unit = BigInt(TICKS_PER_MS);
  return formatInstant({ ms: Number(value / unit) + MIN_TIME_MS, ticks: Number(value % unit) });
}

/** Points of equal quality at even steps, in short. */
export interface HeldStretch {
  readonly from: string;
  readonly stepMs: number;
  readonly quality: number;
  readonly type?: string;
  readonly values: readonly HeldValue[];
}

/** Fewer points are shorter one by one. */
const SHORTEST_STRETCH = 4;

/** The points one by one, as `holdPoint` has them. */
export function spreadHeldPoints(held: readonly (HeldPoint | HeldStretch)[]): HeldPoint[] {
  return held.flatMap((part) => ('from' in part ? spreadStretch(part) : [part]));
}

function spreadStretch({ from, stepMs, quality, type, values }: HeldStretch): HeldPoint[] {
  const { ms, ticks } = parseInstant(from);
  return values.map((value, i) => {
    const point = [formatInstant({ ms: ms + i * stepMs, ticks }), value, quality] as const;
    return type === undefined || value === null ? point : [...point, type];
  });
}

export function parseInstant(text: string): Instant {
  return { ms: Date.parse(`${text.slice(0, -5)}Z`), ticks: Number(text.slice(-5, -1)) };
}

/** The same points as JSON texts, stretches in short. */
export function formatHeldPoints(points: readonly HeldPoint[]): string[] {
  const texts: string[] = [];
  for (let start = 0, end = 0; start < points.length; start = end) {
    end = endOfStretch(points, start);
    if (end - start < SHORTEST_STRETCH) end = start + 1;
    const part = points.slice(start, end);
    texts.push(part.length > 1 ? formatStretch(part) : `[${part.flat().map(formatPart).join(',')}]`);
  }
  return texts;
}

function endOfStretch(points: readonly HeldPoint[], start: number): number {
  const [first, second] = points.slice(start, start + 2).map(([time]) => parseInstant(time));
  if (!first || !second) return start + 1;
  const [, , quality, type] = points[start] as HeldPoint;
  const stepMs = second.ms - first.ms;
  let end = start + 1;
  for (; end < points.length; end++) {
    const point = points[end] as HeldPoint;
    const time = formatInstant({ ms: first.ms + (end - start) * stepMs, ticks: first.ticks });
    if (point[0] !== time || point[2] !== quality || point[3] !== type) break;
  }
  return end;
}

function formatStretch(points: readonly HeldPoint[]): string {
  const [[from, , quality, type], [second]] = points as [HeldPoint, HeldPoint];
  const stepMs = parseInstant(second).ms - parseInstant(from).ms;
  const head = JSON.stringify({ from, stepMs, quality, ...(type === undefined ? {} : { type }) }).slice(0, -1);
  return `${head},"values":[${points.map(([, value]) => formatPart(value)).join(',')}]}`;
}

/** JSON that keeps the sign of zero. */
function formatPart(part: unknown): string {
  return Object.is(part, -0) ? '-0' : JSON.stringify(part);
}
