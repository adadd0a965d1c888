// HTTP in general: what is refused, with which errors, and that a refused request changes nothing.

import assert from 'node:assert/strict';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertFaults,
  assertProblem,
  assertStatus,
  at,
  defineTag,
  listTags,
  point,
  readValues,
  receiptOf,
  tagPath,
  userTagNames,
  write,
} from '../steps.ts';

const LENIENT = { prefer: 'handling=lenient' };

proves('HTTP in general/Errors', 'an unknown tag and dataset carry the key and message of the reference', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const tag = assertProblem(await c.get("/data/No%20'such'%20tag"), 404);
  assert.equal(tag.key, 'Error.TagNotFound');
  assert.equal(tag.message, "Tag 'No 'such' tag' could not be found.");
  const multi = assertProblem(await c.get('/data?tagname=T&tagname=x'), 404);
  assert.equal(multi.message, "Tag 'x' could not be found.");
  assert.equal(assertProblem(await c.get(tagPath('x')), 404).message, "Tag 'x' could not be found.");
  const dataset = assertProblem(await c.http.get('/api/datasets/No%20such/tags'), 404);
  assert.equal(dataset.key, 'Error.DatasetNotFound');
  assert.equal(dataset.message, "Dataset 'No such' could not be found.");
});

proves('HTTP in general/Errors', 'each fault in a body has a JSON pointer', async (c) => {
  await defineTag(c, { n: 'a/b~c', t: 'System.Int32' });
  const body = { 'a/b~c': [point(0, 1), point(1, 'x'), { t: 'yesterday', v: 1 }, { t: at(2), v: 1, q: 1.5 }] };
  assertFaults(await c.post('/data', body), ['/a~1b~0c/1/v', '/a~1b~0c/2/t', '/a~1b~0c/3/q']);
  assertFaults(await c.post('/data/a%2Fb~c', [point(0, 1), point(1, 1.5)]), ['/1/v']);
  assertFaults(await c.http.post('/api/datasets', { n: c.dataset, pa: -1, ps: 'x' }), ['/pa', '/ps']);
  assertFaults(await c.post('/tags', [{ n: 'ok' }, { n: 'bad', t: 'Nonsense' }]), ['/1/t']);
  assertFaults(await c.post('/tags', [{ n: 'x', u: { '1': 5 } }]), ['/0/u/1']);
});

proves('HTTP in general/Errors', 'of many faults the first 100 are told', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Int32' });
  const points = Array.from({ length: 150 }, (_, i) => point(i, 'x'));
  assertFaults(
    await c.post('/data/T', points),
    points.slice(0, 100).map((_, i) => `/${i}/v`),
  );
});

proves(
  'HTTP in general/One bad point in a body',
  'nothing of the request is stored, no tag and no dataset made',
  async (c) => {
    assertProblem(await c.post('/data', { New: [point(0, 1)], Other: [point(0, 1), point(1, 'x')] }), 400);
    assertStatus(await c.get(), 404);
    await write(c, 'T', [point(0, 1)]);
    const wrong: readonly unknown[] = [
      point(2, 'text'),
      { t: 'nonsense', v: 2 },
      { t: at(2), v: 2, q: 'good' },
      { t: at(2), v: 2, x: 1 },
      { t: at(2), v: [2] },
      { t: at(2), v: { a: 1 } },
      { t: true, v: 2 },
      5,
    ];
    for (const bad of wrong) {
      assertProblem(await c.post('/data/T', [point(1, 2), bad]), 400);
      assertProblem(await c.post('/data', { New: [point(1, 2)], T: [point(1, 2), bad] }), 400);
      assertProblem(await c.post('/data', { T: [bad, point(1, 2)], New: [point(1, 2)] }), 400);
    }
    assert.deepEqual(await readValues(c, 'T'), [1]);
    assert.deepEqual(await userTagNames(c), ['T']);
  },
);

proves(
  'HTTP in general/One bad point in a body',
  'with Prefer: handling=lenient wrong points are left out and counted',
  async (c) => {
    await defineTag(c, { n: 'T', t: 'System.Int16' });
    const body = [
      point(0, 1),
      point(1, 'text'),
      point(2, 1.5),
      point(3, 40_000),
      { t: 'nonsense', v: 2 },
      { t: '2024-02-30T00:00:00Z', v: 2 },
      { t: at(4), v: 2, q: 1.5 },
      { t: at(5), v: 2, q: 2_147_483_648 },
      point(6, 7),
    ];
    const single = assertDone(await c.post('/data/T', body, LENIENT));
    assert.deepEqual(receiptOf(single), { written: 2, ignored: 0, repeated: 0, rejected: 7, expired: 0 });
    const multi = assertDone(
      await c.post('/data', { T: [point(7, 'x'), point(8, 8)], New: [point(0, 1), point(1, 'x')] }, LENIENT),
    );
    assert.deepEqual(receiptOf(multi), { written: 2, ignored: 0, repeated: 0, rejected: 2, expired: 0 });
    assert.deepEqual(await readValues(c, 'T'), [1, 7, 8]);
    assert.deepEqual(await readValues(c, 'New'), [1]);
  },
);

