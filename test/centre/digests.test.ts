// Aggregates of many points at a centre: what the server sums up comes to the same as all points, and is not streamed.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CentrePlant } from '../support/clickhouse/centre-plant.ts';
import { whyNoChdb } from '../support/clickhouse/chdb-package.ts';
import { type ChdbServer, startChdb } from '../support/clickhouse/chdb-server.ts';
import { CountingProxy } from '../support/clickhouse/counting-proxy.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/server-process.ts';

const FIRST_MS = Date.parse('2024-03-28T00:00:00Z');
const DATA = '/api/datasets/Plant/data';
/** More than are streamed. */
const POINTS = 90_000;
const POINTS_A_BODY = 30_000;
const TAGS_A_ROUND = 3;
/** Least bytes of a row that is streamed. */
const ROW_BYTES = 47;

/** Functions whose results do not hang on sums. */
const SUMMED = [
  ...['Count', 'Minimum', 'Maximum', 'MinimumActualTime', 'MaximumActualTime', 'Range', 'Start', 'End', 'Delta'],
  ...['Minimum2', 'Maximum2', 'MinimumActualTime2', 'MaximumActualTime2', 'Range2', 'Interpolative', 'WorstQuality'],
  ...['StartBound', 'EndBound', 'DeltaBounds', 'DurationGood', 'DurationBad', 'PercentGood', 'PercentBad'],
  'WorstQuality2',
];

const skip = whyNoChdb();
const folder = temporaryFolder();
let chdb: ChdbServer;
let proxy: CountingProxy;
let plant: CentrePlant;

before(async () => {
  if (skip) return;
  chdb = await startChdb(join(folder, 'chdb'));
  proxy = await CountingProxy.start(chdb.address);
  plant = await CentrePlant.start({ address: proxy.address });
  await plant.send('POST', '/api/datasets', { n: 'Plant', pa: 0, ps: 0, late: 'accept' });
  await plant.send(
    'POST',
    '/api/datasets/Plant/tags',
    TAGS.map(({ n, t }) => ({ n, t })),
  );
});

