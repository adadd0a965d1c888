// Files that are longer than the part by which they are recognised: what later rows tell counts for all rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile, type OpenedSource, sendFile } from '../../../../server/commands/import/import-file.ts';
import { openFile, SAMPLE_BYTES } from '../../../../server/commands/import/open-file.ts';
import type { ImportWishes } from '../../../../server/commands/import/opened-file.ts';
import type { PointBatch } from '../../../../server/commands/import/point-batch.ts';
import { CsvFault } from '../../../../server/commands/import/recognise/csv-records.ts';

interface Stored {
  /** `tag time value`, of the tags that are asked for. */
  readonly points: string[];
  readonly faults: string[];
  readonly pointCount: number;
  readonly doubts: readonly string[];
}

function source(text: string, wishes: Partial<ImportWishes>, isOnePass: boolean): OpenedSource {
  const bytes = Buffer.from(text);
  const isWhole = bytes.length <= SAMPLE_BYTES;
  const opened = openFile(bytes.subarray(0, SAMPLE_BYTES), isWhole, { texts: new Set(), ...wishes });
  async function* slices(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += SAMPLE_BYTES) yield bytes.subarray(at, at + SAMPLE_BYTES);
  }
  return { ...opened, slices, isOnePass: isOnePass && !isWhole };
}

class Kept {
  readonly points: string[] = [];
  readonly #tags: readonly string[];

  constructor(tags: readonly string[]) {
    this.#tags = tags;
  }

  async send(batch: PointBatch): Promise<void> {
    const body = JSON.parse(batch.body()) as Record<string, { t: string; v: unknown; q?: number }[]>;
    for (const tag of this.#tags)
      for (const { t, v, q } of body[tag] ?? [])
        this.points.push(`${tag} ${t.slice(5, 16)} ${JSON.stringify(v)}${q === undefined ? '' : ` ${q}`}`);
  }
}

/** Checked and sent, as a file is. */
async function store(text: string, tags: readonly string[], wishes: Partial<ImportWishes> = {}): Promise<Stored> {
  const check = await checkFile(source(text, wishes, false));
  const kept = new Kept(tags);
  const faults: string[] = [];
  const onReject = ({ line, message }: CsvFault): void => {
    faults.push(`${line}: ${message}`);
  };
  const { opened, findings, isUnsorted, pointCount } = check;
  const { doubts } = await sendFile(opened, kept, { onReject, sorts: isUnsorted, findings });
  assert.deepEqual(doubts, check.doubts);
  assert.equal(check.faultCount, faults.length);
  return { points: kept.points, faults, pointCount, doubts };
}

/** Sent as it comes. */
async function pipe(text: string, tags: readonly string[], wishes: Partial<ImportWishes> = {}): Promise<Stored> {
  const kept = new Kept(tags);
  const faults: string[] = [];
  const sent = await sendFile(source(text, wishes, true), kept).catch((fault: unknown) => {
    if (!(fault instanceof CsvFault)) throw fault;
    faults.push(`${fault.line}: ${fault.message}`);
  });
  return { points: kept.points, faults, pointCount: 0, doubts: sent?.doubts ?? [] };
}

const START_MS = Date.UTC(2025, 0, 1);
const ROWS = 8000;

function timeOf(row: number): string {
  return new Date(START_MS + row * 60_000).toISOString();
}

const LONG_ROWS = Array.from({ length: ROWS }, (_, row) => `Level number ${row % 3},${timeOf(row)},${row / 4}`);
const long = (...rows: string[]): string => ['tag,time,value', ...LONG_ROWS, ...rows].join('\n');
const at = (row: number): string => timeOf(ROWS + row);
const short = (row: number): string => at(row).slice(5, 16);

test('a tag that is first seen late, and has texts, keeps words that mean no value elsewhere', async () => {
  // The first part has a word among numbers, so that the file is none of the project's own form.
  const rows = (tag: string, ...values: string[]) => values.map((value, i) => `${tag},${at(i)},${value}`);
  const text = long(...rows('State', '-', 'unknown', 'idle', '-', 'bad')).replace(',0.5\n', ',NaN\n');
  const { points, faults, pointCount } = await store(text, ['State']);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    points,
    ['"-"', '"unknown"', '"idle"', '"-"', '"bad"'].map((v, i) => `State ${short(i)} ${v}`),
  );
  assert.equal(pointCount, ROWS + 5);
  const numbers = await store(text.replace('idle', '5'), ['State']);
  assert.deepEqual(
    numbers.points,
    ['null', 'null 0', '5', 'null', 'null 0'].map((v, i) => `State ${short(i)} ${v}`),
  );
});

