import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseRows, rowsBetween } from '../../../../../server/explorer/model/tags/browse-rows.ts';
import { searchTags } from '../../../../../server/explorer/model/tags/tag-search.ts';
import { flatRows } from '../../../../../server/explorer/model/tags/tag-tree.ts';
import { describeAbsence, hasPointIn } from '../../../../../server/explorer/model/trend/absence.ts';
import { crowdStart } from '../../../../../server/explorer/model/trend/crowd-start.ts';
import { createSeries } from '../../../../../server/explorer/model/trend/series.ts';
import { splitStates } from '../../../../../server/explorer/model/trend/state-split.ts';
import { usualExtent } from '../../../../../server/explorer/model/trend/value-scale.ts';

const REF = { dataset: 'P', name: 'T' };
const series = (v: (number | null)[], t = v.map((_, index) => index)) =>
  createSeries(REF, { n: 'T', t: 'System.Double' }, { t, v, q: 192 });

test('a history begins where nearly all of its points are', () => {
  const window = { startMs: 0, endMs: 1000 };
  const crowd = Array.from({ length: 12 }, (_, index) => 900 + index);
  assert.equal(crowdStart([1, ...crowd], window), 900);
  assert.equal(crowdStart([1, 2, 3, ...crowd], window), 900);
  assert.equal(crowdStart([900, 950], window), 900, 'the oldest point is of another tag');
  assert.equal(crowdStart([1, 300, 600, ...crowd], window), undefined);
  assert.equal(crowdStart([1, 2, 3, 4, ...crowd], window), undefined, 'more than a few are a history');
  assert.equal(crowdStart([1, 900, 950], window), undefined, 'three points are no crowd');
  assert.equal(crowdStart([-500, 10, 300, ...crowd], window), undefined, 'what is carried in lies before the window');
});

test('the usual range leaves a few points far off out, and nothing else', () => {
  const wave = Array.from({ length: 50 }, (_, index) => index % 10);
  assert.deepEqual(usualExtent(series(wave), 0, 100), { min: 0, max: 9 });
  assert.deepEqual(usualExtent(series([...wave, 1e9]), 0, 100), { min: 0, max: 9 });
  assert.deepEqual(usualExtent(series([...wave, -1e9, 20]), 0, 100), { min: 0, max: 20 });
  assert.deepEqual(usualExtent(series([1, 2, 1e9]), 0, 100), { min: 1, max: 1e9 }, 'of three points none is usual');
  assert.equal(usualExtent(series([null]), 0, 100), undefined);
});

test('numbers without a text are split from the states', () => {
  const { known, unknown } = splitStates(
    series([0, 7, null, 1]),
    new Map([
      [0, 'Off'],
      [1, 'On'],
    ]),
  );
  assert.deepEqual(
    [known.values, unknown?.values],
    [
      [0, null, null, 1],
      [null, 7, null, null],
    ],
  );
  assert.equal(splitStates(series([0, null]), new Map([[0, 'Off']])).unknown, undefined);
});

test('a search looks into descriptions, and lists what it finds by the name first', () => {
  const tags = [
    { name: 'P1', label: 'P1', description: 'Pump of the north tank' },
    { name: 'Tank.North', label: 'Tank.North', description: undefined },
  ];
  const found = searchTags(tags, 'NORTH tank').map(({ name }) => name);
  assert.deepEqual(found, ['Tank.North', 'P1']);
  assert.deepEqual(searchTags(tags, 'p1 tank'), [tags[0]], 'one word in the name, one in the description');
  assert.deepEqual(searchTags(tags, 'south'), []);
});

test('rows of other datasets stand below a row of their dataset', () => {
  const group = (dataset: string, ...names: string[]) => ({
    dataset,
    rows: flatRows(names.map((name) => ({ name, label: name }))),
    tagCount: names.length,
  });
  const shown = (groups: ReturnType<typeof group>[]) =>
    browseRows(groups, 'A').map(({ label, level, dataset }) => [dataset, level, label]);
  assert.deepEqual(shown([group('A', 'T')]), [['A', 1, 'T']]);
  assert.deepEqual(shown([group('A'), group('B', 'T', 'U')]), [
    ['B', 1, 'B'],
    ['B', 2, 'T'],
    ['B', 2, 'U'],
  ]);
  const rows = browseRows([group('A', 'T'), group('B', 'T')], 'A');
  assert.equal(new Set(rows.map(({ path }) => path)).size, rows.length);
});

test('an absence is a sentence; what is carried in is no point of the window', () => {
  assert.match(
    describeAbsence({ kind: 'elsewhere', newestMs: new Date('2024-03-01T08:00:05').getTime() }, REF),
    /^No data here; the newest point is from 2024-03-01 08:00:05\.$/,
  );
  const window = { startMs: 10, endMs: 20 };
  assert.equal(hasPointIn(series([1], [5]), window), false);
  assert.equal(hasPointIn(series([1, 2], [5, 10]), window), true);
  assert.equal(hasPointIn(series([1], [21]), window), false);
});

test('rows from one to another are those between, in either direction; without the first it is the second alone', () => {
  const rows = browseRows([{ dataset: 'P', rows: flatRows(['A', 'B', 'C', 'D'].map(named)), tagCount: 4 }], 'P');
  const between = (anchor: string | undefined, path: string) =>
    rowsBetween(rows, anchor, path).map(({ label }) => label);
  assert.deepEqual(between('A', 'C'), ['A', 'B', 'C']);
  assert.deepEqual(between('D', 'C'), ['C', 'D']);
  assert.deepEqual(between('B', 'B'), ['B']);
  assert.deepEqual(between(undefined, 'C'), ['C']);
  assert.deepEqual(between('gone', 'C'), ['C']);
});

function named(name: string): { readonly name: string; readonly label: string } {
  return { name, label: name };
}
