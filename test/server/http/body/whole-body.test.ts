// A body that came in one chunk while its end is still to be told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestBody } from '../../../../server/http/body/body.ts';
import { BodyBudget } from '../../../../server/http/body/body-budget.ts';
import { Unpacking } from '../../../../server/http/body/unpacking.ts';
import { NO_BODY } from '../../../../server/http/contract/body-bytes.ts';

function bodyOf(declaredBytes: number, holders: string[]): RequestBody {
  const holder = (): string => {
    holders.push('asked');
    return 'somebody';
  };
  const flow = { pauseBody: () => {}, resumeBody: () => {} };
  const host = { budget: new BodyBudget(2 ** 20), unpacking: new Unpacking() };
  return new RequestBody({ flow, host, declaredBytes, holder });
}

for (const [what, bytes, asked] of [
  ['small, is charged to nobody', 100, []],
  ['long, is charged to who sends it', 100_000, ['asked']],
] as const)
  test(`a whole body that is ${what}, and is read when its end is told`, async () => {
    const holders: string[] = [];
    const body = bodyOf(bytes, holders);
    const chunk = Buffer.alloc(bytes, 'x');
    body.pushRest(chunk);
    const reading = body.read('identity', 2 ** 20);
    chunk.fill('y'); // It is the transport's, and used again.
    body.push(NO_BODY, true);
    assert.deepEqual(Buffer.from(await reading), Buffer.alloc(bytes, 'x'));
    assert.deepEqual(holders, asked);
  });

test('a whole body above its limit is refused, and one that nobody wants is let go', async () => {
  const body = bodyOf(100, []);
  body.pushRest(Buffer.alloc(100));
  await assert.rejects(body.read('identity', 99), { status: 413 });
  const dropped = bodyOf(100, []);
  dropped.drop();
  dropped.pushRest(Buffer.alloc(100));
  assert.equal(dropped.heldBytes, 0);
});
