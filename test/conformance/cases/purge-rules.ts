// The row "Purge rule that changes": what the rule in force would take is said, and a rule that is lifted hides nothing.

import assert from 'node:assert/strict';
import type { CaseContext } from '../case-context.ts';
import { proves } from '../registry.ts';
import { assertStatus, DAY_MS, fromNow, HOUR_MS, readValues, receiptOf, write } from '../steps.ts';

const ROW = 'Datasets/Purge rule that changes';

const twoMonthsOld = Array.from({ length: 100 }, (_, i) => ({ t: fromNow(i * HOUR_MS - 60 * DAY_MS), v: i }));

async function setAge(c: CaseContext, pa: number): Promise<void> {
  const { status } = await c.post('', { n: c.dataset, pa, ps: 0 });
  assert.ok(status === 200 || status === 201, `${status}`);
}

proves(
  ROW,
  'points that the rule in force would take at once are counted in Historian-Expired and not stored',
  async (c) => {
    await setAge(c, 20);
    await write(c, 'T', [{ t: fromNow(0), v: 1 }]);
    const answer = await write(c, 'New', twoMonthsOld);
    assert.equal(answer.header('historian-expired'), '99');
    assert.equal(answer.header('historian-written'), '1');
    const { written, expired, ignored } = receiptOf(answer);
    assert.deepEqual({ written, expired, ignored }, { written: 1, expired: 99, ignored: 0 });
    // Purge leaves the newest point of each tag.
    assert.deepEqual(await readValues(c, 'New'), [99]);
  },
);

proves(ROW, 'a rule that is lifted hides nothing that was accepted since', async (c) => {
  await setAge(c, 20);
  await write(c, 'T', [{ t: fromNow(0), v: 1 }]);
  await setAge(c, 0);
  assert.equal(receiptOf(await write(c, 'New', twoMonthsOld)).written, 100);
  assert.equal((await readValues(c, 'New')).length, 100);
  assertStatus(await c.get(), 200);
});

proves(ROW, 'the receipt as JSON has the count over all and by tag', async (c) => {
  await setAge(c, 20);
  await write(c, 'T', [{ t: fromNow(0), v: 1 }]);
  const answer = await c.post('/data', { New: twoMonthsOld, T: [] }, { prefer: 'return=representation' });
  const receipt = JSON.parse(answer.text) as { expired: number; tags: Record<string, { expired: number }> };
  assert.equal(receipt.expired, 99);
  assert.equal(receipt.tags.New?.expired, 99);
});
