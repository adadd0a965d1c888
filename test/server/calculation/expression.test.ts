// Expressions: what they compute, which tags they name, and what is refused, with words that help.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstMoment, parseExpression } from '../../../server/calculation/expression.ts';

function compute(text: string, values: Readonly<Record<string, number>>): number {
  const expression = parseExpression(text);
  const given = Float64Array.from(expression.tags.map((name) => values[name] ?? Number.NaN));
  return expression.evaluate(given, firstMoment(expression, 0));
}

function fault(text: string): string {
  try {
    parseExpression(text);
  } catch (error) {
    assert.equal((error as { status?: number }).status, 400);
    return (error as Error).message;
  }
  return 'taken';
}

describe('an expression', () => {
  const computed: readonly (readonly [text: string, values: Record<string, number>, result: number])[] = [
    ['(FL001.Flow - FL002.Flow) * 60', { 'FL001.Flow': 5, 'FL002.Flow': 3 }, 120],
    ['a + b * c', { a: 1, b: 2, c: 3 }, 7],
    ['a - b - c', { a: 1, b: 2, c: 3 }, -4],
    ['-a % 3 / +2', { a: 5 }, -1],
    [`"Line 1/Flow" * 2 + 'it is'`, { 'Line 1/Flow': 4, 'it is': 0.5 }, 8.5],
    ['a * a + A', { a: 3, A: 1 }, 10],
    ['max(a, b, 4) - min(a, b)', { a: 1, b: 2 }, 3],
    ['sqrt(pow(a, 2) + pow(b, 2))', { a: 3, b: 4 }, 5],
    ['round(a) + floor(a) + ceil(a) + abs(-a)', { a: 1.5 }, 2 + 1 + 2 + 1.5],
    ['log(exp(a))', { a: 1 }, 1],
    ['Öl.Druck_1 + $x', { 'Öl.Druck_1': 1, $x: 2 }, 3],
    ['1e3 * a', { a: 0.5 }, 500],
    ['max * 2', { max: 4 }, 8],
    ['(a < b) + (a <= 1) * 2 + (a > b) * 4 + (b >= 2) * 8 + (a == 1) * 16 + (a != 1) * 32', { a: 1, b: 2 }, 27],
    ['a + 1 > b * 2', { a: 4, b: 2 }, 1],
    ['if(a > 80, b, 0)', { a: 81, b: 5 }, 5],
    ['if(a > 80, b, 0)', { a: 80, b: 5 }, 0],
    ['if(a, 1 / a, -1)', { a: 0 }, -1],
    ['if(a > 80, 1, 0) + b', { b: 5 }, Number.NaN],
    ['if == 2', { if: 2 }, 1],
  ];
  for (const [text, values, result] of computed) {
    it(`computes ${text}`, () => assert.equal(compute(text, values), result));
  }

  it('names each tag once', () => assert.deepEqual(parseExpression('b + a * b').tags, ['b', 'a']));

  const refused: readonly (readonly [text: string, words: RegExp])[] = [
    ['', /names no tag|one piece/],
    ['1 + 2', /names no tag/],
    ['a +', /cannot be read/],
    ['(a', /cannot be read/],
    ['a b', /one piece of arithmetic/],
    ['a; b', /one piece of arithmetic/],
    ['a ? b : c', /one piece of arithmetic/],
    ['[a]', /one piece of arithmetic/],
    ['a = 3', /cannot be read/],
    ['a & b', /has &/],
    ['a ** 2', /has \*\*/],
    ['a ^ 2', /has \^, for which there is pow/],
    ['a === b', /has ===/],
    ['if(a > b, 1)', /gives if 2 values instead of 3/],
    ['a && b', /has &&/],
    ['!a', /has !/],
    ['true + a', /has true, .* goes in quotes/],
    ['a[0]', /goes in quotes/],
    ['a["b"]', /goes in quotes/],
    ['this', /one piece of arithmetic/],
    ['constructor(a)', /calls constructor/],
    ['Math.sin(a)', /calls Math\.sin/],
    ['f(a)(b)', /goes in quotes/],
    ['sqrt(a, b)', /gives sqrt 2 values instead of 1/],
    ['pow(a)', /gives pow 1 values instead of 2/],
    ['previous(a, b)', /gives previous 2 values instead of 1/],
    ['rate()', /gives rate 0 values instead of 1 or 2/],
    ['movingAverage(a)', /gives movingAverage 1 values instead of 2/],
    ["movingAverage(a, '0s')", /gives movingAverage no span of time/],
    ['movingAverage(a, 10)', /gives movingAverage no span of time .* such as '10m'/],
    ["rate(a, 'M')", /gives rate no span/],
    ['max()', /gives max 0 values instead of one or more/],
    [`${'a+'.repeat(999)}a`, /more than 256 parts/],
    [`${'a+'.repeat(10_000)}a`, /more than 2000 characters/],
    [Array.from({ length: 33 }, (_, i) => `t${i}`).join('+'), /more than 32 tags/],
    [`${'('.repeat(999)}a${')'.repeat(999)}`, /taken|nested too deeply|more than/],
    ['constructor.prototype + __proto__', /taken/],
  ];
  for (const [text, words] of refused) {
    it(`says what is wrong with ${text.slice(0, 40)}`, () => assert.match(fault(text), words));
  }
});
