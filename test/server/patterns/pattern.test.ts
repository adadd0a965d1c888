import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Pattern } from '../../../server/patterns/pattern.ts';

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '[a-c]', '\\.', '\\d', 'x');
const pattern = fc.letrec<{ whole: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
      .map(([a, count]) => `(?:${a})${count}`),
  ),
  whole: tie('part'),
})).whole;

test('texts match as JavaScript has it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '1', 'x'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
      const own = new Pattern(source);
      const other = new RegExp(`^(?:${source})$`, 'u');
      for (const one of texts) assert.equal(own.matches(one), other.test(one), `/${source}/ on '${one}'`);
    }),
    { numRuns: 500 },
  );
});

test('what Grafana makes of selections matches', () => {
  const selected = new Pattern('(PA01\\.Flow|PA01\\.State|Übung [1-2]+)');
  assert.deepEqual(
    ['PA01.Flow', 'PA01xFlow', 'PA01.Flow2', 'PA01.State', 'Übung 121'].map((name) => selected.matches(name)),
    [true, false, false, true, true],
  );
  assert.equal(selected.texts, undefined);
  assert.deepEqual(new Pattern('(PA01\\.Flow|PA01\\.State)').texts, ['PA01.Flow', 'PA01.State']);
  assert.deepEqual(new Pattern('^PA01\\.Flow$').texts, ['PA01.Flow']);
  assert.ok(new Pattern('.*').matches(''));
  assert.ok(!new Pattern('.+').matches(''));
  assert.ok(new Pattern('^PA.*Flow$').matches('PA02.Flow'));
  assert.ok(new Pattern('a/b\\-c').matches('a/b-c'));
});

test('a pattern that makes others go back and forth is done at once', () => {
  const text = 'a'.repeat(2000);
  assert.equal(new Pattern('(a*)*(a*)*(a|a)*b').matches(text), false);
  assert.equal(new Pattern('(((a+)+)+)+').matches(text), true);
});

test('what is no pattern, or too much of one, is refused with a reason', () => {
  for (const [source, message] of [
    ['(a', /'\(' without '\)' \(at character 3\)/],
    ['a)', /'\)' without '\('/],
    ['*a', /nothing to repeat/],
    ['[a', /ends too early/],
    ['[b-a]', /ends below its beginning/],
    ['a{3,2}', /ends below its beginning/],
    ['a{1001}', /repeats more than 1000/],
    ['\\q', /'\\q' is not known/],
    ['(?=a)', /something else than ':'/],
    ['(a{1000}){1000}', /more than 2500 steps/],
    ['((){1000}){1000}', /more than 2500 steps/],
    ['a^b', /neither at the beginning nor at the end/],
    [`${'('.repeat(60)}a`, /nested too deep/],
    ['\\', /ends too early/],
  ] as const) {
    assert.throws(() => new Pattern(source), message, source);
  }
});
