// Annotations: the states of a tag, or the statuses of a dataset, each from when it began until the next.

import {
  type Instant,
  type PointChunk,
  payloadOf,
  type TagCursor,
  type TagDefinition,
  ValueType,
} from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import { shortened } from '../../problem.ts';
import type { Pacer } from '../../process/pacer.ts';
import { gapNotices, metaOf } from './panel-renderer.ts';

/** Most annotations of one tag: more cannot be seen beside each other. */
const MAX_ANNOTATIONS = 1000;
/** Longest title; a longer one is cut, for no more can be read at an annotation. */
const MAX_TITLE_CHARS = 1000;
const UNCERTAIN_QUALITY = 64;
const GOOD_QUALITY = 192;

const COLUMNS = [
  { text: 'time', type: 'time' },
  { text: 'timeEnd', type: 'time' },
  { text: 'title', type: 'string' },
  { text: 'text', type: 'string' },
  { text: 'tags', type: 'string' },
];

export interface AnnotationSource {
  readonly dataset: string;
  readonly kind: 'state' | 'status';
  readonly refId: string;
  readonly start: Instant;
  /** When the last one ends. */
  readonly end: Instant;
  readonly pacer: Pacer;
  readonly isAborted: () => boolean;
}

interface Annotation {
  readonly timeMs: number;
  endMs: number;
  readonly title: string;
}

/** A table as JSON, in parts. Closes the cursor. */
export async function* annotationTable(cursor: TagCursor, source: AnnotationSource): AsyncGenerator<string> {
  try {
    const found = await annotationsOf(cursor, source);
    const isCut = found.length > MAX_ANNOTATIONS;
    const notices = gapNotices(cursor.outcome().gaps);
    if (isCut) notices.push(`Only the first ${MAX_ANNOTATIONS} annotations are shown; take a shorter range.`);
    const { dataset, kind, refId } = source;
    const text = kind === 'status' ? dataset : `${dataset}/${cursor.tag.name}`;
    const ref = refId === '' ? '' : `"refId":${JSON.stringify(refId)},`;
    yield `{"type":"table",${ref}"columns":${JSON.stringify(COLUMNS)},"rows":[`;
    for (const [i, { timeMs, endMs, title }] of found.slice(0, MAX_ANNOTATIONS).entries()) {
      const row = [timeMs, endMs, title, text, `${kind},${dataset}`];
      yield `${i === 0 ? '' : ','}${JSON.stringify(row)}`;
    }
    yield `]${metaOf(notices)}}`;
  } finally {
    cursor.close();
  }
}

/** One more than are shown, when there are more. */
async function annotationsOf(cursor: TagCursor, source: AnnotationSource): Promise<Annotation[]> {
  const found: Annotation[] = [];
  let lastTitle: string | undefined;
  const startMs = source.start.ms;
  while (!source.isAborted() && found.length <= MAX_ANNOTATIONS) {
    const next = cursor.next();
    const chunk = next instanceof Promise ? await next : next;
    if (chunk === undefined) break;
    for (let at = chunk.start; at < chunk.end && found.length <= MAX_ANNOTATIONS; at++) {
      const title = source.kind === 'status' ? statusTitle(chunk, at) : stateTitle(chunk, at, cursor.tag);
      const timeMs = Math.max(startMs, chunk.points.timesMs[at] as number);
      if (title === lastTitle) continue;
      const last = found.at(-1);
      if (last !== undefined) last.endMs = timeMs;
      found.push({ timeMs, endMs: source.end.ms, title: shortened(title, MAX_TITLE_CHARS) });
      lastTitle = title;
    }
    // To read a chunk of long texts takes long.
    if (source.pacer.isDueNow()) await source.pacer.yield();
  }
  return found;
}

function statusTitle({ points }: PointChunk, at: number): string {
  const quality = points.qualities[at] as number;
  if (quality >= GOOD_QUALITY) return `Good (${quality})`;
  return quality >= UNCERTAIN_QUALITY ? `Uncertain (${quality})` : `Bad (${quality})`;
}

function stateTitle({ type, points }: PointChunk, at: number, { units }: TagDefinition): string {
  const quality = points.qualities[at] as number;
  if (quality < UNCERTAIN_QUALITY) return `Bad (${quality})`;
  if (points.nulls[at] !== 0) return 'No value';
  const payload = payloadOf(type);
  if (payload === 'text') return points.texts.at(points.numbers[at] as number);
  if (type === ValueType.DateTime) return timeOf(points.bigints[at] as bigint);
  if (payload === 'bigint') return String(unsigned(type, points.bigints[at] as bigint));
  const value = points.numbers[at] as number;
  if (type === ValueType.Boolean) return value === 0 ? 'false' : 'true';
  // One text is a unit, several are those of an enumeration.
  return (units !== undefined && units.size > 1 ? units.get(value) : undefined) ?? String(value);
}

function unsigned(type: ValueType, value: bigint): bigint {
  return type === ValueType.UInt64 ? BigInt.asUintN(64, value) : value;
}

/** Ticks since the year 1. */
function timeOf(ticks: bigint): string {
  const msTicks = 10_000n;
  return formatInstant({ ms: Number(ticks / msTicks) - 62_135_596_800_000, ticks: Number(ticks % msTicks) });
}
