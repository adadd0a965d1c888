import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { BodyPace } from '../../../../server/http/body/body-pace.ts';

const WINDOW_MS = 10_000;

function watch(isHeldBack: () => boolean = () => false): { pace: BodyPace; tooSlow: () => number } {
  let count = 0;
  const pace = new BodyPace(isHeldBack, () => count++);
  return { pace, tooSlow: () => count };
}

test('a body that comes by the byte is too slow after one window, and is told once', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const { pace, tooSlow } = watch();
  for (let second = 0; second < 19; second++) {
    pace.received(1);
    mock.timers.tick(1000);
    assert.equal(tooSlow(), second < 9 ? 0 : 1);
  }
});

test('a body of 16 KiB a window is fast enough, until it stops', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const { pace, tooSlow } = watch();
  for (let window = 0; window < 5; window++) {
    pace.received(16_384);
    mock.timers.tick(WINDOW_MS);
  }
  assert.equal(tooSlow(), 0);
  mock.timers.tick(WINDOW_MS);
  assert.equal(tooSlow(), 1);
});

test('a body that we hold back, or that has come, is never too slow', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const held = watch(() => true);
  const done = watch();
  done.pace.stop();
  mock.timers.tick(3 * WINDOW_MS);
  assert.equal(held.tooSlow(), 0);
  assert.equal(done.tooSlow(), 0);
});
