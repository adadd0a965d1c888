// The worked examples of OPC UA Part 13, each cell of each table. If the tables contradict each other or the text of the
// standard, what is right instead stands here, with the reason.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AggregateRules, Status } from '../../../engine/aggregates/input/aggregate-rules.ts';
import { EXPECTED, RAW_DATA } from './part13-examples.ts';
import { aggregateSeries, type Result, type SeriesPoint } from './series.ts';

const RANGE_S = 100;
const TOLERANCE = 0.001;

const HISTORIANS: Readonly<Record<string, AggregateRules>> = {
  1: { isStepped: false, treatUncertainAsBad: false, percentBad: 100, percentGood: 100, extrapolatesSlope: false },
  2: { isStepped: false, treatUncertainAsBad: true, percentBad: 100, percentGood: 100, extrapolatesSlope: true },
  3: { isStepped: true, treatUncertainAsBad: true, percentBad: 50, percentGood: 50, extrapolatesSlope: false },
  4: { isStepped: true, treatUncertainAsBad: true, percentBad: 100, percentGood: 100, extrapolatesSlope: false },
  5: { isStepped: false, treatUncertainAsBad: false, percentBad: 100, percentGood: 100, extrapolatesSlope: false },
};

const STATUS_BY_TEXT: Readonly<Record<string, Status>> = {
  G: Status.Good,
  U: Status.Uncertain,
  US: Status.Uncertain,
  B: Status.Bad,
  BND: Status.Bad,
};
const QUALITY_BY_TEXT: Readonly<Record<string, number>> = {
  Good: 192,
  Uncertain: 64,
  UncertainDataSubNormal: 64,
  Bad: 0,
  BadNoData: 0,
};
const QUALITY_OF_STATUS = { G: 192, U: 64, B: 0 } as const;

function parseValue(text: string): number | null {
  if (text === '-') return null;
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0;
  return QUALITY_BY_TEXT[text] ?? Number(text);
}

function secondsOf(clock: string): number {
  const [minutes, seconds] = clock.split(':').slice(-2);
  return Number(minutes) * 60 + Number(seconds);
}

function pointsOf(historian: string): SeriesPoint[] {
  return (RAW_DATA[`H${historian}`] as string)
    .split(' ; ')
    .flatMap((part) => part.split('; '))
    .map((part) => {
      const [clock, value, status] = part.trim().split(' ') as [string, string, 'G' | 'U' | 'B'];
      return { time: secondsOf(clock) * 1000, value: parseValue(value), quality: QUALITY_OF_STATUS[status] };
    });
}

interface Cell {
  readonly value: number | null;
  readonly status: Status;
  /** In s; undefined is the interval's start. */
  readonly time: number | undefined;
}

function parseCell(text: string): Cell {
  const parts = text.split(' ');
  const time = parts[0]?.startsWith('@') ? secondsOf((parts.shift() as string).slice(1)) : undefined;
  const [value, status] = parts as [string, string];
  return { time, value: parseValue(value), status: STATUS_BY_TEXT[status.split('.')[0] as string] as Status };
}

interface Row {
  readonly name: string;
  readonly historian: string;
  readonly intervalS: number;
  readonly cells: readonly Cell[];
}

const ROWS: readonly Row[] = EXPECTED.trim()
  .split('\n')
  .map((line) => {
    const [name, historian, interval, cells] = line.split('|') as [string, string, string, string];
    return { name, historian, intervalS: Number(interval), cells: cells.split(' ; ').map(parseCell) };
  });

function edgesOf(intervalS: number): number[] {
  const edges: number[] = [];
  for (let s = 0; s < RANGE_S; s += intervalS) edges.push(s * 1000);
  return [...edges, RANGE_S * 1000];
}

function describeResult({ value, status, time }: Cell | Result): string {
  return `${value} ${status}${time === undefined ? '' : ` at ${time}`}`;
}

function isSame(cell: Cell, result: Result, startS: number): boolean {
  const isClose =
    cell.value === null
      ? result.value === null
      : result.value !== null && Math.abs(cell.value - result.value) <= TOLERANCE;
  const [wanted, got] = [(cell.time ?? startS) * 1000, result.time ?? startS * 1000];
  const hasTime = cell.time === undefined && result.time === undefined ? true : Math.abs(wanted - got) < 0.5;
  return isClose && cell.status === result.status && (hasTime || (cell.value === null && cell.time === undefined));
}

