import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameTag } from '../../../../collect/opcua/nodes/found-node.ts';
import { PathPattern } from '../../../../collect/opcua/nodes/path-pattern.ts';

const CASES: readonly (readonly [pattern: string, path: string, verdict: string])[] = [
  ['Line1/Speed', 'Line1/Speed', 'match'],
  ['Line1/Speed', 'Line1', 'below'],
  ['Line1/Speed', 'Line2', 'no'],
  ['Line*/T*x', 'Line12/Tabx', 'match'],
  ['Line*/T*x', 'Line12/Tab', 'no'],
  ['a.c/x', 'abc/x', 'no'],
  ['Plant/**', 'Plant', 'match and below'],
  ['Plant/**', 'Plant/a/b', 'match and below'],
  ['**/Speed', 'Speed', 'match and below'],
  ['**/Speed', 'a/b/Speed', 'match and below'],
  ['**/Speed', 'a/b', 'below'],
];

test('patterns of browse paths say what matches, and where more may lie below', () => {
  for (const [pattern, path, verdict] of CASES)
    assert.equal(new PathPattern(pattern).judge(path.split('/')), verdict, `${pattern} of ${path}`);
});

test('the template of a name is filled in with path, id and browse name', () => {
  const node = { nodeId: 'ns=2;s=A', path: ['Line1', 'Speed'], part: undefined };
  assert.equal(nameTag('{browsePath}|{browseName}|{nodeId}', node), 'Line1/Speed|Speed|ns=2;s=A');
  const part = { text: '[3]', steps: [] };
  assert.equal(nameTag('{browsePath}', { ...node, part }), 'Line1/Speed[3]');
  assert.equal(nameTag('{part} of {browseName}', { ...node, part }), '[3] of Speed');
});
