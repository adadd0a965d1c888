import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CentrePlant } from '../support/clickhouse/centre-plant.ts';
import { whyNoChdb } from '../support/clickhouse/chdb-package.ts';
import { type ChdbServer, startChdb } from '../support/clickhouse/chdb-server.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/server-process.ts';

const FIRST_MS = Date.parse('2023-11-14T22:13:20Z');
const DATA = '/api/datasets/Plant/data';
const DAY = 'start=2023-11-14T00:00:00Z&end=2023-11-16T00:00:00Z';
const HOUR = 'start=2023-11-14T23:00:00Z&end=2023-11-15T00:00:00Z';
const POINTS = 20_000;

const skip = whyNoChdb();
const folder = temporaryFolder();
let chdb: ChdbServer;
let plant: CentrePlant;

before(async () => {
  if (skip) return;
  chdb = await startChdb(join(folder, 'chdb'));
  plant = await CentrePlant.start({ address: chdb.address });
});

after(async () => {
  if (!skip) {
    await plant.stop();
    await chdb.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

function time(seconds: number): string {
  return new Date(FIRST_MS + seconds * 1000).toISOString();
}

/** Every kind of read of the tags, and what is listed. */
async function compareAll(): Promise<void> {
  const paths = [
    '/tags',
    `/data?tagname=Flow&tagname=Text&tagname=State`,
    `/data?tagname=Flow&${DAY}`,
    `/data?tagname=Flow&tagname=State&${HOUR}&boundary=carry`,
    `/data?tagname=State&start=2023-11-14T23:00:00.5Z&end=2023-11-14T23:10:00Z&boundary=carry`,
    `/data?tagname=Flow&tagname=Text&end=2023-11-14T23:00:00Z`,
    `/data?tagname=Flow&end=2023-11-14T22:59:59.9Z`,
    `/data?tagname=Text&${DAY}`,
    `/data?tagname=Wide&tagname=Exact&tagname=Time&${DAY}&exact=string`,
    `/data?tagname=Flow&${DAY}&interval=7m&aggregate=TimeAverage&aggregate=Count&aggregate=Minimum&aggregate=Interpolative&aggregate=End`,
    `/data?tagname=Flow&${HOUR}&interval=1m&aggregate=Average&aggregate=PercentGood&fill=linear`,
    `/data?tagname=State&${DAY}&interval=30m&aggregate=DurationInStateNonZero&aggregate=NumberOfTransitions`,
    `/statistics?tagname=Flow&tagname=State&${DAY}`,
    `/data?tagname=Nope&${DAY}`,
    `/data?tagname=Flow&${DAY}&format=columns`,
    `/corrections`,
  ];
  for (const path of paths) await plant.same(`/api/datasets/Plant${path}`);
  await plant.same('/api/datasets/Plant/read', {
    tagname: ['Flow', 'Text'],
    start: '2023-11-14T00:00:00Z',
    end: '2023-11-16T00:00:00Z',
    points: 200,
  });
  await plant.same('/api/datasets/Plant/read', {
    tagname: ['Flow'],
    start: '2023-11-14T23:00:00Z',
    end: '2023-11-16T00:00:00Z',
    points: 50,
    boundary: 'carry',
  });
  await comparePages();
  await compareDoors();
}

/** Single points, which the doors and expressions read without asking for several at once. */
async function compareDoors(): Promise<void> {
  const value = await plant.same('/i3x/v1/objects/value', { elementIds: ['Plant:Flow', 'Plant:State'] });
  assert.match(value, /"value":-?[0-9]/);
  const query = encodeURIComponent('varve_value{dataset="Plant",tag="Flow"}');
  const found = await plant.same(`/prometheus/api/v1/query?query=${query}&time=2023-11-14T23:00:00Z`);
  assert.match(found, /"value":\[/);
  const expression = encodeURIComponent('Flow + State');
  for (const range of ['', '&end=2023-11-14T23:00:00Z', `&${HOUR}`])
    await plant.same(`${DATA}?expr=${expression}${range}`);
}

/** Page after page, with the markers of the answers before. */
async function comparePages(): Promise<void> {
  let next: readonly string[] = [];
  for (let page = 0; page < 8; page++) {
    const text = await plant.same('/api/datasets/Plant/read', {
      tagname: ['Flow', 'State'],
      start: '2023-11-14T22:00:00Z',
      end: '2023-11-16T00:00:00Z',
      limit: 3000,
      ...(next.length > 0 ? { after: next } : {}),
    });
    const { tl } = JSON.parse(text) as { tl: { next?: string }[] };
    next = tl.flatMap((tag) => tag.next ?? []);
    if (next.length === 0) return;
  }
}

test('points of every type and quality', { skip }, async () => {
  await plant.send('POST', '/api/datasets', { n: 'Plant', pa: 0, ps: 0, late: 'accept' });
  await plant.send('POST', '/api/datasets/Plant/tags', [
    { n: 'Wide', t: 'System.Int64' },
    { n: 'Exact', t: 'System.Decimal', d: 'Exact numbers' },
    { n: 'Time', t: 'System.DateTime' },
    { n: 'State', t: 'System.Int32', u: { 0: 'Off', 1: 'On' } },
  ]);
  const flow = Array.from({ length: POINTS }, (_, i) => ({
    t: time(i),
    v: Math.round(1000 * Math.sin(i / 100)) / 10,
    q: i % 97 === 0 ? 0 : 192,
  }));
  const state = Array.from({ length: 500 }, (_, i) => ({ t: time(i * 37), v: i % 11 === 0 ? null : i % 2 }));
  await plant.send('POST', DATA, {
    Flow: flow,
    State: state,
    Text: [
      { t: time(1), v: 'hello' },
      { t: time(2), v: '' },
      { t: time(3), v: null },
      { t: time(4), v: "Grüße, 'quoted' \\ 🌊\n", q: 64 },
    ],
    Wide: [
      { t: time(1), v: '9223372036854775807' },
      { t: '2023-11-14T22:13:22.1234567Z', v: '-9223372036854775808' },
    ],
    Exact: [
      { t: time(1), v: '0.1000' },
      { t: time(2), v: '-7922816251426433759354395033' },
    ],
    Time: [{ t: time(1), v: '2024-02-29T12:00:00.1234567Z' }],
  });
  await plant.settled();
  await compareAll();
});

test('late points, corrections, undoing, and a cut', { skip }, async () => {
  const late = [
    { t: '2023-11-14T22:20:00.500Z', v: 7 },
    { t: '2023-11-14T22:30:00.500Z', v: 8 },
    { t: '2023-11-14T22:30:00Z', v: 9 },
  ];
  await plant.send('POST', DATA, { Flow: late, State: [{ t: '2023-11-14T23:00:00Z', v: 1 }] });
  const correct = (query: string, body?: unknown): Promise<string> =>
    plant.send('POST', `/api/datasets/Plant/corrections?tagname=Flow&${query}`, body);
  await correct('kind=delete&start=2023-11-14T22:40:00Z&end=2023-11-14T22:45:00Z');
  await correct('kind=delete&start=2023-11-14T22:30:00Z&end=2023-11-14T22:31:00Z');
  await correct('kind=replace&start=2023-11-14T23:00:00Z&end=2023-11-14T23:10:00Z', [
    { t: '2023-11-14T23:05:00Z', v: 1 },
  ]);
  await correct('kind=insert', [
    { t: '2023-11-14T23:05:00.25Z', v: 2 },
    { t: '2023-11-15T00:00:00Z', v: 3 },
  ]);
  await plant.send('POST', '/api/datasets/Plant/corrections/1/undo');
  await plant.send('POST', DATA, { Flow: [{ t: '2023-11-14T22:30:30.700Z', v: 11 }] });
  await plant.settled();
  await compareAll();
  await plant.send('DELETE', '/api/datasets/Plant/data?tagname=Flow&start=2023-11-15T01:00:00Z');
  await plant.send('POST', DATA, {
    Flow: [
      { t: '2023-11-15T01:00:00.5Z', v: 70 },
      { t: '2023-11-15T01:30:00Z', v: 80 },
    ],
  });
  await plant.settled();
  await compareAll();
});

test('who listens at the centre is told that points were removed at the edge, and that a tag was', {
  skip,
}, async () => {
  const [other, text] = [{ Other: [{ t: time(1), v: 1 }] }, '/api/datasets/Plant/data?tagname=Text'];
  await plant.send('POST', DATA, other);
  await plant.settled();
  const signal = AbortSignal.timeout(60_000);
  const names = 'tagname=Text&tagname=Other';
  const response = await fetch(`${plant.centre.url}/api/datasets/Plant/live?${names}`, { signal });
  // The centre is asked each second, and what is there the first time is no news.
  await setTimeout(2_500);
  await plant.send('DELETE', `${text}&start=${time(4)}`);
  await plant.send('DELETE', '/api/datasets/Plant/tags/Other');
  let told = '';
  for await (const part of response.body as ReadableStream<Uint8Array>) {
    told += Buffer.from(part).toString();
    if (/"Text":\{"start"/.test(told) && /"Other":\{"start"/.test(told)) break;
  }
  assert.match(told, /event: corrected/);
});

test('while somebody listens at the centre, an expression has no newest point that was removed at the edge', {
  skip,
}, async () => {
  const points = [1, 5].map((at) => ({ t: time(at), v: at }));
  await plant.send('POST', DATA, { Cut: points });
  await plant.settled();
  const stop = new AbortController();
  await fetch(`${plant.centre.url}/api/datasets/Plant/live?tagname=Cut`, { signal: stop.signal });
  await setTimeout(2_500);
  const expression = `${DATA}?expr=${encodeURIComponent('Cut * 2')}`;
  assert.match(await plant.same(expression), /"v":10\b/);
  await plant.send('DELETE', `/api/datasets/Plant/data?tagname=Cut&start=${time(4)}`);
  await plant.settled();
  assert.match(await plant.same(expression), /"v":2\b/);
  stop.abort();
});

test('random late points, corrections and cuts', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const at = (): string => time(random.below(14_000) / 4);
  const range = (): string => {
    const from = random.below(12_000);
    return `start=${time(from)}&end=${time(from + random.below(2_000))}`;
  };
  const steps: (() => Promise<unknown>)[] = [
    () => plant.send('POST', DATA, { Flow: Array.from({ length: 5 }, () => ({ t: at(), v: random.below(100) })) }),
    () => tolerant(`kind=delete&${range()}`),
    () => tolerant('kind=insert', [{ t: at(), v: random.below(100) }]),
    () => plant.send('DELETE', `/api/datasets/Plant/data?tagname=State&start=${time(10_000 + random.below(9_000))}`),
    () => plant.send('POST', DATA, { State: [{ t: time(19_000 + random.below(1_000)), v: random.below(2) }] }),
  ];
  /** A range may have no points, and points may lie behind the newest. */
  const tolerant = (query: string, body?: unknown): Promise<unknown> =>
    plant.send('POST', `/api/datasets/Plant/corrections?tagname=Flow&${query}`, body).catch(() => undefined);
  for (let round = 0; round < 2; round++) {
    for (let step = 0; step < 25; step++) await random.pick(steps)();
    await plant.settled();
    await compareAll();
  }
});

test('many tags in one read', { skip }, async () => {
  // The first eight have more points than one query gives.
  const countOf = (i: number): number => (i < 8 ? 20_000 : 1 + (i % 7));
  const names = Array.from({ length: 50 }, (_, i) => `M${(i * 17) % 50}`);
  for (const [i, name] of names.entries())
    await plant.send('POST', DATA, {
      [name]: Array.from({ length: countOf(i) }, (_, k) => ({
        t: time(k / 2 - (k % 2) / 2),
        v: k % 311 === 0 ? null : Math.round(50 * Math.sin(k / (9 + i))),
        q: k % 997 < i ? 64 : 192,
      })),
    });
  await plant.send('DELETE', `/api/datasets/Plant/data?tagname=${names[3]}&start=${time(4_000)}`);
  await plant.send('POST', DATA, { [`${names[3]}`]: [{ t: time(4_100), v: 1 }] });
  await plant.settled();
  const found = async (path: string, body?: unknown): Promise<void> => {
    assert.match(await plant.same(path, body), /"tl":|"s":/);
  };
  const lists = [names, names.toSorted(), ['Flow', ...names.slice(20), 'State', 'Text']];
  for (const list of lists) {
    const tagname = list.map((name) => `tagname=${name}`).join('&');
    for (const range of [
      DAY,
      HOUR,
      `${HOUR}&boundary=carry`,
      `start=${time(2)}&end=${time(9)}&boundary=carry`,
      `end=${time(3)}`,
      `end=${time(4_050)}`,
      `${DAY}&format=columns`,
      `${DAY}&interval=1h&aggregate=Count`,
    ])
      await found(`${DATA}?${tagname}&${range}`);
    const range = { tagname: list, start: time(0), end: time(9_000) };
    await found('/api/datasets/Plant/read', { ...range, limit: 7 });
    await found('/api/datasets/Plant/read', { ...range, limit: 4_000 });
    for (const points of [1, 40, 333]) await found('/api/datasets/Plant/read', { ...range, points, boundary: 'carry' });
  }
});

test('charts of random ranges of many points', { skip }, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const tagname = Array.from({ length: 8 }, (_, i) => `M${(i * 17) % 50}`);
  for (let round = 0; round < 6; round++) {
    const from = random.below(50_000) / 10;
    const range = { start: time(from), end: time(from + 4_500 + random.below(9_000) / 2) };
    const points = 8 * (1 + random.below(random.pick([5, 400])));
    const boundary = random.pick(['inside', 'carry']);
    const text = await plant.same('/api/datasets/Plant/read', { tagname, ...range, points, boundary });
    assert.match(text, /"tl":/);
  }
});

test('a tag that was deleted, a dataset that was deleted and made again', { skip }, async () => {
  await plant.send('DELETE', '/api/datasets/Plant/tags/Text');
  await plant.settled();
  await plant.same('/api/datasets/Plant/tags');
  await plant.send('DELETE', '/api/datasets/Plant');
  await plant.send('POST', '/api/datasets', { n: 'Plant', pa: 0, ps: 0 });
  await plant.send('POST', DATA, { Other: [{ t: time(1), v: 1 }] });
  await plant.settled();
  await plant.same('/api/datasets/Plant/tags');
  await plant.same(`${DATA}?tagname=Other&${DAY}`);
});

test('a server over a centre does not write, and names the edge', { skip }, async () => {
  const writes: readonly (readonly [string, string, unknown])[] = [
    ['POST', DATA, { Other: [{ t: time(2), v: 1 }] }],
    ['POST', '/api/datasets/Plant/tags', [{ n: 'New' }]],
    ['DELETE', '/api/datasets/Plant/tags/Other', undefined],
    ['DELETE', '/api/datasets/Plant', undefined],
    ['DELETE', `${DATA}?tagname=Other&start=${time(0)}`, undefined],
    ['POST', '/api/datasets', { n: 'Fresh', pa: 0, ps: 0 }],
  ];
  for (const [method, path, body] of writes) {
    const { status, text } = await plant.atCentre(method, path, body);
    assert.equal(status, 409, `${method} ${path}: ${text}`);
    if (path !== '/api/datasets') assert.match(text, new RegExp(`:${plant.edge.port}`), text);
  }
  await plant.same('/api/datasets/Plant/tags');
});
