// The lines of a read of the server as rows of a workbook. Pure.

import { type Cell, numberCell } from './xlsx-parts.ts';

/** A line of the server, by the names of its columns. */
type Line = Readonly<Record<string, string | number | boolean | null>>;

export interface RowForm {
  readonly shape: 'rows' | 'wide';
  /** Names of the lines of the read, in its order, and what the columns of a wide sheet are called there. */
  readonly lines: readonly SheetLine[];
  /** How clocks differ from UTC at a time; undefined: times are in UTC alone. */
  readonly offsetMs: ((timeMs: number) => number) | undefined;
  readonly zone: string;
  /** Name of the function that results are of. */
  readonly fn: string | undefined;
}

export interface SheetLine {
  /** Name of the server: an expression for what is calculated. */
  readonly name: string;
  readonly shown: string;
  /** Texts of numbers of a state; undefined for what is none. */
  readonly states: ReadonlyMap<number, string> | undefined;
  /** Its values are texts, whatever they look like. */
  readonly isText: boolean;
}

const TIME_WIDTH = 24;
const USUAL_WIDTH = 16;

export interface SheetRows {
  readonly head: readonly string[];
  readonly widths: readonly number[];
  readonly rowOf: (json: string) => Cell[];
}

export function sheetRows(form: RowForm): SheetRows {
  const { lines, shape, fn } = form;
  const times = form.offsetMs === undefined ? ['time (UTC)'] : [`time (${form.zone})`, 'time (UTC)'];
  const shown = lines.map((line) => (fn === undefined ? line.shown : `${line.shown} ${fn}`));
  const columns = shape === 'wide' ? shown : ['tag', 'value', 'text', 'quality'];
  const byName = new Map(lines.map((line) => [line.name, line]));
  const toCells = shape === 'wide' ? wideCells(lines, fn) : longCells(byName);
  return {
    head: [...times, ...columns],
    widths: [
      ...times.map(() => TIME_WIDTH),
      ...columns.map((name) => Math.max(USUAL_WIDTH, Math.min(60, name.length + 2))),
    ],
    rowOf: (json) => {
      const line = JSON.parse(json) as Line;
      return [...timeCells(String(line.time), form.offsetMs), ...toCells(line)];
    },
  };
}

/** To the millisecond, which is what Excel keeps. */
function timeCells(iso: string, offsetMs: RowForm['offsetMs']): Cell[] {
  const timeMs = Date.parse(iso);
  return offsetMs === undefined ? [{ time: timeMs }] : [{ time: timeMs + offsetMs(timeMs) }, { time: timeMs }];
}

/** The number of a state and its text stand side by side. */
function longCells(byName: ReadonlyMap<string, SheetLine>): (line: Line) => Cell[] {
  return ({ tag, value = null, quality = null }) => {
    const known = byName.get(String(tag));
    const cell = valueCell(value, known?.isText === true);
    return [known?.shown ?? String(tag), cell, stateText(value, known), quality];
  };
}

function wideCells(lines: readonly SheetLine[], fn: string | undefined): (line: Line) => Cell[] {
  return (line) =>
    lines.map(({ name, isText, states }) => {
      const value = line[fn === undefined ? name : `${name} ${fn}`] ?? null;
      return (states === undefined ? undefined : states.get(Number(value ?? Number.NaN))) ?? valueCell(value, isText);
    });
}

function stateText(value: string | number | boolean | null, line: SheetLine | undefined): Cell {
  return value === null ? null : (line?.states?.get(Number(value)) ?? null);
}

/** What is no text has all its digits, or is a text of them. */
function valueCell(value: string | number | boolean | null, isText: boolean): Cell {
  if (typeof value === 'number') return numberCell(String(value));
  return typeof value === 'string' && !isText ? numberCell(value) : value;
}