test('a column whose first part has only words is one of texts where a later row says so, and its points are counted', async () => {
  const rows = Array.from({ length: ROWS }, (_, row) => `${timeOf(row)},${row / 4},-,NaN`);
  const text = ['time,Level number 1,State,Flow', ...rows, `${at(0)},1,running,2`, `${at(1)},1,N/A,-`].join('\n');
  const { points, pointCount } = await store(text, ['State', 'Flow']);
  assert.equal(points.filter((point) => point.startsWith('State') && point.endsWith('"-"')).length, ROWS);
  assert.deepEqual(points.slice(-3), [`State ${short(0)} "running"`, `State ${short(1)} "N/A"`, `Flow ${short(0)} 2`]);
  assert.equal(pointCount, 2 * (ROWS + 2) + 1);
});

test('numbers with thousands signs of a tag that turns out to have texts are faults', async () => {
  const text = long(`Batch,${at(0)},1 234`, `Batch,${at(1)},A 7`, `Batch,${at(2)},1 235`).replace(',0.5\n', ',NaN\n');
  const { points, faults } = await store(text, ['Batch']);
  assert.deepEqual(points, [`Batch ${short(0)} 1234`, `Batch ${short(2)} 1235`]);
  assert.deepEqual(faults, [
    `${ROWS + 3}: got "A 7" for Batch; want a number, as in line ${ROWS + 2}, or --text "Batch" where all are texts`,
  ]);
  const said = await store(text, ['Batch'], { texts: new Set(['Batch']) });
  assert.deepEqual(
    said.points,
    ['"1 234"', '"A 7"', '"1 235"'].map((value, i) => `Batch ${short(i)} ${value}`),
  );
});

test("late words and thousands signs show that a file is none of the project's own form", async () => {
  const rows = ['Flow|NaN', 'Flow|2', 'Count|"1,234.5"', 'Count|1 300', 'State|-', 'State|on'];
  const text = long(...rows.map((row, i) => row.replace('|', `,${at(i)},`)));
  const { points, faults } = await store(text, ['Flow', 'Count', 'State']);
  assert.deepEqual(faults, []);
  assert.deepEqual(points, [
    `Flow ${short(0)} null`,
    `Flow ${short(1)} 2`,
    `Count ${short(2)} 1234.5`,
    `Count ${short(3)} 1300`,
    `State ${short(4)} "-"`,
    `State ${short(5)} "on"`,
  ]);
});

test('a tag that has words for no value alone is named', async () => {
  const { doubts } = await store(long(`State,${at(0)},-`, `Other,${at(0)},unknown`), []);
  assert.deepEqual(doubts, [
    `No values but words such as "-" (line ${ROWS + 2}): "State" and 1 more; they are taken for no value. --text "State" where they are texts.`,
  ]);
});

test('what only the first part does not tell is a fault of its row: a decimal sign, a zone', async () => {
  const whole = LONG_ROWS.map((row) => row.replace(/,[^,]*$/, ',7')).join('\n');
  const { faults } = await store(
    `tag,time,value\n${whole}\nP,${at(0)},"1,234"\nP,${at(1).slice(0, 19)},5\nP,${at(2)},NaN`,
    ['P'],
  );
  assert.match(
    faults[0] ?? '',
    /: got 1,234, which can be a thousand or a fraction; want --decimal \. or --decimal ,$/,
  );
  assert.match(faults[1] ?? '', /does not say in which time zone it is; want --tz <zone>$/);
});

test('rows that come only once are refused where only later ones would tell what they mean', async () => {
  const word = await pipe(long(`State,${at(0)},-`, `State,${at(1)},idle`), ['State']);
  assert.deepEqual(word.points, []);
  assert.deepEqual(word.faults, [
    `${ROWS + 2}: got "-" for State, and no row before tells whether its values are texts; want --text "State" where they are, or --null "-" where it means no value`,
  ]);
  const nan = long(`State,${at(0)},1 234`)
    .replace(',0.5\n', ',NaN\n')
    .replaceAll(/,\d+\.\d+\n/g, ',1\n');
  const grouped = await pipe(nan, ['State']);
  assert.match(grouped.faults[0] ?? '', /^8002: got "1 234" for State, .* or --decimal \. where it is a number$/);
  const text = long(`State,${at(0)},-`, `State,${at(1)},idle`);
  const texts = await pipe(text, ['State'], { texts: new Set(['State']) });
  assert.deepEqual(texts.points, [`State ${short(0)} "-"`, `State ${short(1)} "idle"`]);
  const nothing = await pipe(text.replace('idle', '4'), ['State'], { nulls: new Set(['-']) });
  assert.deepEqual(nothing.points, [`State ${short(0)} null`, `State ${short(1)} 4`]);
});

test('rows that come only once are taken by what the first part and rows before tell', async () => {
  const text = long(`State,${at(0)},idle`, `State,${at(1)},-`).replace(',0.5\n', ',NaN\n');
  const { points, faults } = await pipe(text, ['State']);
  assert.deepEqual([points, faults], [[`State ${short(0)} "idle"`, `State ${short(1)} "-"`], []]);
});