after(async () => {
  if (!skip) {
    await plant.stop();
    proxy.stop();
    await chdb.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Point {
  readonly t: string;
  readonly v: number | string | boolean | null;
  readonly q: number;
}

type Make = (i: number, random: SeededRandom) => Pick<Point, 'v' | 'q'>;

const GOOD = 192;

function walk(i: number): number {
  return Math.round(400 * Math.sin(i / 900) + 90 * Math.sin(i / 7)) / 8;
}

/** Tags with a point each second, or `at` points each so many seconds, and what is in them. */
const TAGS: readonly { readonly n: string; readonly t: string; readonly make: Make; readonly at?: number }[] = [
  { n: 'Plain', t: 'System.Double', make: (i) => ({ v: walk(i), q: GOOD + (i % 5) }) },
  {
    n: 'Holes',
    t: 'System.Double',
    make: (i, random) => ({
      v: random.below(4000) === 0 ? null : walk(i),
      q: Math.floor(i / 3000) % 7 === 3 ? random.pick([0, 64, GOOD]) : GOOD,
    }),
  },
  { n: 'Zeros', t: 'System.Double', make: (_, random) => ({ v: random.pick([0, 0, 0, -0, 1e-300]), q: GOOD }) },
  { n: 'Bits', t: 'System.Boolean', make: (i) => ({ v: Math.floor(i / 777) % 2 === 0, q: GOOD }) },
  { n: 'Small', t: 'System.Single', make: (i) => ({ v: walk(i) / 3, q: GOOD }) },
  { n: 'Wide', t: 'System.Int64', make: (i) => ({ v: String(9_007_199_254_740_993n + BigInt(i % 1000)), q: GOOD }) },
  { n: 'Huge', t: 'System.UInt64', make: (i) => ({ v: String(2n ** 64n - 1n - BigInt(i % 3000) * 511n), q: GOOD }) },
  { n: 'Pairs', t: 'System.Double', make: (i) => ({ v: walk(i) * (i % 2 === 0 ? 1 : -1), q: GOOD }), at: 2 },
  { n: 'Exact', t: 'System.Decimal', make: (i) => ({ v: `${i % 100}.10`, q: GOOD }) },
  { n: 'Often', t: 'System.Int32', make: (i) => ({ v: i % 50, q: i % 97 === 0 ? 0 : GOOD }) },
];

function timeOf(i: number): string {
  return new Date(FIRST_MS + i * 1000).toISOString();
}

async function write(name: string, make: (i: number) => Point): Promise<void> {
  for (let from = 0; from < POINTS; from += POINTS_A_BODY) {
    const points = Array.from({ length: Math.min(POINTS_A_BODY, POINTS - from) }, (_, k) => make(from + k));
    await plant.send('POST', DATA, { [name]: points });
  }
}

/** Bytes that the centre gives meanwhile. */
async function bytesOf(path: string): Promise<number> {
  const before = proxy.answeredBytes;
  const { status, text } = await plant.atCentre('GET', path, undefined);
  assert.equal(status, 200, text.slice(0, 300));
  return proxy.answeredBytes - before;
}

function pathOf(query: Readonly<Record<string, string | number>>): string {
  return `${DATA}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

/** A range and intervals of any kind. */
function randomQuery(random: SeededRandom): Record<string, string | number> {
  const from = random.below(random.pick([10, 2000, POINTS])) - 1000;
  // Parts of ms are those that doubles hold: sums of others have other last digits at the edge, where blocks are summed up.
  const fraction = random.pick(['.000', '.000', '.250', '.0005']);
  const start = timeOf(from).replace('.000', fraction);
  const end = timeOf(from + 1 + random.below(POINTS) + random.pick([0, POINTS])).replace(
    '.000',
    random.pick(['.000', '.000', '.5']),
  );
  const interval = random.pick(['17h', '1h', '10m', '1h30m', '37s', '1d', '1M', '7m13s', '90001ms']);
  const functions = Array.from({ length: 1 + random.below(8) }, () => random.pick(SUMMED));
  // It needs all points, and is a whole number, so the same at both ends.
  if (random.below(6) === 0) functions.push('NumberOfTransitions');
  return {
    start,
    end,
    aggregate: [...new Set(functions)].join(','),
    ...random.pick([{}, { interval }, { interval, align: 'true', tz: random.pick(['UTC', 'Europe/Berlin']) }]),
    ...(random.below(3) === 0 && { interpolation: random.pick(['stepped', 'sloped']) }),
    ...(random.below(4) === 0 && { extrapolation: 'sloped' }),
    ...(random.below(3) === 0 && { treatUncertainAsBad: 'false' }),
    ...(random.below(3) === 0 && { percentGood: random.below(101), percentBad: random.below(101) }),
    ...(random.below(3) === 0 && { fill: random.pick(['none', 'previous', 'linear']) }),
  };
}

async function compare(random: SeededRandom, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const query = randomQuery(random);
    for (const { n } of random.shuffled(TAGS).slice(0, TAGS_A_ROUND))
      assert.match(await plant.same(pathOf({ tagname: n, ...query })), /"tl":|"s":/);
  }
}

async function withoutMerges(statement: string): Promise<void> {
  const url = chdb.address.replace('clickhouse', 'http');
  for (const query of ['SYSTEM STOP MERGES varve.points_local', statement]) {
    const answer = await fetch(url, { method: 'POST', body: query });
    assert.ok(answer.ok, await answer.text());
  }
}

test('random intervals and functions of tags of many types come to the same', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  for (const { n, make, at = 1 } of TAGS) await write(n, (i) => ({ t: timeOf(i - (i % at)), ...make(i, random) }));
  await plant.settled();
  await compare(random, 6);
});

test('of several points where an interval begins the last counts', { skip }, async () => {
  const aggregate = SUMMED.join(',');
  for (const interval of ['1h', '16h', '30m']) {
    const path = pathOf({ tagname: 'Pairs', start: timeOf(0), end: timeOf(POINTS), interval, aggregate });
    assert.ok((await bytesOf(path)) < (POINTS * ROW_BYTES) / 2);
    await plant.same(path);
  }
});

const MONTH = { start: timeOf(-5000), end: timeOf(POINTS + 5000) };

test('the points of few intervals stay at the server', { skip }, async () => {
  const streamed = await bytesOf(pathOf({ tagname: 'Plain', ...MONTH, interval: '1h', aggregate: 'Average' }));
  assert.ok(streamed > POINTS * ROW_BYTES, `averages need all points, got ${streamed} bytes`);
  for (const tagname of ['Plain', 'Bits', 'Small', 'Wide', 'Huge'])
    for (const aggregate of [SUMMED.join(','), 'Count', 'MaximumActualTime,DurationGood'])
      for (const interval of ['1h', '1M']) {
        const got = await bytesOf(pathOf({ tagname, ...MONTH, interval, aggregate }));
        assert.ok(got < streamed / 10, `${tagname}, ${aggregate}, ${interval}: ${got} bytes of ${streamed}`);
      }
});

test('points that are not good are read, with those next to them', { skip }, async () => {
  const path = pathOf({ tagname: 'Holes', ...MONTH, interval: '1h', aggregate: 'Count,Minimum,DurationGood' });
  const got = await bytesOf(path);
  assert.ok(got > 1000 * ROW_BYTES && got < (POINTS * ROW_BYTES) / 2, `${got} bytes`);
  await plant.same(path);
});

test('a row that came twice counts once', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  await withoutMerges(`INSERT INTO varve.points_local SELECT * FROM varve.points_local WHERE modulo(ordinal, 3) = 0`);
  await compare(random, 3);
  const path = pathOf({ tagname: 'Plain', ...MONTH, interval: '1h', aggregate: SUMMED.join(',') });
  await plant.same(path);
  const got = await bytesOf(path);
  assert.ok(got < POINTS * 5, `${got} bytes`);
});

test('points of one time, between ms, of another type, and behind a cut', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const from = (i: number): string => `start=${timeOf(i)}`;
  for (const name of ['Plain', 'Bits', 'Wide']) await plant.send('DELETE', `${DATA}?tagname=${name}&${from(80_000)}`);
  await plant.send('DELETE', `${DATA}?tagname=Plain&${from(79_000)}`);
  const again = (i: number, v: Point['v']): Point => ({ t: timeOf(79_500 + Math.floor(i / 3)), v, q: GOOD });
  await plant.send('POST', DATA, { Plain: Array.from({ length: 9000 }, (_, i) => again(i, i % 7 === 0 ? i : -i)) });
  const between = (i: number): string => timeOf(POINTS + i).replace('.000', i % 2 === 0 ? '.0005' : '.5');
  const more = Array.from({ length: 3000 }, (_, i) => ({ t: between(i), v: random.below(100), q: GOOD }));
  await plant.send('POST', DATA, { Small: more });
  await plant.send('POST', '/api/datasets/Plant/tags', [{ n: 'Bits', t: 'System.Double' }]);
  await plant.send('POST', DATA, { Bits: more });
  await plant.send('POST', '/api/datasets/Plant/tags', [{ n: 'Wide', t: 'System.Double' }]);
  await plant.settled();
  for (const tagname of ['Plain', 'Small', 'Bits', 'Wide']) {
    const query = { tagname, start: timeOf(-9), end: timeOf(2 * POINTS), interval: '1h' };
    await plant.same(pathOf({ ...query, aggregate: SUMMED.join(',') }));
  }
  await compare(random, 4);
});

test('tags with corrections and late points are read as they are', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  await plant.send('POST', DATA, { Plain: [{ t: timeOf(1000.5), v: 12_345, q: GOOD }] });
  await plant.send(
    'POST',
    `/api/datasets/Plant/corrections?tagname=Huge&kind=delete&start=${timeOf(9)}&end=${timeOf(99)}`,
  );
  await plant.settled();
  await compare(random, 2);
});
