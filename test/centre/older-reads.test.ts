import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CentrePlant } from '../support/clickhouse/centre-plant.ts';
import { whyNoChdb } from '../support/clickhouse/chdb-package.ts';
import { type ChdbServer, startChdb } from '../support/clickhouse/chdb-server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** An edge looks every ten seconds what its centre has. */
const LIMIT_MS = 60_000;

const skip = whyNoChdb();
const folder = temporaryFolder();
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 20 * DAY_MS;
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

interface Read {
  readonly older: string | null;
  readonly text: string;
}

async function read(query: string): Promise<Read> {
  const answer = await fetch(`${plant.edge.url}/api/datasets/Plant/${query}`);
  return { older: answer.headers.get('historian-older'), text: await answer.text() };
}

function range(fromDay: number, toDay: number): string {
  const at = (day: number): string => new Date(startMs + day * DAY_MS).toISOString();
  return `start=${at(fromDay)}&end=${at(toDay)}`;
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const endMs = Date.now() + LIMIT_MS;
  while (!(await isTrue())) {
    assert.ok(Date.now() < endMs, what);
    await new Promise((resolve) => void setTimeout(resolve, 500));
  }
}

const QUERIES = [
  `data?tagname=A&tagname=B&${range(-1, 30)}`,
  `data?tagname=A&${range(3, 6)}`,
  `data?tagname=A&${range(2.51, 25)}&boundary=carry`,
  `data?tagname=A&tagname=B&${range(0, 20)}&interval=6h&aggregate=Average&aggregate=Count`,
  `statistics?tagname=A&${range(0, 20)}`,
  `data?tagname=A&end=${new Date(startMs + 4 * DAY_MS).toISOString()}`,
];

test('what purge has taken at the edge comes from the centre, the same as before, and says so', { skip }, async () => {
  await plant.send('POST', '/api/datasets', { n: 'Plant', pa: 0, ps: 0 });
  const points = (step: number): object[] =>
    Array.from({ length: 20 * step }, (_, i) => ({ t: new Date(startMs + (i * DAY_MS) / step).toISOString(), v: i }));
  await plant.send('POST', '/api/datasets/Plant/data', { A: points(24), B: points(2) });
  await plant.settled();
  const earlier = await Promise.all(QUERIES.map(read));
  assert.deepEqual(new Set(earlier.map(({ older }) => older)), new Set([null]));
  await plant.send('POST', '/api/datasets/Plant', { n: 'Plant', pa: 7, ps: 0 });
  await until(
    async () => (await read(QUERIES[0] as string)).older?.startsWith('centre') === true,
    'purge did nothing, or the centre is not asked',
  );
  for (const [i, query] of QUERIES.entries()) {
    const { older, text } = await read(query);
    assert.equal(text, earlier[i]?.text, query);
    if (!query.startsWith('statistics')) assert.match(older ?? '', /^centre; until=\d{4}-/, query);
  }
  const recent = await read(`data?tagname=A&${range(15, 20)}`);
  assert.equal(recent.older, null, 'what is at the edge comes from there');
});

test('while the centre is away there is what the edge has, and the gap is said', { skip }, async () => {
  await chdb.stop();
  await until(
    async () => (await read(QUERIES[0] as string)).older?.startsWith('missing') === true,
    'it does not say so',
  );
  const { text } = await read(`data?tagname=A&${range(0, 20)}`);
  const { tl } = JSON.parse(text) as { tl: { d: unknown[]; gaps?: { s: string; e: string }[] }[] };
  assert.ok((tl[0]?.d.length ?? 0) > 100, 'the points of the edge');
  assert.equal(tl[0]?.gaps?.[0]?.s, new Date(startMs).toISOString());
  chdb = await startChdb(join(folder, 'chdb'));
});
