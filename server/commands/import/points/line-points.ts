// The points of a file of line protocol: read by the reader of the server's own door, line by line, so that names and values are
// those that the same lines would have there.

import type { PointBatch, TagLookup } from '../../../../engine/index.ts';
import { payloadOf, SERVER_TIME, ValueType } from '../../../../engine/index.ts';
import { LineParser } from '../../../codec/line-protocol/line-parser.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import type { LineTemplate } from '../../../settings/line-template.ts';
import { formsOf } from '../recognise/clock-times.ts';
import { CsvFault, type CsvRecord } from '../recognise/csv-records.ts';
import type { CsvPoint, Findings, PointReader, ReaderOptions, StretchFindings, ValueKind } from './point-reader.ts';
import { TagValues, type ValueField } from './tag-values.ts';

export const LINE_PRECISIONS = ['ns', 'us', 'ms', 's'] as const;
export type LinePrecision = (typeof LINE_PRECISIONS)[number];

export interface LineFileOptions extends ReaderOptions {
  readonly precision: LinePrecision;
  readonly template: LineTemplate;
  /** Put in front of each tag. */
  readonly prefix: string;
}

const NO_TAGS: TagLookup = {
  findBytes: () => undefined,
  findFollowing: () => undefined,
  foundBytes: 0,
  changes: 0,
  find: () => undefined,
};
const MAX_TEXT_BYTES = 65_536;
/** Lines of exports that say what is to be made before the points come. */
const STATEMENT = /^\s*(#|CREATE DATABASE |$)/i;
const SAMPLE_LINES = 20;

export class LinePoints implements PointReader {
  readonly hasHeader = true;
  readonly isOtherForm = false;
  readonly doubts: readonly string[] = [];
  readonly #options: LineFileOptions;
  readonly values: TagValues;
  readonly #parser = new LineParser();

  constructor(options: LineFileOptions) {
    this.#options = options;
    this.values = new TagValues(new Set(), options);
  }

  findings(): Findings & StretchFindings {
    return { kinds: this.values.kinds(), stretches: [], isFinal: true };
  }

  read({ line, text }: CsvRecord): CsvPoint[] {
    if (STATEMENT.test(text)) return [];
    const { precision, template } = this.#options;
    const parsed = this.#parser.parse(Buffer.from(text), {
      lookup: NO_TAGS,
      template,
      precision,
      arrivalMs: 0,
      maxTextBytes: MAX_TEXT_BYTES,
      truths: 'boolean',
    });
    const points = parsed.firstBad === undefined ? this.#pointsOf(parsed.batch, line) : [];
    this.#parser.release(parsed.batch);
    if (parsed.firstBad !== undefined)
      throw new CsvFault(line, `${parsed.firstBad.fault}; want a line of line protocol`);
    return points;
  }

  #pointsOf({ points, runs }: PointBatch, line: number): CsvPoint[] {
    return runs.map(({ name, type, start }) => {
      const ticks = points.ticks[start] as number;
      const ms = points.timesMs[start] as number;
      if (ticks === SERVER_TIME)
        throw new CsvFault(line, 'the line has no time, which in a file says nothing; want one behind its fields');
      const time = { ms, ticks, text: formatInstant({ ms, ticks }) };
      const value: ValueField = { text: textAt(points, type, start), quotes: 'none', kind: kindOf(type) };
      return this.values.point(this.#options.prefix + name, time, value, line);
    });
  }
}

function kindOf(type: ValueType): ValueKind {
  if (type === ValueType.String) return 'text';
  return type === ValueType.Boolean ? 'boolean' : 'number';
}

function textAt({ numbers, bigints, texts }: PointBatch['points'], type: ValueType, at: number): string {
  if (type === ValueType.Boolean) return String(numbers[at] === 1);
  if (type === ValueType.UInt64) return String(BigInt.asUintN(64, bigints[at] as bigint));
  switch (payloadOf(type)) {
    case 'bigint':
      return String(bigints[at]);
    case 'text':
      return texts.at(numbers[at] as number);
    case 'number':
      return Object.is(numbers[at], -0) ? '-0' : String(numbers[at]);
  }
}

/** Whether the first lines are those of line protocol; the server's reader says it. */
export function areLines(records: readonly CsvRecord[], template: LineTemplate): boolean {
  const lines = linesOf(records);
  const reader = new LinePoints({ precision: 'ns', template, prefix: '', takesUnsorted: true });
  return lines.length > 0 && lines.every((record) => isLine(reader, record));
}

function isLine(reader: LinePoints, record: CsvRecord): boolean {
  try {
    return reader.read(record).length > 0;
  } catch (fault) {
    if (fault instanceof CsvFault) return false;
    throw fault;
  }
}

/** By the digits of the first times: a time of another precision would be far from today. */
export function guessPrecision(records: readonly CsvRecord[]): LinePrecision {
  for (const { text } of linesOf(records)) {
    const [form] = formsOf(/\s(\d+)\s*$/.exec(text)?.[1] ?? '');
    const precision = LINE_PRECISIONS.find((one) => one === form);
    if (precision !== undefined) return precision;
  }
  return 'ns';
}

function linesOf(records: readonly CsvRecord[]): readonly CsvRecord[] {
  return records.filter(({ text }) => !STATEMENT.test(text)).slice(0, SAMPLE_LINES);
}
