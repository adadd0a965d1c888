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

test('a pattern at the limit takes no long time for a text', () => {
  const text = 'ab'.repeat(128);
  const startMs = performance.now();
  for (const source of ['.*a.{500}', '(.*a.{300}.*){3}', '(\\pL?){300}', '(.*a?.*e?.*i?.*){8}Tag .*(1|2|3)+x?']) {
    new Pattern(source).matches(text);
  }
  assert.ok(performance.now() - startMs < 5000, 'with room for a machine that is busy');
});

test('a choice among names may be long', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `Plant 1.Reactor ${i}`);
  const pattern = new Pattern(`(${names.map((name) => name.replace('.', '\\.')).join('|')})`);
  assert.deepEqual(pattern.texts, names);
  assert.ok(pattern.matches('Plant 1.Reactor 4999'));
  assert.ok(!pattern.matches('Plant 1.Reactor 5000'));
});

test('what looks like a choice among names and is none', () => {
  for (const [source, fits, fitsNot] of [
    ['(a)|(b)', 'b', '(b'],
    ['a|b*', 'bb', 'b*'],
    ['a\\$', 'a$', 'a\\'],
    ['\\d', '1', 'd'],
    ['(?i)a', 'A', '(?i)a'],
    ['a|', '', '|'],
  ] as const) {
    const pattern = new Pattern(source);
    assert.ok(pattern.matches(fits), `/${source}/ on '${fits}'`);
    assert.ok(!pattern.matches(fitsNot), `/${source}/ on '${fitsNot}'`);
  }
});

test('what is no pattern, or too much of one, is refused with a reason', () => {
  for (const [source, message] of [
    ['(a', /missing closing \)/],
    ['a)', /unexpected \)/],
    ['*a', /missing argument to repetition/],
    ['[a', /missing closing \]/],
    ['[b-a]', /invalid character class range/],
    ['a{3,2}', /invalid repeat count/],
    ['a{1001}', /invalid repeat count/],
    ['\\q', /invalid escape sequence/],
    ['(?=a)', /invalid or unsupported Perl syntax/],
    ['(\\pL?){900}', /it comes to 3\d\d\d steps; at most 1500 are taken/],
    ['((){1000}){1000}', /expression too large/],
    [`${'('.repeat(1500)}a${')'.repeat(1500)}`, /nests too deeply/],
    ['\\', /trailing backslash/],
  ] as const) {
    assert.throws(() => new Pattern(source), message, source.slice(0, 50));
  }
});
