// The rows of a file of Parquet as JSON lines, so that they are recognised, checked and sent as those are.

import type { DecodedArray, SchemaElement } from 'hyparquet';
import { type ParquetContent, type ParquetGroup, readParquet } from './parquet-file.ts';
import { isTime, isUtc } from './parquet-times.ts';

/** Characters of lines that are given at once. */
const SLICE_CHARACTERS = 256 * 1024;
/** Columns that only this project's exports have all of. */
const OWN_COLUMNS = ['time', 'time_100ns', 'type', 'value', 'value_int64', 'value_text', 'quality'];

export interface LinesSlice {
  readonly bytes: Uint8Array;
  /** Bytes of the file that were read for it. */
  readonly readBytes: number;
}

/** Throws a `ParquetFault`. */
export function parquetLines(path: string): AsyncGenerator<LinesSlice> {
  return readParquet(path, slicesOf);
}

async function* slicesOf({ columns, groups }: ParquetContent): AsyncGenerator<LinesSlice> {
  const rowText =
    columns.some(({ name }) => name === 'tag') && OWN_COLUMNS.every((own) => columns.some(({ name }) => name === own))
      ? ownRow(columns)
      : plainRow(columns);
  for await (const group of groups()) yield* slicesOfGroup(group, rowText);
}

type RowText = (columns: readonly DecodedArray[], row: number) => string;

function* slicesOfGroup({ columns, rowCount, sizeBytes }: ParquetGroup, rowText: RowText): Generator<LinesSlice> {
  let text = '';
  let readBytes = sizeBytes;
  for (let row = 0; row < rowCount; row++) {
    text += rowText(columns, row);
    if (text.length < SLICE_CHARACTERS && row < rowCount - 1) continue;
    yield { bytes: Buffer.from(text), readBytes };
    text = '';
    readBytes = 0;
  }
}

/** A key for each column. */
function plainRow(columns: readonly SchemaElement[]): RowText {
  const cells = columns.map((column) => ({ key: `${JSON.stringify(column.name)}:`, ...kindOf(column) }));
  return (values, row) =>
    `{${cells.map(({ key, ...kind }, index) => key + cellText(values[index]?.[row], kind)).join(',')}}\n`;
}

/** A row of this project's own exports: the value is in the column that has it exactly. */
function ownRow(columns: readonly SchemaElement[]): RowText {
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const [tag, time, ticks, type, value, whole, text, quality] = ['tag', ...OWN_COLUMNS].map(at) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return (values, row) => {
    const cell = (column: number): unknown => values[column]?.[row];
    // Rows without a type stand for what could not be read when the file was written.
    if (cell(type) === undefined || cell(type) === null) return '\n';
    // Microseconds, and units of 100 ns behind them.
    const instant = `${String(cell(time)).slice(0, -3)}${String(cell(ticks))}00Z`;
    const point = { tag: cell(tag), time: instant };
    const shown = valueText(String(cell(type)), { value: cell(value), whole: cell(whole), text: cell(text) });
    return `${JSON.stringify(point).slice(0, -1)},"value":${shown},"quality":${String(cell(quality))}}\n`;
  };
}

interface OwnValue {
  readonly value: unknown;
  readonly whole: unknown;
  readonly text: unknown;
}

function valueText(type: string, { value, whole, text }: OwnValue): string {
  if (whole !== undefined && whole !== null) return String(whole);
  if (type === 'Boolean') return value === undefined || value === null ? 'null' : String(value === 1);
  if (text !== undefined && text !== null)
    return type === 'UInt64' || type === 'Decimal' ? String(text) : JSON.stringify(text);
  return value === undefined || value === null ? 'null' : JSON.stringify(value);
}

interface CellKind {
  readonly isTime: boolean;
  readonly isUtc: boolean;
}

function kindOf(column: SchemaElement): CellKind {
  return { isTime: isTime(column), isUtc: isUtc(column) };
}

/** What JSON has no number for is no value, as are bytes. */
function cellText(value: unknown, kind: CellKind): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(kind.isUtc ? `${value}Z` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : 'null';
}
