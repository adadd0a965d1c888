// The row "Far ahead": points of a clock that runs ahead, and the way out.

import assert from 'node:assert/strict';
import type { HttpAnswer } from '../../support/http-client.ts';
import { proves, provesBehind } from '../registry.ts';
import {
  assertDone,
  assertProblem,
  assertStatus,
  at,
  DAY_MS,
  fromNow,
  HOUR_MS,
  point,
  readValues,
  receiptOf,
  write,
} from '../steps.ts';

const ROW = 'Points/Far ahead';
const aheadOf = (answer: HttpAnswer): number => Number(answer.header('historian-ahead') ?? 0);

provesBehind(ROW, 'more than a day ahead is stored, counted in Historian-Ahead and warned about', async (c) => {
  const own = await c.withServer({});
  const inTime = await write(own, 'T', [{ t: fromNow(23 * HOUR_MS), v: 1 }]);
  assert.equal(aheadOf(inTime), 0);
  const ahead = await write(own, 'T', [{ t: fromNow(3 * DAY_MS), v: 2 }]);
  assert.equal(aheadOf(ahead), 1);
  assert.equal(receiptOf(ahead).written, 1);
  assert.deepEqual(await readValues(own, 'T'), [1, 2]);
  assert.ok(await own.server.findLog(/"level":(?:40|"warn")[^\n]*ahead/i), own.server.logLines.join('\n'));
});

proves(ROW, "ahead is counted from the later of now and the dataset's newest point", async (c) => {
  await write(c, 'T', [{ t: fromNow(3 * DAY_MS), v: 1 }]);
  assert.equal(aheadOf(await write(c, 'U', [{ t: fromNow(3.9 * DAY_MS), v: 2 }])), 0);
  assert.equal(aheadOf(await write(c, 'U', [{ t: fromNow(6 * DAY_MS), v: 3 }])), 1);
});

provesBehind(ROW, '--max-ahead refuses such points', async (c) => {
  const own = await c.withServer({ flags: ['--max-ahead', '2h'] });
  await write(own, 'T', [{ t: fromNow(1.9 * HOUR_MS), v: 1 }]);
  assertProblem(await own.post('/data/T', [{ t: fromNow(4.5 * HOUR_MS), v: 2 }]), 400);
  assertProblem(await own.post('/data', { U: [point(0, 1)], T: [{ t: fromNow(4.5 * HOUR_MS), v: 2 }] }), 400);
  assert.deepEqual(await readValues(own, 'T'), [1]);
  assertStatus(await own.get('/tags/U'), 404);
});

proves(ROW, 'DELETE of data cuts a tag from a time on, and the tag takes points again', async (c) => {
  await write(c, 'T', [point(0, 1), point(1, 2), { t: fromNow(400 * DAY_MS), v: 3 }]);
  await write(c, 'U', [point(0, 1), { t: fromNow(500 * DAY_MS), v: 2 }]);
  await write(c, 'Other', [point(0, 1), point(5, 2)]);
  assert.equal(receiptOf(await write(c, 'T', [{ t: fromNow(0), v: 9 }])).ignored, 1);
  assertDone(await c.delete(`/data?tagname=T&tagname=U&start=${at(1)}`));
  assert.deepEqual(await readValues(c, 'T'), [1]);
  assert.deepEqual(await readValues(c, 'T', ''), [1]);
  assert.deepEqual(await readValues(c, 'U'), [1]);
  assert.deepEqual(await readValues(c, 'Other'), [1, 2]);
  assert.equal(receiptOf(await write(c, 'T', [point(1, 5), { t: fromNow(0), v: 6 }])).written, 2);
  assert.deepEqual(await readValues(c, 'T'), [1, 5, 6]);
});

provesBehind(ROW, 'a cut survives a restart, also after a kill', async (c) => {
  const dataFolder = `${c.folder()}/data`;
  const own = await c.withServer({ dataFolder });
  await write(own, 'T', [point(0, 1), point(1, 2), point(2, 3)]);
  assertDone(await own.delete(`/data?tagname=T&start=${at(2)}`));
  await write(own, 'T', [point(1.5, 4)]);
  await own.server.kill();
  const again = await c.withServer({ dataFolder });
  assert.deepEqual(await readValues(again, 'T'), [1, 2, 4]);
  assertDone(await again.delete(`/data?tagname=T&start=${at(0)}`));
  await again.server.stop();
  const last = await c.withServer({ dataFolder });
  assert.deepEqual(await readValues(last, 'T'), []);
  assertStatus(await last.get('/tags/T'), 200);
});

proves(ROW, 'a cut needs a tag and a start; an unknown tag is 404 and nothing is cut', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  assertProblem(await c.delete(`/data?tagname=T&tagname=Unknown&start=${at(0)}`), 404);
  assertProblem(await c.delete('/data?tagname=T'), 400);
  assertProblem(await c.delete(`/data?start=${at(0)}`), 400);
  assertProblem(await c.delete('/data'), 400);
  assertProblem(await c.delete('/data?tagname=T&start=never'), 400);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});