const SETTING = 'HTTP in general/A setting for bad points';

proves(SETTING, 'drop-point leaves them out, counts them and says the first fault in the receipt', async (c) => {
  const own = await c.withSharedServer(['--on-bad-point', 'drop-point']);
  const n = 'Temperatur/°C';
  await defineTag(own, { n, t: 'System.Int32' });
  const body = { [n]: [point(0, 1), point(1, 'x'), point(2, 3.5)], '.': [point(0, 1)] };
  const answer = assertDone(await own.post('/data', body));
  assert.deepEqual(receiptOf(answer), { written: 1, ignored: 0, repeated: 0, rejected: 3, expired: 0 });
  const fault = { path: '/Temperatur~1°C/1/v', message: 'got text; want a number or null (System.Int32)' };
  assert.match(answer.header('historian-fault') ?? '', /^[ -~]+$/);
  assert.deepEqual(JSON.parse(answer.header('historian-fault') ?? ''), fault);
  const prefer = 'return=representation';
  const receipt = assertStatus(await own.post('/data', body, { prefer }), 200).json<{ fault?: object }>();
  assert.deepEqual(receipt.fault, fault);
  const sound = assertStatus(await own.post('/data', { [n]: [point(5, 1)] }, { prefer }), 200);
  assert.equal(sound.header('historian-fault'), undefined);
  assert.ok(!('fault' in sound.json<object>()));
  const metrics = (await own.http.get('/metrics')).text;
  assert.ok(metrics.includes(`varve_points_rejected_total{dataset="${own.dataset}"} 6\n`), 'counted in the metrics');
});

proves(SETTING, 'a long name is shortened in the fault; a request may prefer otherwise', async (c) => {
  const own = await c.withSharedServer(['--on-bad-point', 'drop-point']);
  const body = { ['ü'.repeat(3000)]: [point(0, 1)], T: [point(0, 1)] };
  const answer = assertDone(await own.post('/data', body));
  assert.deepEqual(receiptOf(answer), { written: 1, ignored: 0, repeated: 0, rejected: 1, expired: 0 });
  assert.ok((answer.header('historian-fault') ?? '').length < 3000);
  assertProblem(await own.post('/data', body, { prefer: 'handling=strict' }), 400);
});

proves(SETTING, 'reject-request is what holds without it', async (c) => {
  const own = await c.withSharedServer(['--on-bad-point', 'reject-request']);
  for (const server of [c, own]) {
    assertProblem(await server.post('/data', { T: [point(0, 1)], U: [point(0, []), point(1, 1)] }), 400);
    assertStatus(await server.get(), 404);
  }
});

proves('HTTP in general/One bad point in a body', 'unreadable JSON stays 400 with handling=lenient', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const text of ['[{"v":1}', '{"v":1}]', '[{"v":NaN}]', 'x'])
    assertProblem(await c.postText('/data/T', text, LENIENT), 400);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves('HTTP in general/Cross-site', 'a foreign Origin is 403 for POST and DELETE, and changes nothing', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const origins = [
    'http://evil.example',
    'https://evil.example:4511',
    'null',
    `http://127.0.0.1.evil.example:${c.server.port}`,
  ];
  for (const origin of origins) {
    const headers = { origin };
    assertProblem(await c.post('/data/T', [point(1, 2)], headers), 403);
    assertProblem(await c.post('/tags', ['T'], headers), 403);
    assertProblem(await c.post('/read', { tagname: ['T'] }, headers), 403);
    assertProblem(await c.http.delete(c.path('/tags/T'), undefined, headers), 403);
    assertProblem(await c.http.delete(c.path(), undefined, headers), 403);
  }
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves('HTTP in general/Cross-site', "a Host that is not this server's is 403", async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const host of ['evil.example', `evil.example:${c.server.port}`, 'localhost.evil.example']) {
    assertProblem(await c.post('/data/T', [point(1, 2)], { host }), 403);
    assertProblem(await c.http.delete(c.path(), undefined, { host }), 403);
  }
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves(
  'HTTP in general/Cross-site',
  'its own Origin and the names of the loopback are taken; no CORS headers',
  async (c) => {
    const { port } = c.server;
    const own = [
      { origin: `http://127.0.0.1:${port}` },
      { host: `localhost:${port}`, origin: `http://localhost:${port}` },
      { host: `localhost:${port}` },
    ];
    for (const [index, headers] of own.entries()) {
      const answer = assertDone(await c.post('/data/T', [point(index, index)], headers));
      assert.ok(!Object.keys(answer.headers).some((name) => name.startsWith('access-control-')));
    }
    const foreign = assertStatus(await c.get('/tags', { origin: 'http://evil.example' }), 200);
    assert.ok(!Object.keys(foreign.headers).some((name) => name.startsWith('access-control-')));
    assert.deepEqual(
      (await listTags(c)).User.map(({ n }) => n),
      ['T'],
    );
  },
);
