// format=arrow over HTTP, as apache-arrow itself reads it: every type, null, bad quality, times to 100 ns, many batches.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { RecordBatchReader, tableFromIPC } from 'apache-arrow';
import { startAccessServer } from '../../auth/support/access-server.ts';
import { turnsOf } from '../../doors/turns-taken.ts';

const PATH = '/api/datasets/Plant/data';
const RANGE = 'start=0001-01-01&end=9999-12-31';
const FIRST = '2026-01-01T00:00:00.0000019Z';
const SECOND = '2026-01-01T00:00:01.000Z';

/** A tag of each type, what is written, and the cells that it comes to. */
const TYPES: readonly (readonly [type: string, value: unknown, cells: readonly unknown[]])[] = [
  ['Boolean', true, [1, null, null]],
  ['SByte', -128, [-128, null, null]],
  ['Byte', 255, [255, null, null]],
  ['Int16', -32_768, [-32_768, null, null]],
  ['UInt16', 65_535, [65_535, null, null]],
  ['Int32', -2_147_483_648, [-2_147_483_648, null, null]],
  ['UInt32', 4_294_967_295, [4_294_967_295, null, null]],
  ['Int64', '-9007199254740993', [-9_007_199_254_740_992, -9_007_199_254_740_993n, null]],
  ['UInt64', '18446744073709551615', [18_446_744_073_709_552_000, null, '18446744073709551615']],
  ['Single', 0.5, [0.5, null, null]],
  ['Double', -0.25, [-0.25, null, null]],
  ['Decimal', '12.3400', [12.34, null, '12.3400']],
  ['DateTime', '2026-02-03T04:05:06.7890001Z', [null, null, '2026-02-03T04:05:06.7890001Z']],
  ['String', ' Düse "A"\n\u{1f600}\t ', [null, null, ' Düse "A"\n\u{1f600}\t ']],
];

interface Row {
  readonly tag: string;
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly value: number | null;
  readonly value_text: string | null;
  readonly [column: string]: unknown;
}

/** Times as they are stored: the reader makes doubles of milliseconds of them. */
function rowsOf(file: Buffer): Row[] {
  const table = tableFromIPC(new Uint8Array(file));
  const times = table.batches.flatMap((batch) => [...(batch.getChild('time')?.data[0]?.values ?? [])]);
  return table.toArray().map((row, i) => ({ ...(row.toJSON() as Row), time: times[i] as bigint }));
}

async function start(context: TestContext, data: object, types: readonly string[] = []) {
  const { http } = await startAccessServer(context, 'uws');
  const tags = types.map((type) => ({ n: type, t: `System.${type}` }));
  assert.ok((await http.post(PATH.replace(/data$/, 'tags'), tags)).status < 300);
  const written = await http.post(PATH, data);
  assert.equal(written.status, 200, written.text);
  return http;
}

