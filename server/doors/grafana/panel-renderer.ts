// Points of tags as the JSON data source takes them: series of `[value, ms]`, or a table for each tag. What an answer has to
// say besides stands in its `meta.notices`, which Grafana shows at the panel.

import {
  type AggregateLabel,
  type PointChunk,
  type ReadGap,
  type TagDefinition,
  ValueType,
} from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import { ColumnWriter } from '../../codec/write-json/column-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { EntryEnd } from '../../routes/read/entry-plan.ts';
import type { ReadRenderer } from '../../routes/read/read-renderer.ts';

/** Below it a quality is bad, and a chart has a hole. */
const UNCERTAIN_QUALITY = 64;
const STYLE: ValueStyle = { exact: 'number', booleans: 'digit', nulls: 'null' };
const TABLE_STYLE: ValueStyle = { ...STYLE, booleans: 'literal' };

// No state of an answer is in the writer, so that one serves all answers.
const values = new ColumnWriter();

export interface PanelTarget {
  readonly refId: string;
  readonly isTable: boolean;
}

export class PanelRenderer implements ReadRenderer {
  readonly isPlanned = false;
  readonly #out: OutputBytes;
  #target: PanelTarget = { refId: '', isTable: false };
  #itemCount = 0;
  #pointCount = 0;
  #name = '""';

  constructor(out: OutputBytes) {
    this.#out = out;
  }

  /** The entries that follow are of this target. */
  turnTo(target: PanelTarget): void {
    this.#target = target;
  }

  begin(): void {
    this.#out.ascii('[');
  }

  beginEntry(tag: TagDefinition, _bounds: unknown, _plan: unknown, label: AggregateLabel | undefined): void {
    const { refId, isTable } = this.#target;
    this.#name = JSON.stringify(label === undefined ? tag.name : `${tag.name} ${label.stateName ?? label.function}`);
    this.#pointCount = 0;
    this.separate();
    const ref = refId === '' ? '' : `"refId":${JSON.stringify(refId)},`;
    if (!isTable) return this.#out.utf8(`{"target":${this.#name},${ref}"datapoints":[`);
    this.#out.utf8(`{"type":"table",${ref}"columns":${JSON.stringify(columnsOf(tag))},"rows":[`);
  }

  /** Before each item of the answer. */
  separate(): void {
    if (this.#itemCount++ > 0) this.#out.ascii(',');
  }

  passCount(): number {
    return 1;
  }

  beginPass(): void {
    // Points come as they are.
  }

  points(chunk: PointChunk): void {
    const { timesMs, qualities } = chunk.points;
    for (let at = chunk.start; at < chunk.end; at++) {
      if (this.#pointCount++ > 0) this.#out.ascii(',');
      if (this.#target.isTable) this.#row(chunk, at, timesMs[at] as number, qualities[at] as number);
      else this.#dataPoint(chunk, at, timesMs[at] as number, qualities[at] as number);
    }
  }

  #dataPoint(chunk: PointChunk, at: number, timeMs: number, quality: number): void {
    this.#out.ascii('[');
    if (quality < UNCERTAIN_QUALITY) this.#out.ascii('null');
    else this.#value(chunk, at, STYLE);
    this.#out.ascii(`,${timeMs}]`);
  }

  #row(chunk: PointChunk, at: number, timeMs: number, quality: number): void {
    this.#out.utf8(`[${timeMs},${this.#name},`);
    this.#value(chunk, at, TABLE_STYLE);
    this.#out.ascii(`,${quality}]`);
  }

  #value({ type, points }: PointChunk, at: number, style: ValueStyle): void {
    values.writeValues(this.#out, { type, points, start: at, end: at + 1 }, style, 'first');
  }

  endEntry(end: EntryEnd): void {
    this.#out.utf8(`]${metaOf(noticesOf(end, this.#pointCount))}}`);
  }

  end(): void {
    this.#out.ascii(']');
  }
}

/** The member `meta`, with its comma; nothing without notices. */
export function metaOf(texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return `,"meta":${JSON.stringify({ notices: texts.map((text) => ({ severity: 'warning', text })) })}`;
}

function columnsOf({ type }: TagDefinition): object[] {
  return [
    { text: 'Time', type: 'time' },
    { text: 'Tag', type: 'string' },
    { text: 'Value', type: COLUMN_TYPES.get(type) ?? 'number' },
    { text: 'Quality', type: 'number' },
  ];
}

const COLUMN_TYPES: ReadonlyMap<ValueType, string> = new Map([
  [ValueType.Boolean, 'boolean'],
  [ValueType.String, 'string'],
  [ValueType.DateTime, 'string'],
]);

function noticesOf({ gaps, reducedFrom, results }: EntryEnd, pointCount: number): string[] {
  const texts = gapNotices(gaps);
  if (reducedFrom !== undefined && reducedFrom > pointCount) {
    texts.push(`Reduced: ${pointCount} of ${reducedFrom} points are shown, with every peak.`);
  }
  const percent = results?.percentGood;
  if (typeof percent === 'number' && percent < 100) texts.push(`${Math.floor(percent * 10) / 10} % good.`);
  return texts;
}

export function gapNotices(gaps: readonly ReadGap[]): string[] {
  return gaps.map(
    ({ start, end, points }) =>
      `${points} points from ${formatInstant(start)} to ${formatInstant(end)} cannot be read.`,
  );
}
