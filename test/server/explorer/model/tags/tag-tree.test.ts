import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatRows, treeRows } from '../../../../../server/explorer/model/tags/tag-tree.ts';

const tags = (...names: string[]) => names.map((name) => ({ name, label: name }));
const outline = (names: string[], isOpen = (_: string): boolean => true): string[] =>
  treeRows(tags(...names), isOpen).map(
    ({ level, label, tagName, below }) =>
      `${' '.repeat(level - 1)}${label}${tagName === undefined ? ` (${below})` : ''}`,
  );

test('names are cut at slashes and dots', () => {
  assert.deepEqual(outline(['Mill/Dryer.Temp', 'Mill/Dryer.Flow', 'Mill/Fan']), [
    'Mill (3)',
    ' Dryer (2)',
    '  Temp',
    '  Flow',
    ' Fan',
  ]);
});

test('a tag may have tags below it', () => {
  const rows = treeRows(tags('PA.Batch', 'PA.Batch.Product', 'PA.Flow'), () => true);
  assert.deepEqual(
    rows.map(({ path, tagName, below }) => [path, tagName, below]),
    [
      ['PA', undefined, 3],
      ['PA.Batch', 'PA.Batch', 1],
      ['PA.Batch.Product', 'PA.Batch.Product', 0],
      ['PA.Flow', 'PA.Flow', 0],
    ],
  );
});

test('names that differ in their separators only stay two tags', () => {
  const names = treeRows(tags('a/b', 'a.b', '.hidden', 'end.', 'a..b', '/'), () => true).flatMap(
    ({ tagName }) => tagName ?? [],
  );
  assert.deepEqual(names.sort(), ['.hidden', '/', 'a..b', 'a.b', 'a/b', 'end.']);
});

test('a branch with nothing but one branch is one row with it', () => {
  assert.deepEqual(outline(['Site/Hall/Line.A', 'Site/Hall/Line.B']), ['Site/Hall/Line (2)', ' A', ' B']);
});

test('closed branches hide what is below, and every path is unique', () => {
  assert.deepEqual(
    outline(['A.x', 'A.y', 'B'], () => false),
    ['A (2)', 'B'],
  );
  const rows = treeRows(tags('A', 'A.B', 'A/B', 'A.B.C', 'A.B/C'), () => true);
  assert.equal(new Set(rows.map(({ path }) => path)).size, rows.length);
});

test('none of 10,000 tags is lost, in the list or in the tree', () => {
  const all = tags(
    ...Array.from({ length: 10_000 }, (_, index) => `Area${index % 20}/Machine${index % 400}.Value${index}`),
  );
  assert.equal(flatRows(all).length, 10_000);
  const rows = treeRows(all, () => true);
  assert.equal(rows.filter(({ tagName }) => tagName !== undefined).length, 10_000);
});
