import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesPattern } from '../../../server/patterns/star-pattern.ts';

const LIMIT_CPU_US = 500_000;
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

test('a pattern without a star is the name itself, with its case', () => {
  for (const [pattern, name, isMatch] of [
    ['Line 1', 'Line 1', true],
    ['Line 1', 'line 1', false],
    ['Line 1', 'Line 11', false],
    ['', 'Line', false],
    ['L.ne', 'Line', false],
    ['Line?', 'Line1', false],
  ] as const) {
    assert.equal(matchesPattern(pattern, name), isMatch, `${pattern} ${name}`);
  }
});

test('a star stands for any characters, also none', () => {
  for (const [pattern, name, isMatch] of [
    ['*', 'Line', true],
    ['*', '', true],
    ['**', 'Line', true],
    ['Line*', 'Line', true],
    ['Line*', 'Line 1', true],
    ['Line*', 'XLine', false],
    ['*ine', 'Line', true],
    ['*Line', 'Line 1', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'abbc', true],
    ['a*bc*c', 'abc', false],
    ['a*b*b*c', 'a b c', false],
    ['*b*', 'abc', true],
    ['*d*', 'abc', false],
  ] as const) {
    assert.equal(matchesPattern(pattern, name), isMatch, `${pattern} ${name}`);
  }
});

test('patterns match what a plain regular expression says', (context) => {
  context.diagnostic(`SEED=${SEED}`);
  const text = fc.array(fc.constantFrom('a', 'b', '*', '.'), { maxLength: 8 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const source = pattern.replace(/[.]/g, '\\.').replace(/\*/g, '.*');
      assert.equal(matchesPattern(pattern, name), new RegExp(`^${source}$`).test(name));
    }),
    { seed: SEED, numRuns: 5000 },
  );
});

test('a pattern made to be slow is not', () => {
  const before = process.cpuUsage();
  assert.equal(matchesPattern(`${'a*'.repeat(5000)}b`, 'a'.repeat(20_000)), false);
  assert.equal(matchesPattern(`${'a*'.repeat(5000)}b*`, 'a'.repeat(20_000)), false);
  assert.ok(process.cpuUsage(before).user < LIMIT_CPU_US);
});
