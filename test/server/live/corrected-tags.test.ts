// What was corrected in one turn: one range of each tag, in events of a thousand tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../engine/index.ts';
import { UNCHARGED } from '../../../server/http/memory/answer-memory.ts';
import { CorrectedTags, unitedOf } from '../../../server/live/corrected-tags.ts';
import type { LiveEvent } from '../../../server/live/outlet.ts';
import { Subscriber } from '../../../server/live/subscriber.ts';
import { tellCorrected } from '../../../server/live/tell-corrected.ts';

const at = (ms: number) => ({ ms, ticks: 0 });
const range = (tagId: number, from: number, to: number) => ({
  tagId,
  isSystem: false,
  tag: { name: `T${tagId}`, type: ValueType.Double },
  start: at(from),
  end: at(to),
});

function listen(names: readonly string[] | undefined): { subscriber: Subscriber; events: LiveEvent[] } {
  const events: LiveEvent[] = [];
  const outlet = {
    format: (event: LiveEvent) => {
      events.push(event);
      return '';
    },
    write: () => undefined,
    keepAlive: () => {},
    end: () => {},
  };
  const parts = { outlet, names, epoch: 'r', onTag: () => {}, onLost: () => {}, onGone: () => {} };
  return { subscriber: new Subscriber({ ...parts, memory: UNCHARGED }), events };
}

test('ranges of a tag become one that holds them all, and are taken once', () => {
  const corrected = new CorrectedTags();
  for (const [tagId, from, to] of [
    [1, 50, 60],
    [2, 5, 5],
    [1, 10, 20],
    [1, 30, 55],
  ] as const)
    corrected.add(range(tagId, from, to));
  const taken = corrected.take();
  assert.deepEqual(
    taken.map(({ tagId, start, end }) => [tagId, start.ms, end.ms]),
    [
      [1, 10, 60],
      [2, 5, 5],
    ],
  );
  assert.equal(taken[1]?.json, '{"start":"1970-01-01T00:00:00.005Z","end":"1970-01-01T00:00:00.005Z"}');
  assert.ok(corrected.isEmpty);
  assert.deepEqual(corrected.take(), []);
});

test('each listener is told of its tags, by the names it knows, in events of bounded length', () => {
  const ranges = unitedOf(Array.from({ length: 2500 }, (_, i) => range(i + 1, i, i)));
  const all = listen(undefined);
  tellCorrected(all.subscriber, ranges);
  const told = all.events.map(({ data }) => Object.keys(JSON.parse(data) as object));
  assert.deepEqual(
    told.map(({ length }) => length),
    [1000, 1000, 500],
  );
  assert.deepEqual(
    told.flat(),
    ranges.map(({ tag }) => tag.name),
  );
  const some = listen(['second']);
  some.subscriber.put(2, 'second', 0);
  tellCorrected(some.subscriber, ranges);
  assert.deepEqual(
    some.events.map(({ name, data }) => [name, Object.keys(JSON.parse(data) as object)]),
    [['corrected', ['second']]],
  );
  const notYet = listen(['T5']);
  tellCorrected(notYet.subscriber, ranges);
  assert.equal(notYet.events.length, 1, 'a tag that is known by its name only, as one that was deleted meanwhile');
  const none = listen(['gone']);
  tellCorrected(none.subscriber, ranges);
  assert.deepEqual(none.events, []);
});
