// The dataset status: its body, its order, and the watch over the collector's heartbeat.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TagDataAnswer, Tvq } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesInTime } from '../registry.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  CLOCK_LEEWAY_MS,
  createDataset,
  eventually,
  point,
  readEntry,
  readValues,
  receiptOf,
  write,
} from '../steps.ts';

/** How long after the last sign of a collector the server posts 64. */
const WATCH_MS = 9900;
const POSTED_LIMIT_MS = 90_000;
/** Runs of a case that needs a machine which is not held up for long. */
const MOST_RUNS = 8;
const HEARTBEAT = 'Dataset status/Heartbeat';

async function statuses(c: CaseContext, query = ALL): Promise<readonly Tvq[]> {
  return assertStatus(await c.get(`/status?${query}`), 200).json<TagDataAnswer>().d;
}

const qualities = async (c: CaseContext): Promise<number[]> => (await statuses(c)).map(({ q }) => q);

proves('Dataset status/Body', 'an array of TVQ, or one TVQ', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', { t: at(0), v: null, q: 64 }));
  assertDone(
    await c.post('/status', [
      { t: at(1), v: null, q: 28 },
      { t: at(2), v: null, q: 24 },
    ]),
  );
  assertDone(await c.post('/status', []));
  assert.deepEqual(await statuses(c), [point(0, null, 64), point(1, null, 28), point(2, null, 24)]);
});

proves('Dataset status/Body', 'what is no TVQ is 400 and stores nothing', async (c) => {
  await createDataset(c);
  for (const body of [
    5,
    'x',
    null,
    [5],
    [{ q: 28, x: 1 }],
    { q: 'bad' },
    [
      { t: at(0), q: 28 },
      { t: 'never', q: 28 },
    ],
    { q: 1.5 },
    { t: 1e15, q: 28 },
    { t: true, q: 28 },
  ])
    assertProblem(await c.post('/status', body), 400);
  assert.deepEqual(await statuses(c), []);
});

proves('Dataset status/Stored as', 'points of the system tag Status, also at GET status', async (c) => {
  await createDataset(c);
  assertDone(
    await c.post('/status', [
      { t: at(0), q: 64 },
      { t: at(10), q: 28 },
    ]),
  );
  assert.deepEqual((await readEntry(c, 'Status')).d, await statuses(c));
  assert.deepEqual((await readEntry(c, '$System.Status', `end=${at(5)}`)).d, [point(0, null, 64)]);
  assert.deepEqual(await statuses(c, ''), [point(10, null, 28)]);
  assert.deepEqual(await statuses(c, `start=${at(0)}&end=${at(5)}`), [point(0, null, 64)]);
  const answer = (await c.get('/status')).json<TagDataAnswer>();
  assert.equal(answer.t.n, 'Status');
});

provesInTime(HEARTBEAT, '10 s after the last sign the server posts 64, and 192 at the next one', async (c) => {
  await createDataset(c);
  const beginMs = Date.now();
  assertDone(await c.post('/status', [{ q: 192 }]));
  const lost = await eventually('64 is posted', POSTED_LIMIT_MS, async () =>
    (await statuses(c)).find(({ q }) => q === 64),
  );
  const waitedMs = Date.now() - beginMs;
  assert.ok(waitedMs >= WATCH_MS, `64 came after ${waitedMs} ms`);
  assert.ok(Math.abs(Date.parse(lost.t) - Date.now()) < CLOCK_LEEWAY_MS);
  await write(c, 'T', [point(0, 1)]);
  await eventually('192 is posted at a data write', POSTED_LIMIT_MS, async () =>
    (await qualities(c)).length === 3 ? true : undefined,
  );
  assert.deepEqual(await qualities(c), [192, 64, 192]);
});

provesInTime(HEARTBEAT, 'a heartbeat after 64 brings 192 back', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', [{ q: 192 }]));
  await eventually('64 is posted', POSTED_LIMIT_MS, async () => (await statuses(c)).find(({ q }) => q === 64));
  assertDone(await c.post('/status', [{ q: 192 }]));
  assert.deepEqual(await qualities(c), [192, 64, 192]);
});

provesInTime(HEARTBEAT, 'data writes count as signs, by time of receipt', async (c) => {
  for (let run = 0; run < MOST_RUNS; run++) {
    const own = c.withDataset(`${c.dataset} ${run}`);
    // On an overloaded machine this process may have paused for longer than a collector may: such a run proves nothing.
    if ((await writeForLongerThanTheWatch(own)) >= WATCH_MS) continue;
    return assert.deepEqual(await qualities(own), [192]);
  }
  assert.fail(`in ${MOST_RUNS} runs the machine never let two writes follow within ${WATCH_MS} ms`);
});

/** Resolves to the longest that may have been between two signs, in ms. */
async function writeForLongerThanTheWatch(c: CaseContext): Promise<number> {
  await createDataset(c);
  let sentMs = performance.now();
  assertDone(await c.post('/status', [{ q: 192 }]));
  let longestMs = 0;
  for (let second = 0; second < 15; second += 3) {
    await delay(3000);
    const nextMs = performance.now();
    await write(c, 'T', [point(second, second)]);
    longestMs = Math.max(longestMs, performance.now() - sentMs);
    sentMs = nextMs;
  }
  return longestMs;
}