const NOT_STEPPED =
  'The table repeats the sloped values of historian 2. Total of historian 3, which is the same over the usable time, is stepped.';
const MOSTLY_BAD = '60 % of the interval are bad, and from 50 % on the result is to be bad.';
const UNCERTAIN_START =
  'The interval begins in the uncertain value of 12:01:17, which is bad here: the table has it so in the interval before, and for historian 2.';

/** Cells that are not followed: function|historian|cell -> what is right, and why. */
const CORRECTIONS: Readonly<Record<string, { readonly is: string; readonly why: string }>> = {
  'TimeAverage|3|0': { is: '10 US', why: NOT_STEPPED },
  'TimeAverage|3|1': { is: '10 G', why: NOT_STEPPED },
  'TimeAverage|3|2': { is: '10 G', why: NOT_STEPPED },
  'TimeAverage|3|3': { is: '10 G', why: NOT_STEPPED },
  'TimeAverage|3|4': { is: '10 G', why: NOT_STEPPED },
  'TimeAverage|3|5': { is: '22 G', why: NOT_STEPPED },
  'TimeAverage|3|6': { is: '25 G', why: NOT_STEPPED },
  'TimeAverage|3|7': { is: '26 G', why: NOT_STEPPED },
  'TimeAverage|3|8': { is: '30 US', why: NOT_STEPPED },
  'TimeAverage|3|9': { is: '34 US', why: NOT_STEPPED },
  'TimeAverage|3|10': { is: '46 G', why: NOT_STEPPED },
  'TimeAverage|3|11': { is: '50 G', why: NOT_STEPPED },
  'TimeAverage|3|12': { is: '50 G', why: NOT_STEPPED },
  'TimeAverage|3|13': { is: '50 G', why: NOT_STEPPED },
  'TimeAverage|3|14': { is: '56 G', why: NOT_STEPPED },
  'TimeAverage|3|15': { is: '60 US', why: NOT_STEPPED },
  'TimeAverage|3|16': { is: '64 US', why: NOT_STEPPED },
  'TimeAverage|3|17': { is: '78 G', why: NOT_STEPPED },
  'TimeAverage2|3|8': { is: '- B', why: MOSTLY_BAD },
  'TimeAverage2|3|9': { is: '- B', why: MOSTLY_BAD },
  'TimeAverage2|3|15': { is: '- B', why: MOSTLY_BAD },
  'TimeAverage2|3|16': { is: '- B', why: MOSTLY_BAD },
  'Total2|3|8': { is: '- B', why: MOSTLY_BAD },
  'Total2|3|9': { is: '- B', why: MOSTLY_BAD },
  'Total2|3|15': { is: '- B', why: MOSTLY_BAD },
  'Total2|3|16': { is: '- B', why: MOSTLY_BAD },
  'DurationBad|3|5': { is: '3000 G', why: UNCERTAIN_START },
  'DurationBad|4|5': { is: '3000 G', why: UNCERTAIN_START },
  'PercentBad|3|5': { is: '29.997 G', why: UNCERTAIN_START },
  'PercentBad|4|5': { is: '29.997 G', why: UNCERTAIN_START },
};

describe('worked examples of OPC UA Part 13', () => {
  const used = new Set<string>();
  for (const row of ROWS) {
    it(`${row.name}, historian ${row.historian}, ${row.intervalS} s`, () => {
      const { results } = aggregateSeries(pointsOf(row.historian), {
        names: [row.name],
        rules: HISTORIANS[row.historian] as AggregateRules,
        edges: edgesOf(row.intervalS),
      });
      const [got] = results as [Result[]];
      assert.equal(got.length, row.cells.length);
      const faults = row.cells.flatMap((cell, k) => {
        const key = `${row.name}|${row.historian}|${k}`;
        const correction = CORRECTIONS[key];
        if (correction) used.add(key);
        const wanted = correction ? parseCell(correction.is) : cell;
        const result = got[k] as Result;
        if (isSame(wanted, result, k * row.intervalS)) return [];
        return [`cell ${k}: got ${describeResult(result)}; want ${describeResult(wanted)}`];
      });
      assert.deepEqual(faults, []);
    });
  }

  it('has no correction that no cell needs', () => {
    assert.deepEqual([...used].sort(), Object.keys(CORRECTIONS).sort());
  });
});
