import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TagDefinition } from '../../../../server/explorer/model/tags/tag.ts';
import { shadeAt, shadeStyle, UNKNOWN_SHADE } from '../../../../server/explorer/time-in-state/shades.ts';
import type { StateEntry } from '../../../../server/explorer/time-in-state/state-entry.ts';
import {
  byDuration,
  longestStates,
  MOST_STATES,
  type StateTime,
  stateTimes,
  unknownMs,
} from '../../../../server/explorer/time-in-state/state-time.ts';

type Value = boolean | number | string;

/** Entries as the server answers them: one for each function and state. */
function entriesOf(t: TagDefinition, states: readonly (readonly [Value, number, string?])[]): StateEntry[] {
  const sum = states.reduce((total, [, ms]) => total + ms, 0);
  const entry = (a: StateEntry['a'], pick: (ms: number) => number): StateEntry[] =>
    states.map(([state, ms, stateName]) => ({
      t,
      a,
      state,
      ...(stateName === undefined ? {} : { stateName }),
      d: [{ v: pick(ms) }],
    }));
  return [
    ...entry('StateDuration', (ms) => ms),
    ...entry('StatePercent', (ms) => (ms / sum) * 100),
    ...entry('StateCount', () => 2),
  ];
}

const names = (times: readonly StateTime[]): string[] => times.map(({ name }) => name);

test('times come in the order of the states, by the names of the tag, without those that never were', () => {
  const tag = { n: 'S', t: 'System.Int32', u: { '0': 'Off', '1': 'On', '2': 'Wash' } };
  const times = stateTimes(
    entriesOf(tag, [
      [9, 500],
      [2, 2500, 'Wash'],
      [0, 1000, 'Off'],
      [1, 0, 'On'],
    ]),
  );
  assert.deepEqual(names(times), ['Off', 'Wash', '9 (no such state)']);
  assert.deepEqual(
    times.map(({ durationMs, percent, times: count }) => [durationMs, percent, count]),
    [
      [1000, 25, 2],
      [2500, 62.5, 2],
      [500, 12.5, 2],
    ],
  );
  assert.deepEqual(times[2]?.shade, UNKNOWN_SHADE);
  assert.deepEqual(names(byDuration(times)), ['Wash', 'Off', '9 (no such state)']);
});

test('Booleans have the texts of their tag, or True and False; texts are themselves', () => {
  const bare = { n: 'B', t: 'System.Boolean' };
  assert.deepEqual(
    names(
      stateTimes(
        entriesOf(bare, [
          [true, 3],
          [false, 1],
        ]),
      ),
    ),
    ['False', 'True'],
  );
  const named = { ...bare, u: { '0': 'Closed', '1': 'Open' } };
  assert.deepEqual(
    names(
      stateTimes(
        entriesOf(named, [
          [false, 1],
          [true, 3],
        ]),
      ),
    ),
    ['Closed', 'Open'],
  );
  const text = { n: 'T', t: 'System.String' };
  assert.deepEqual(
    names(
      stateTimes(
        entriesOf(text, [
          ['b', 1],
          ['', 2],
          ['10', 3],
          ['a', 3],
        ]),
      ),
    ),
    ['(empty text)', '10', 'a', 'b'],
  );
  assert.deepEqual(stateTimes([]), []);
});

test('a state has the same shade whether the others occur or not', () => {
  const tag = { n: 'S', t: 'System.Int32', u: { '0': 'Off', '1': 'On', '2': 'Wash' } };
  const all = stateTimes(
    entriesOf(tag, [
      [0, 1],
      [1, 1],
      [2, 1],
    ]),
  );
  const [only] = stateTimes(entriesOf(tag, [[1, 1]]));
  assert.deepEqual(only?.shade, all[1]?.shade);
});

test('the shades of a dozen states differ, but for the last two', () => {
  const styles = Array.from({ length: 10 }, (_, place) => shadeStyle(shadeAt(place, 12), 'red'));
  assert.equal(new Set([...styles, shadeStyle(UNKNOWN_SHADE, 'red')]).size, 11);
  assert.equal(shadeAt(0, 2).strength, 18);
  assert.equal(shadeAt(1, 2).strength, 95);
  assert.equal(shadeAt(0, 1).isStriped, false);
});

test('very many states are the longest of them and the others as one', () => {
  const tag = { n: 'S', t: 'System.String' };
  const many = stateTimes(
    entriesOf(
      tag,
      Array.from({ length: 30 }, (_, index) => [`s${index}`, index + 1] as const),
    ),
  );
  const shown = longestStates(many);
  assert.equal(shown.length, MOST_STATES);
  assert.equal(shown.at(-1)?.name, '19 others');
  assert.equal(shown.at(-1)?.durationMs, (19 * 20) / 2);
  const sum = shown.reduce((total, { percent }) => total + percent, 0);
  assert.ok(Math.abs(sum - 100) < 1e-9);
  assert.deepEqual(longestStates(many.slice(0, MOST_STATES)), many.slice(0, MOST_STATES));
});

test('what is not known is the rest of the window up to now, give or take the clocks', () => {
  const times = stateTimes(entriesOf({ n: 'B', t: 'System.Boolean' }, [[true, 600_000]]));
  const window = { startMs: 0, endMs: 3_600_000 };
  assert.equal(unknownMs(times, window, 3_600_000), 3_000_000);
  assert.equal(unknownMs(times, window, 700_000), 100_000, 'what lies ahead is not missing');
  assert.equal(unknownMs(times, window, 600_900), 0);
  assert.equal(unknownMs(times, { startMs: 0, endMs: 600_000 }, 3_600_000), 0);
});