provesInTime(HEARTBEAT, 'only 192 starts the watch; 28 and 24 end it', async (c) => {
  const made = ['28', '24', '64', 'data', 'ended by 28', 'ended by 24'].map((name) =>
    c.withDataset(`${c.dataset} ${name}`),
  );
  const [shutDown, noSource, lost, data, ended28, ended24] = made as [
    CaseContext,
    CaseContext,
    CaseContext,
    CaseContext,
    CaseContext,
    CaseContext,
  ];
  for (const own of made) await createDataset(own);
  for (const [own, q] of [
    [shutDown, 28],
    [noSource, 24],
    [lost, 64],
  ] as const)
    assertDone(await own.post('/status', [{ q }]));
  await write(data, 'T', [point(0, 1)]);
  for (const [own, q] of [
    [ended28, 28],
    [ended24, 24],
  ] as const) {
    assertDone(await own.post('/status', [{ q: 192 }]));
    assertDone(await own.post('/status', [{ q }]));
  }
  await delay(13_000);
  for (const own of made) await write(own, 'U', [point(0, 1)]);
  assert.deepEqual(await Promise.all(made.map(qualities)), [[28], [24], [64], [], [192, 28], [192, 24]]);
});

provesInTime(HEARTBEAT, 'after a restart the watch goes on, with 10 s of grace', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const before = await c.withServer({ dataFolder });
  await createDataset(before);
  assertDone(await before.post('/status', [{ q: 192 }]));
  const quiet = before.withDataset('quiet');
  await createDataset(quiet);
  assertDone(await quiet.post('/status', [{ q: 192 }, { q: 28 }]));
  await delay(3000);
  await before.server.stop();
  const startMs = Date.now();
  const own = await c.withServer({ dataFolder });
  const lost = await eventually('64 is posted', POSTED_LIMIT_MS, async () =>
    (await statuses(own)).find(({ q }) => q === 64),
  );
  const graceMs = Date.parse(lost.t) - startMs;
  assert.ok(graceMs >= WATCH_MS, `64 was posted ${graceMs} ms after the start`);
  assert.deepEqual(await qualities(own.withDataset('quiet')), [192, 28]);
});

proves('Dataset status/Order of statuses', 'one that is not later is stored one tick after the newest', async (c) => {
  await createDataset(c);
  const first = assertDone(await c.post('/status', [{ t: at(100), q: 28 }]));
  assert.equal(receiptOf(first).ignored, 0);
  assertDone(await c.post('/status', [{ t: at(50), q: 24 }]));
  assertDone(await c.post('/status', [{ t: at(100), q: 64 }]));
  assertDone(await c.post('/status', [{ t: at(200), q: 28 }]));
  assert.deepEqual(
    (await statuses(c)).map(({ t, q }) => [t, q]),
    [
      [at(100), 28],
      ['2024-03-01T00:01:40.0000001Z', 24],
      ['2024-03-01T00:01:40.0000002Z', 64],
      [at(200), 28],
    ],
  );
});

proves('Dataset status/Order of statuses', 'of one time the last one posted is the state', async (c) => {
  await createDataset(c);
  for (const q of [28, 24, 28]) {
    const { written, repeated } = receiptOf(assertDone(await c.post('/status', { t: at(0), q })));
    assert.deepEqual({ written, repeated }, { written: 1, repeated: 0 });
  }
  assert.deepEqual(
    (await statuses(c, '')).map(({ q }) => q),
    [28],
  );
  const again = receiptOf(assertDone(await c.post('/status', { t: at(0), q: 28 })));
  assert.deepEqual({ written: again.written, repeated: again.repeated }, { written: 0, repeated: 1 });
  assert.deepEqual(await qualities(c), [28, 24, 28]);
});

proves(
  'Dataset status/Order of statuses',
  'equal consecutive heartbeats are stored at most once a minute',
  async (c) => {
    const own = await c.withServer({ clockOffsetMs: 0, clockStands: true });
    await createDataset(own);
    assertDone(await own.post('/status', [{ q: 192 }]));
    for (let beat = 1; beat <= 6; beat++) {
      await own.server.turnClock(9000);
      assertDone(await own.post('/status', [{ q: 192 }]));
    }
    assert.deepEqual(await qualities(own), [192], '54 s after the first');
    await own.server.turnClock(9000);
    assertDone(await own.post('/status', [{ q: 192 }]));
    assert.deepEqual(await qualities(own), [192, 192], '63 s after the first');
  },
);

proves('Dataset status/Order of statuses', 'v is stored as null; an unknown dataset is 404', async (c) => {
  assert.equal(assertProblem(await c.post('/status', [{ q: 28 }]), 404).key, 'Error.DatasetNotFound');
  assertProblem(await c.get('/status'), 404);
  assert.equal((await c.get('/exists')).text, 'false');
  await createDataset(c);
  assertDone(
    await c.post('/status', [
      { t: at(0), v: 5, q: 28 },
      { t: at(1), v: 'text', q: 24 },
    ]),
  );
  assert.deepEqual(await statuses(c), [point(0, null, 28), point(1, null, 24)]);
});

proves('Dataset status/Data and status', "a status neither alters nor blocks a tag's points", async (c) => {
  await write(c, 'T', [point(0, 1)]);
  assertDone(
    await c.post('/status', [
      { t: at(1000), q: 64 },
      { t: at(2000), q: 24 },
    ]),
  );
  const receipt = receiptOf(await write(c, 'T', [point(10, 2), point(500, 3), point(1500, 4)]));
  assert.deepEqual(receipt, { written: 3, ignored: 0, repeated: 0, rejected: 0, expired: 0 });
  assertDone(await c.post('/status', [{ t: at(3000), q: 28 }]));
  await write(c, 'T', [point(2500, 5)]);
  assert.deepEqual(
    (await readEntry(c, 'T')).d.map(({ q }) => q),
    [192, 192, 192, 192, 192],
  );
  assert.deepEqual(await readValues(c, 'T'), [1, 2, 3, 4, 5]);
  assert.deepEqual(
    (await statuses(c)).map(({ t }) => t),
    [at(1000), at(2000), at(3000)],
  );
});
