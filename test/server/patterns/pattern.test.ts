import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { Pattern } from '../../../server/patterns/pattern.ts';
import { patternSize } from '../../../server/patterns/pattern-size.ts';

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
    ['((){1000}){1000}', /it comes to far more than 1500 steps/],
    ['(?:ab){900}', /it comes to 1802 steps/],
    [`${'('.repeat(1500)}a${')'.repeat(1500)}`, /nests too deeply/],
    ['\\', /trailing backslash/],
  ] as const) {
    assert.throws(() => new Pattern(source).prepare(), message, source.slice(0, 50));
  }
});

test('what would make a large program is refused before it is compiled', () => {
  for (const source of [
    'a{1000}'.repeat(400),
    '(?:(?:a{10}){10}){10}'.repeat(100),
    `(?:${'a'.repeat(90)}\\Q(\\E){1000}`,
    `(?:${'a'.repeat(90)})(?i){1000}`,
    `(?:[]()]${'.'.repeat(90)}){0,1000}`,
    `${'ab'.repeat(32_000)}.`,
    '\\pL'.repeat(1000),
    `(?i)${'[B-\\x{1e942}]'.repeat(100)}`,
    `(?i)[${'0-\u0250'.repeat(1000)}]`,
  ]) {
    assert.throws(() => new Pattern(source), /it comes to far more than 1500 steps; at most/, source.slice(0, 50));
  }
});

test('a long text is refused at once, whatever is in it', () => {
  const startMs = performance.now();
  for (const part of ['\\x{1', '\\p{a', '[[:a', '(?P<a', '(?a', 'a{1', '-\\x{1', '\\Q', '(?i', '[', '(']) {
    assert.ok(patternSize(part.repeat(8000 / part.length)) >= 7990, part);
    assert.throws(() => new Pattern(part.repeat(100_000)), /it comes to far more/, part);
  }
  assert.ok(performance.now() - startMs < 1000, 'with room for a machine that is busy');
});

test('what is compiled today at no great cost is still taken', () => {
  const names = Array.from({ length: 280 }, (_, i) => `Plant 1\\.Reactor ${1000 + i}.*`);
  for (const source of [
    `(${names.join('|')})`,
    'a{1000}',
    '(?i)[a-z\u00c0-\u024f]{1,100}',
    '[\\pL\\pN_.-]{300}',
    '(?i).*flow[0-9]{1,3}',
    '(?:(?:\\d{1,3})\\.){3}\\d{1,3}',
  ]) {
    assert.ok(new Pattern(source).prepare() <= 1500, source.slice(0, 50));
  }
});

test('the size that a pattern is taken for is not less than half of its steps', () => {
  const piece = fc.oneof(
    pattern,
    fc.constantFrom('(?i)', '(?i:', '(?:', '(?P<n>', '(', ')', '|', '[', ']', '[]', '[^]', '[[:alpha:]', '\\Q', '\\E'),
    fc.constantFrom(
      '{5}',
      '{0,9}',
      '{3,}',
      '*',
      '+?',
      '\\pL',
      '\\p{Greek}',
      '\\x{41}',
      '\\(',
      '\\]',
      '{',
      '-',
      '😀',
      '^',
      '$',
    ),
  );
  let compiled = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const source = pieces.join('');
      const steps = stepsOf(source);
      if (steps !== undefined) compiled++;
      assert.ok((steps ?? 0) <= 2 * patternSize(source) + 4, `/${source}/: ${steps} steps, ${patternSize(source)}`);
    }),
    { numRuns: 5000 },
  );
  assert.ok(compiled > 500, `${compiled} of them`);
});

/** Undefined for what is no pattern. */
function stepsOf(source: string): number | undefined {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL).programSize();
  } catch {
    return undefined;
  }
}
