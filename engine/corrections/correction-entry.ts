// The log of corrections as texts, the points of a system tag: each correction is one text with its points, or with the first
// of them and followed by texts with the others. Docs: docs/corrections.md, docs/format.md.

import type { CorrectionKind } from '../corrections.ts';
import { corrupt } from '../errors.ts';
import { FIRST_LATE_ORDINAL } from '../tag/late-tag.ts';
import type { StoredValue } from '../tag/newest-point.ts';
import { pushPoint, valueAt } from '../tag/stored-value.ts';
import { type Instant, PointColumns, type ValueType } from '../types.ts';
import { formatValueType, parseValueType, payloadOf } from '../value-types.ts';
import type { LoggedCorrection, LoggedUndo } from './correction.ts';

/** Points of one text: some 20 KB. */
export const POINTS_A_TEXT = 500;

/** Ms, ticks, quality, value: doubles as numbers, whole numbers of 64 bits and texts as texts. */
type EntryPoint = readonly [number, number, number, number | string | null];

interface EntryOfCorrection {
  readonly correction: number;
  readonly tag: number;
  readonly kind: CorrectionKind;
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
  readonly below: number;
  /** Absent where the tag had no late points. */
  readonly lateBelow?: number;
  readonly type: string | null;
  readonly by: string;
  readonly reason: string;
  /** All of its points, and the number of the first. */
  readonly count: number;
  readonly first: number;
  readonly points: readonly EntryPoint[];
}

interface EntryOfPoints {
  readonly pointsOf: number;
  readonly points: readonly EntryPoint[];
}

interface EntryOfUndo {
  readonly undo: number;
  readonly by: string;
  readonly reason: string;
}

/** The texts of a correction, in order. */
export function formatCorrection(correction: Omit<LoggedCorrection, 'made'>, by: string, reason: string): string[] {
  const { id, tagId, kind, start, end, endOrdinal, endLate, type, points, firstPoint } = correction;
  const entry: EntryOfCorrection = {
    correction: id,
    tag: tagId,
    kind,
    start: [start.ms, start.ticks],
    end: [end.ms, end.ticks],
    below: endOrdinal,
    ...(endLate > FIRST_LATE_ORDINAL ? { lateBelow: endLate - FIRST_LATE_ORDINAL } : {}),
    type: formatValueType(type) ?? null,
    by,
    reason,
    count: points.count,
    first: firstPoint,
    points: formatPoints(points, type, 0),
  };
  const texts = [JSON.stringify(entry)];
  for (let from = POINTS_A_TEXT; from < points.count; from += POINTS_A_TEXT)
    texts.push(JSON.stringify({ pointsOf: id, points: formatPoints(points, type, from) } satisfies EntryOfPoints));
  return texts;
}

export function formatUndo(id: number, by: string, reason: string): string {
  return JSON.stringify({ undo: id, by, reason } satisfies EntryOfUndo);
}

function formatPoints(points: PointColumns, type: ValueType, from: number): EntryPoint[] {
  const formatted: EntryPoint[] = [];
  for (let i = from; i < Math.min(points.count, from + POINTS_A_TEXT); i++) {
    const value = formatValue(valueAt(points, i, type));
    formatted.push([points.timesMs[i] as number, points.ticks[i] as number, points.qualities[i] as number, value]);
  }
  return formatted;
}

/** JSON has no negative zero, and no infinities. */
function formatValue(value: StoredValue): number | string | null {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value)) ? formatDouble(value) : value;
}

function formatDouble(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function parseValue(value: number | string | null, type: ValueType): StoredValue {
  if (typeof value !== 'string') return value;
  const payload = payloadOf(type);
  if (payload === 'bigint') return BigInt(value);
  return payload === 'number' ? Number(value) : value;
}

/** Puts the texts of a log together again. */
export class CorrectionLogReader {
  /** A correction of which points are to come. */
  #open: { readonly correction: LoggedCorrection; readonly count: number } | undefined;

  /**
   * The next text of the log, and its time: what it makes complete. Throws CORRUPT for a text that no version has written, and
   * when points of the correction before it are missing; go on with the next text then.
   */
  read(text: string, at: Instant): LoggedCorrection | LoggedUndo | undefined {
    const entry = parseEntry(text);
    const open = this.#open;
    if ('pointsOf' in entry) return this.#addPoints(entry);
    this.#open = undefined;
    if (open) throw corrupt(`correction ${open.correction.id} lacks points`);
    if ('undo' in entry) return { id: entry.undo, undone: { at, by: entry.by, reason: entry.reason } };
    return this.#begin(entry, at);
  }

  #begin(entry: EntryOfCorrection, at: Instant): LoggedCorrection | undefined {
    const type = (entry.type === null ? 0 : parseValueType(entry.type)) as ValueType | undefined;
    if (type === undefined) throw corrupt(`got type ${entry.type} of a correction`);
    const correction: LoggedCorrection = {
      id: entry.correction,
      tagId: entry.tag,
      kind: entry.kind,
      start: { ms: entry.start[0], ticks: entry.start[1] },
      end: { ms: entry.end[0], ticks: entry.end[1] },
      endOrdinal: entry.below,
      endLate: FIRST_LATE_ORDINAL + (entry.lateBelow ?? 0),
      type,
      points: new PointColumns(entry.points.length),
      firstPoint: entry.first,
      made: { at, by: entry.by, reason: entry.reason },
    };
    return this.#take(correction, entry.count, entry.points);
  }

  #addPoints({ pointsOf, points }: EntryOfPoints): LoggedCorrection | undefined {
    const open = this.#open;
    if (open === undefined || open.correction.id !== pointsOf) throw corrupt(`points of correction ${pointsOf} alone`);
    return this.#take(open.correction, open.count, points);
  }

  #take(correction: LoggedCorrection, count: number, points: readonly EntryPoint[]): LoggedCorrection | undefined {
    const { type } = correction;
    for (const [ms, ticks, quality, value] of points)
      pushPoint(correction.points, { ms, ticks, quality, value: parseValue(value, type), type, tie: undefined });
    const isWhole = correction.points.count >= count;
    this.#open = isWhole ? undefined : { correction, count };
    return isWhole ? correction : undefined;
  }
}

function parseEntry(text: string): EntryOfCorrection | EntryOfPoints | EntryOfUndo {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    throw corrupt('a text of the log of corrections is no JSON');
  }
  const isKnown =
    typeof entry === 'object' && entry !== null && ['correction', 'pointsOf', 'undo'].some((key) => key in entry);
  if (!isKnown) throw corrupt('a text of the log of corrections is neither a correction nor an undoing');
  return entry as EntryOfCorrection | EntryOfPoints | EntryOfUndo;
}
