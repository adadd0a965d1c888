import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonStart, shortNames, splitName } from '../../../../../server/explorer/model/tags/tag-names.ts';

const at = (dataset: string, ...names: string[]) => names.map((name) => ({ dataset, name }));

test('a name is cut before its last part, so that its end stays', () => {
  assert.deepEqual(splitName('Dairy.Line01.Temperature'), ['Dairy.Line01', '.Temperature']);
  assert.deepEqual(splitName('A.B'), ['', 'A.B']);
  assert.deepEqual(splitName('Site/Hall/X'), ['Site/H', 'all/X']);
  const [head, tail] = splitName('WithoutAnySeparatorButVeryLong01');
  assert.deepEqual([head + tail, tail.length], ['WithoutAnySeparatorButVeryLong01', 16]);
});

test('equal last parts carry as much of the path as tells them apart, and the dataset where nothing else does', () => {
  const paths = (refs: ReturnType<typeof at>): string[] => shortNames(refs).map(({ path }) => path);
  assert.deepEqual(paths(at('P', 'PA01.Batch', 'TK1.Level')), ['', '']);
  assert.deepEqual(paths(at('P', 'PA01.Batch', 'PA02.Batch')), ['PA01', 'PA02']);
  assert.deepEqual(paths(at('P', 'N.L1.Batch', 'S.L1.Batch', 'S.L2.Batch')), ['N.L1', 'S.L1', 'L2']);
  assert.deepEqual(paths([...at('P', 'L1.Batch'), ...at('Q', 'L1.Batch')]), ['P: L1', 'Q: L1']);
  assert.deepEqual(paths([...at('P', 'Batch'), ...at('Q', 'Batch')]), ['P', 'Q']);
});

test('what all names begin with ends at a dot or slash, and a single name has nothing in common', () => {
  assert.equal(commonStart(['Site/Hall/TK001.Level', 'Site/Hall/TK002.Level']), 'Site/Hall/');
  assert.equal(commonStart(['A.B', 'A.B', 'A.BC']), 'A.');
  assert.equal(commonStart(['TK001.Level', 'FL001.Flow']), '');
  assert.equal(commonStart(['A.B']), '');
  assert.equal(commonStart([]), '');
});
