// format=parquet over HTTP, as an independent reader takes it: every type, null, bad quality, times to 100 ns, many row groups.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { startAccessServer } from '../../auth/support/access-server.ts';

const DATASET = 'Plant';
const PATH = `/api/datasets/${DATASET}/data`;
const RANGE = 'start=0001-01-01&end=9999-12-31';
const FIRST = '2026-01-01T00:00:00.0000019Z';
const SECOND = '2026-01-01T00:00:01.000Z';

interface Row {
  readonly tag: string;
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly time_100ns: number;
  readonly type: string | null;
  readonly value: number | null;
  readonly value_int64: bigint | null;
  readonly value_text: string | null;
  readonly quality: number;
}

/** A tag of each type, what is written, and the cells that it comes to. */
const TYPES: readonly (readonly [type: string, value: unknown, cells: readonly unknown[]])[] = [
  ['Boolean', true, [1, null, null]],
  ['SByte', -128, [-128, null, null]],
  ['UInt32', 4_294_967_295, [4_294_967_295, null, null]],
  ['Int64', '-9007199254740993', [-9_007_199_254_740_992, -9_007_199_254_740_993n, null]],
  ['UInt64', '18446744073709551615', [18_446_744_073_709_552_000, null, '18446744073709551615']],
  ['Single', 0.5, [0.5, null, null]],
  ['Double', -0.25, [-0.25, null, null]],
  ['Decimal', '12.3400', [12.34, null, '12.3400']],
  ['DateTime', '2026-02-03T04:05:06.7890001Z', [null, null, '2026-02-03T04:05:06.7890001Z']],
  ['String', ' Düse "A"\n\u{1f600}', [null, null, ' Düse "A"\n\u{1f600}']],
];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

async function rowsOf(file: Buffer): Promise<Row[]> {
  const parsers = {
    timestampFromMicroseconds: (microseconds: bigint) => microseconds,
    stringFromBytes: (text: Uint8Array | undefined) => (text === undefined ? undefined : decoder.decode(text)),
  };
  return (await parquetReadObjects({ file: new Uint8Array(file).buffer, parsers })) as unknown as Row[];
}

async function start(context: TestContext, data: object, types: readonly string[] = []) {
  const { http } = await startAccessServer(context, 'uws');
  const headers = { 'content-type': 'application/json' };
  const tags = types.map((type) => ({ n: type, t: `System.${type}` }));
  assert.ok((await http.post(PATH.replace(/data$/, 'tags'), tags, headers)).status < 300);
  const written = await http.post(PATH, data, headers);
  assert.equal(written.status, 200, written.text);
  return http;
}

describe('files of Parquet', () => {
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
    const answer = await http.get(
      `${PATH}?${types.map((type) => `tagname=${type}`).join('&')}&${RANGE}&format=parquet`,
    );
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.header('content-type'), 'application/vnd.apache.parquet');
    assert.equal(
      answer.header('content-disposition'),
      `attachment; filename="Plant.parquet"; filename*=UTF-8''Plant.parquet`,
    );
    const us = BigInt(Date.parse('2026-01-01T00:00:00Z')) * 1000n;
    const wanted = TYPES.flatMap(([tag, , [value, value_int64, value_text]]) => [
      { tag, time: us + 1n, time_100ns: 9, type: `System.${tag}`, value, value_int64, value_text, quality: 192 },
      {
        ...{ tag, time: us + 1_000_000n, time_100ns: 0, type: `System.${tag}` },
        ...{ value: null, value_int64: null, value_text: null, quality: 24 },
      },
    ]);
    assert.deepStrictEqual(await rowsOf(answer.bytes), wanted);
  });

  it('have row groups of bounded size, which say which tags they have', async (context) => {
    const count = 20_000;
    const startMs = Date.UTC(2026, 0, 1);
    const columns = (first: number, step: number) => {
      const t = Array.from({ length: count }, (_, i) => startMs + (first + i * step) * 1000);
      return { t, v: t.map((ms) => (ms - startMs) / 1000) };
    };
    const http = await start(context, { A: columns(0, 2), B: columns(0, 2) });
    const answer = await http.get(`${PATH}?tags=*&${RANGE}&format=parquet`);
    const rows = await rowsOf(answer.bytes);
    assert.equal(rows.length, 2 * count);
    for (const [i, { tag, time, value }] of rows.entries()) {
      const at = (i % count) * 2;
      if (tag === (i < count ? 'A' : 'B') && value === at && time === BigInt(startMs + at * 1000) * 1000n) continue;
      assert.fail(`row ${i} is ${tag} ${time} ${value}`);
    }
    const { row_groups: groups, num_rows: rowCount } = parquetMetadata(new Uint8Array(answer.bytes).buffer);
    assert.equal(Number(rowCount), 2 * count);
    assert.ok(groups.length > 2 && groups.every(({ num_rows }) => num_rows <= 16_384n), `${groups.length} groups`);
    const statistics = groups.map(({ columns: chunks }) => chunks[0]?.meta_data?.statistics);
    assert.deepEqual([statistics[0]?.max_value, statistics.at(-1)?.min_value], ['A', 'B']);
  });

  it('have late points in their place, and not what a correction has hidden', async (context) => {
    const { http } = await startAccessServer(context, 'uws');
    const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
    const made = await http.post('/api/datasets', { n: DATASET, pa: 0, ps: 0, late: 'accept' });
    assert.ok(made.status < 300, made.text);
    for (const seconds of [[1, 5], [3]]) {
      const written = await http.post(PATH, { A: seconds.map((second) => ({ t: at(second), v: second })) });
      assert.equal(written.status, 200, written.text);
    }
    const values = async (): Promise<(number | null)[]> => {
      const answer = await http.get(`${PATH}?tags=A&${RANGE}&format=parquet`);
      return (await rowsOf(answer.bytes)).map(({ value }) => value);
    };
    assert.deepEqual(await values(), [1, 3, 5]);
    const corrections = `/api/datasets/${DATASET}/corrections`;
    const hidden = await http.post(`${corrections}?tagname=A&kind=delete&start=${at(2)}&end=${at(4)}&reason=test`);
    assert.ok(hidden.status < 300, hidden.text);
    assert.deepEqual(await values(), [1, 5]);
  });

  it('have results of functions with the name of the function, and none where there are no points', async (context) => {
    const http = await start(context, { A: [{ t: SECOND, v: 2 }] });
    const query = 'tagname=A&start=2026-01-01T00:00:00Z&end=2026-01-01T00:00:04Z&interval=2s';
    const functions = await http.get(`${PATH}?${query}&aggregate=Count,Maximum&fill=none&format=parquet`);
    const rows = (await rowsOf(functions.bytes)) as (Row & { readonly function: string })[];
    assert.deepEqual(
      rows.map((row) => [row.tag, row.function, row.value]).filter(([, , value]) => value !== 0),
      [
        ['A', 'Count', 1],
        ['A', 'Maximum', 2],
      ],
    );
    const empty = await http.get(`${PATH}?tagname=A&start=2020-01-01&end=2020-01-02&format=parquet`);
    assert.deepEqual(await rowsOf(empty.bytes), []);
  });
});
