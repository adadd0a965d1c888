// What is taken for a query is one by the grammar of Prometheus, and by what its parser refuses besides.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import type { Query } from '../../../../../server/doors/prometheus/promql/promql.ts';
import { parsePromql, parseSelector } from '../../../../../server/doors/prometheus/promql/promql-parser.ts';
import { parseDuration } from '../../../../../server/doors/prometheus/promql/steps.ts';
import { ProblemError } from '../../../../../server/problem.ts';
import { chooseSeed, SeededRandom } from '../../../../support/seeded-random.ts';
import { randomQuery } from '../support/random-query.ts';

function isGrammatical(text: string): boolean {
  let hasError = false;
  parser.parse(text).iterate({
    enter: ({ type }) => {
      hasError ||= type.isError;
    },
  });
  return !hasError;
}

function parsed(text: string): Query | undefined {
  try {
    return parsePromql(text);
  } catch (error) {
    assert.ok(error instanceof ProblemError && error.status === 400, String(error));
    return undefined;
  }
}

const PIECES = ['(', ')', '{', '}', '[5m]', '[', ']', ',', '=', '=~', '!=', '+', '-', '^', ' ', '5m', '1h30m', '30m1h'];
const MORE = [
  '0x',
  '0x1F',
  '07',
  '1.',
  '.5',
  '1e',
  ':',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  'by',
  'sum',
  'rate',
  'tag',
  '"a"',
  '1_0',
];

/** A query with pieces put in, taken out, or doubled. */
function damaged(random: SeededRandom, query: string): string {
  let text = query;
  for (let i = random.below(3); i >= 0; i--) {
    const at = random.below(text.length + 1);
    const cut = random.pick([0, 0, 1, 4]);
    text = text.slice(0, at) + random.pick(['', ...PIECES, ...MORE]) + text.slice(at + cut);
  }
  return text;
}

test('random queries are taken, and what is left of them when they are damaged only if it is grammatical', () => {
  const seed = chooseSeed();
  console.log(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  let taken = 0;
  for (let i = 0; i < 5000; i++) {
    const { varve: whole } = randomQuery(random);
    assert.ok(parsed(whole) !== undefined, whole);
    assert.ok(isGrammatical(whole), whole);
    const text = damaged(random, whole);
    if (parsed(text) === undefined) continue;
    taken++;
    assert.ok(isGrammatical(text), text);
  }
  assert.ok(taken > 500, `${taken} damaged queries were taken`);
});

test('what the parser of Prometheus refuses besides is refused', () => {
  for (const text of [
    '{}',
    'varve_value{__name__="x"}',
    'varve_value{a:b="1"}',
    'sum by (a:b) (varve_value)',
    'rate(varve_value[30m1h])',
    'rate(varve_value[5m5m])',
    'rate(varve_value[0s])',
    `varve_value{tag="\\q"}`,
    `varve_value{tag="\\'"}`,
    `varve_value{tag='\\"'}`,
    `varve_value{tag="\\xff"}`,
    `varve_value{tag="\\ud800"}`,
    'varve_value{tag="a\nb"}',
    '0xFFFFFFFFFFFFFFFF',
    '0b11',
    '1..2',
  ]) {
    assert.equal(parsed(text), undefined, text);
  }
  for (const text of ['1', 'sum(varve_value)', '-varve_value', 'varve_value[5m]']) {
    assert.throws(() => parseSelector(text), ProblemError, text);
  }
  for (const text of ['30m1h', '1.5h', '-1', '0', '5x', '']) {
    assert.throws(() => parseDuration('A step', text), ProblemError, text);
  }
  assert.equal(parseDuration('A step', '1h30m5s20ms'), 5_405_020);
  assert.equal(parseDuration('A step', '1e1'), 10_000);
});

test('numbers are read as Go reads them', () => {
  for (const [text, value] of [
    ['0755', 493],
    ['0755.5', 755.5],
    ['0755e1', 7550],
    ['08', 8],
    ['0', 0],
    ['00', 0],
    ['0x10', 16],
    ['0XfF', 255],
    ['0777777777777777777777777', Number('777777777777777777777777')],
    ['.5e1', 5],
    ['1 ^ NaN', 1],
    ['(-1) ^ Inf', 1],
    ['0 / 0', Number.NaN],
    ['-7 % 4', -3],
  ] as const) {
    assert.deepEqual(parsed(text), { kind: 'number', value }, text);
  }
});
