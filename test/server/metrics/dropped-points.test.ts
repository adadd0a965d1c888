// One line a minute about points that doors have dropped, with all of them counted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DroppedPoints, droppedReasons } from '../../../server/metrics/dropped-points.ts';

test('points that were dropped are told once a minute, all that came since together, and nothing when nothing was', () => {
  const lines: object[] = [];
  let nowMs = 0;
  const dropped = new DroppedPoints({ warn: (details) => void lines.push(details) }, () => nowMs);
  const at = (dataset: string) => ({ door: 'mqtt', dataset });
  dropped.add({ ignored: 0, expired: 0 }, at('a'));
  dropped.add({ ignored: 3, expired: 1 }, at('a'));
  for (nowMs = 1000; nowMs < 60_000; nowMs += 1000) dropped.add({ ignored: 1, expired: 0 }, at('b'));
  assert.deepEqual(lines, [{ door: 'mqtt', dataset: 'a', ignored: 3, expired: 1 }]);
  nowMs = 60_000;
  dropped.add({ ignored: 0, expired: 2 }, at('c'));
  assert.deepEqual(lines.slice(1), [{ door: 'mqtt', dataset: 'c', ignored: 59, expired: 2 }]);
});

test('the reasons have their numbers', () => {
  assert.deepEqual(droppedReasons({ ignored: 0, expired: 0 }), []);
  assert.deepEqual(droppedReasons({ ignored: 2, expired: 1 }), [
    'points earlier than the newest of their tag dropped=2',
    'points beyond retention policy dropped=1',
  ]);
});