describe('streams of Arrow', () => {
  it('have every type, null, bad quality and units of 100 ns', async (context) => {
    const types = TYPES.map(([type]) => type);
    const points = TYPES.map(([type, v]) => [
      type,
      [
        { t: FIRST, v },
        { t: SECOND, v: null, q: 24 },
      ],
    ]);
    const http = await start(context, Object.fromEntries(points), types);
    const answer = await http.get(`${PATH}?${types.map((type) => `tagname=${type}`).join('&')}&${RANGE}&format=arrow`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.header('content-type'), 'application/vnd.apache.arrow.stream');
    assert.match(answer.header('content-disposition') ?? '', /filename="Plant.arrows"/);
    const us = BigInt(Date.parse('2026-01-01T00:00:00Z')) * 1000n;
    const wanted = TYPES.flatMap(([tag, , [value, value_int64, value_text]]) => [
      { tag, time: us + 1n, time_100ns: 9, type: `System.${tag}`, value, value_int64, value_text, quality: 192 },
      {
        ...{ tag, time: us + 1_000_000n, time_100ns: 0, type: `System.${tag}` },
        ...{ value: null, value_int64: null, value_text: null, quality: 24 },
      },
    ]);
    assert.deepStrictEqual(rowsOf(answer.bytes), wanted);
    const { schema } = tableFromIPC(new Uint8Array(answer.bytes));
    assert.equal(schema.metadata.get('varve.dataset'), 'Plant');
    assert.deepEqual(
      schema.fields.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '?' : ''}`),
      [
        ...['tag Utf8', 'time Timestamp<MICROSECOND, UTC>', 'time_100ns Int32', 'type Utf8?'],
        ...['value Float64?', 'value_int64 Int64?', 'value_text Utf8?', 'quality Int32'],
      ],
    );
  });

  it('have texts that end in white space, are empty, or in halves, and names with blanks, each as it is', async (context) => {
    const texts = ['', ' ', 'a\n', '\u{1f600}', 'ä', '\u0000', '"', 'NA', 'x'.repeat(60_000)];
    const values = texts.map((v, i) => ({ t: 1_767_225_600_000 + i, v }));
    const http = await start(context, { 'Line 1/Düse': values, 'Line 2': values });
    const answer = await http.get(`${PATH}?tags=*&${RANGE}&format=arrow`);
    const rows = rowsOf(answer.bytes);
    assert.deepEqual(
      rows.map(({ value_text: text }) => text),
      [...texts, ...texts],
    );
    assert.deepEqual([...new Set(rows.map(({ tag }) => tag))], ['Line 1/Düse', 'Line 2']);
  });

  it('have batches of bounded size that come one after the other, while others have their turns', async (context) => {
    const count = 20_000;
    const t = Array.from({ length: count }, (_, i) => Date.UTC(2026, 0, 1) + i * 1000);
    const http = await start(context, { A: { t, v: t.map((ms) => ms / 8) } });
    assert.equal((await http.post(PATH, { B: { t, v: t.map((_, i) => `text ${i}`) } })).status, 200);
    let bytes: Buffer = Buffer.alloc(0);
    const turns = await turnsOf(async () => {
      bytes = (await http.get(`${PATH}?tags=*&${RANGE}&format=arrow`)).bytes;
    });
    const reader = RecordBatchReader.from(new Uint8Array(bytes));
    const sizes: number[] = [];
    let at = 0;
    for (const batch of reader) {
      sizes.push(batch.numRows);
      const [tags, values, texts] = ['tag', 'value', 'value_text'].map((name) => batch.getChild(name));
      for (let i = 0; i < batch.numRows; i++, at++) {
        const row = [tags?.get(i), values?.get(i), texts?.get(i)];
        const wanted = at < count ? ['A', (t[at] as number) / 8, null] : ['B', null, `text ${at - count}`];
        if (row.some((cell, k) => cell !== wanted[k])) assert.fail(`row ${at} is ${row.join()}`);
      }
    }
    assert.equal(at, 2 * count);
    assert.ok(sizes.length >= 10 && sizes.every((size) => size <= 4096), sizes.join());
    assert.ok(turns >= 8, `${turns} turns`);
  });

  it('have results of functions with the name of the function, and a schema where there are no points', async (context) => {
    const http = await start(context, { A: [{ t: SECOND, v: 2 }] });
    const query = 'tagname=A&start=2026-01-01T00:00:00Z&end=2026-01-01T00:00:04Z&interval=2s';
    const functions = await http.get(`${PATH}?${query}&aggregate=Count,Maximum&fill=none&format=arrow`);
    assert.deepEqual(
      rowsOf(functions.bytes)
        .filter(({ value }) => value !== 0)
        .map((row) => [row.tag, row.function, row.state, row.value]),
      [
        ['A', 'Count', null, 1],
        ['A', 'Maximum', null, 2],
      ],
    );
    const empty = await http.get(`${PATH}?tagname=A&start=2020-01-01&end=2020-01-02&format=arrow`);
    const table = tableFromIPC(new Uint8Array(empty.bytes));
    assert.deepEqual([table.numRows, table.schema.fields.length], [0, 8]);
  });

  it('have late points in their place, and do not go with what a table has no place for', async (context) => {
    const { http } = await startAccessServer(context, 'node');
    const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
    assert.ok((await http.post('/api/datasets', { n: 'Plant', pa: 0, ps: 0, late: 'accept' })).status < 300);
    for (const seconds of [[1, 5], [3]])
      await http.post(PATH, { A: seconds.map((second) => ({ t: at(second), v: second })) });
    const answer = await http.get(`${PATH}?tags=A&${RANGE}&format=arrow`);
    assert.deepEqual(
      rowsOf(answer.bytes).map(({ value }) => value),
      [1, 3, 5],
    );
    const refused = await http.get(`${PATH}?tagname=A&format=arrow&after=MC4w`);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /'after' does not go with 'format=arrow'/);
  });
});
