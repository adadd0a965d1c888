// What the parser of line protocol makes of single cases: names, types, times, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import { LineParser, type ParsedLines } from '../../../../server/codec/line-protocol/line-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { parseLineTemplate } from '../../../../server/settings/line-template.ts';
import { SettingFault } from '../../../../server/settings/setting-kinds.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';
import { lookupOf, runsOf } from '../body-support.ts';

const parser = new LineParser();
const TAGS = lookupOf({
  'm.i32': ValueType.Int32,
  'm.dec': ValueType.Decimal,
  'm.time': ValueType.DateTime,
  'm.single': ValueType.Single,
  '$System.Reads': ValueType.Double,
});

const OPTIONS = {
  lookup: TAGS,
  precision: 'ms',
  arrivalMs: 1_000,
  maxTextBytes: 65_536,
  truths: 'boolean',
} as const;

interface Given {
  readonly template?: string;
  readonly precision?: string;
}

function parse(body: string, { template = '{measurement}.{tags}.{field}', precision = 'ms' }: Given = {}): ParsedLines {
  return parser.parse(Buffer.from(body), { ...OPTIONS, template: parseLineTemplate(template), precision });
}

/** Names of tags with their values, and the fault of the first bad line. */
function outcome(body: string, given?: Given): { values: Record<string, unknown[]>; bad: number; fault?: string } {
  const parsed = parse(body, given);
  const runs = [...runsOf(parsed.batch)].map(([name, { points }]) => [name, points.map(({ value }) => value)]);
  parser.release(parsed.batch);
  const fault = parsed.firstBad?.fault;
  return { values: Object.fromEntries(runs), bad: parsed.rejected, ...(fault === undefined ? {} : { fault }) };
}

function namesOf(body: string, template: string): string[] {
  return Object.keys(outcome(body, { template }).values);
}

test('the template makes the names: an empty place takes the text beside it along', () => {
  const line = 'cpu,region=eu,host=h\\ 1 usage=1,idle=2 1';
  assert.deepEqual(namesOf(line, '{measurement}.{tags}.{field}'), [
    'cpu.host=h 1,region=eu.usage',
    'cpu.host=h 1,region=eu.idle',
  ]);
  assert.deepEqual(namesOf(line, 'Site/{tag:host}/{values}/{measurement}/{field}!'), [
    'Site/h 1/eu/cpu/usage!',
    'Site/h 1/eu/cpu/idle!',
  ]);
  assert.deepEqual(namesOf('cpu usage=1 1', '{tag:host}.{measurement}.{tags}.{field}'), ['cpu.usage']);
  for (const wrong of ['{measurement}', '{fields}', 'x', '{field', '{field}}', '{tag:}.{field}']) {
    assert.throws(() => parseLineTemplate(wrong), SettingFault, wrong);
  }
});

test('the order of the tags in a line makes no difference, and neither does a name that two series share', () => {
  const { values } = outcome('m,a=1,b=2 v=1 1\nm,b=2,a=1 v=2 2\nm,a=1,b=2 v=3 3');
  assert.deepEqual(values, { 'm.a=1,b=2.v': [1, 2, 3] });
  assert.deepEqual(outcome('m,a=1 v=1 1\nm,a=2 v=2 2', { template: '{field}' }).values, { v: [1, 2] });
});

/** What the default template makes of a series, taken apart again: at the last dot, the first equals sign, and so on. */
function seriesOf(name: string): unknown {
  const places = (text: string, sign: string): number[] => {
    const found: number[] = [];
    for (let at = 0, backslashes = 0; at < text.length; at++) {
      if (text[at] === sign && backslashes % 2 === 0) found.push(at);
      backslashes = text[at] === '\\' ? backslashes + 1 : 0;
    }
    return found;
  };
  const plain = (text: string, signs: RegExp): string =>
    text.replace(
      new RegExp(String.raw`(\\*)(${signs.source}|$)`, 'g'),
      (_, backslashes: string, sign: string) => '\\'.repeat(Math.floor(backslashes.length / 2)) + sign,
    );
  const fieldAt = places(name, '.').at(-1) as number;
  const field = plain(name.slice(fieldAt + 1), /[.]/);
  const front = name.slice(0, fieldAt);
  const [equals] = places(front, '=');
  if (equals === undefined) return [plain(front, /=/), [], field];
  const tagsAt = places(front.slice(0, equals), '.').at(-1) as number;
  const list = front.slice(tagsAt + 1);
  const ends = [...places(list, ','), list.length];
  const tags = ends.map((end, i) => {
    const pair = list.slice(i === 0 ? 0 : (ends[i - 1] as number) + 1, end);
    const at = places(pair, '=')[0] as number;
    return [plain(pair.slice(0, at), /[.,=]/), plain(pair.slice(at + 1), /[,=]/)];
  });
  return [plain(front.slice(0, tagsAt), /=/), tags, field];
}

test('the default template keeps every two series apart: a name can be taken apart into its series', () => {
  const random = new SeededRandom(49);
  const text = (): string => Array.from({ length: 1 + random.below(4) }, () => 'ab.,=\\ '[random.below(7)]).join('');
  const written = (one: string): string => one.replace(/[,= ]/g, '\\$&');
  let escaped = 0;
  for (let round = 0; round < 5000; round++) {
    const keys = [...new Set(Array.from({ length: random.below(3) }, text))].sort();
    const series = [text(), keys.map((key): [string, string] => [key, text()]), text()] as const;
    const [measurement, tags, field] = series;
    // A backslash at the end of a part would escape what follows it in the line.
    if ([measurement, ...tags.flat(), field].some((part) => part.endsWith('\\') || /\\[,= ]/.test(part))) continue;
    if (/^[# ]/.test(measurement)) continue;
    const front = [written(measurement), ...tags.map(([key, value]) => `${written(key)}=${written(value)}`)].join(',');
    const parsed = parse(`${front} ${written(field)}=1 1`);
    const [name] = runsOf(parsed.batch).keys();
    parser.release(parsed.batch);
    assert.ok(name !== undefined, `${JSON.stringify(series)}: ${parsed.firstBad?.fault}`);
    assert.deepEqual(seriesOf(name), series, name);
    if (name.includes('\\')) escaped++;
  }
  assert.ok(escaped > 1000, `${escaped} names with backslashes`);
});

test('usual names have no backslash, however many dots their values have', () => {
  assert.deepEqual(
    namesOf(
      'win_disk,host=a.example.com,path=C:\\dir\\x usage_idle=1 1\nsystem.cpu.time f=1 1',
      '{measurement}.{tags}.{field}',
    ),
    ['win_disk.host=a.example.com,path=C:\\dir\\x.usage_idle', 'system.cpu.time.f'],
  );
  assert.deepEqual(namesOf('m,a=1/2,b\\=c=x a/b=1 1', '{measurement}/{tags}/{field}'), ['m/a=1/2,b\\=c=x/a\\/b']);
  assert.deepEqual(namesOf('m,a=1 a_b.c=1 1', '{measurement}_{tags}_{field}'), ['m_a=1_a_b.c']);
  assert.deepEqual(namesOf('m,a=1 a.b=1 1', '{measurement}.{tag:a}.{field}'), ['m.1.a.b']);
});

test('a mark in front of the body is no part of the first name', () => {
  assert.deepEqual(outcome('\ufeffm v=1 1\nm v=2 2').values, { 'm.v': [1, 2] });
  assert.deepEqual(outcome('\ufeff# comment\n').values, {});
});

test('the last value counts of a field that a line has twice', () => {
  assert.deepEqual(outcome('m v=1,w=5,v=2 1\nm v=3,w=6 2\nm v=1,v="x" 3\nm v=4,v=5i,v=6 4').values, {
    'm.v': [2, 3, 6],
    'm.w': [5, 6],
  });
  assert.deepEqual(outcome('m s="a",s="bc" 1\nm i=1i,i=9223372036854775807i 2').values, {
    'm.s': ['bc'],
    'm.i': [2n ** 63n - 1n],
  });
  assert.deepEqual(outcome('m a=1,b=2 1', { template: '{measurement}{field}' }).values, { ma: [1], mb: [2] });
});

test('the first value gives a new tag its type; a bad line gives none', () => {
  assert.deepEqual(outcome('m v=1i,w="x" bad\nm v="text" 2\nm v=3i 3').values, { 'm.v': ['text'] });
  const { values, bad, fault } = outcome('m v=1,w=1i 1\nm v=2i,w=2.5 2\nm v=3i,w=3 3');
  assert.deepEqual(values, { 'm.v': [1, 3], 'm.w': [1n, 3n] });
  assert.equal(bad, 1);
  assert.match(fault ?? '', /tag 'm\.w': got a fraction/);
});

test('values fit the types that tags have already, or their line is bad', () => {
  const { values, bad } = outcome(
    'm i32=7i,dec=1.50,time="2024-01-01T00:00:00Z",single=0.1 1\nm i32=7.5 2\nm dec="x" 3\nm time=5i 4\nm i32=-0i,dec=007. 5',
  );
  assert.deepEqual(values, {
    'm.i32': [7, 0],
    'm.dec': ['1.50', '7'],
    'm.time': [638_396_640_000_000_000n],
    'm.single': [Math.fround(0.1)],
  });
  assert.equal(bad, 3);
});

test('times of every precision, to 100 ns, rounded down', () => {
  const ticksOf = (time: string, precision: string): unknown =>
    runsOf(parse(`m v=1 ${time}`, { precision }).batch).get('m.v')?.points[0]?.ticks;
  assert.equal(ticksOf('1700000000123456789', 'ns'), 17_000_000_001_234_567n);
  assert.equal(ticksOf('-1', 'ns'), -1n);
  assert.equal(ticksOf('-100', 'ns'), -1n);
  assert.equal(ticksOf('1700000000123456', 'us'), 17_000_000_001_234_560n);
  assert.equal(ticksOf('-1', 'us'), -10n);
  assert.equal(ticksOf('5', 'h'), 180_000_000_000n);
  assert.equal(ticksOf('9223372036854775807', 'ns'), 92_233_720_368_547_758n);
  assert.equal(ticksOf('9223372036854775807', 's'), undefined);
});

test('a line without a time gets that of receipt', () => {
  const parsed = parse('m v=1\nm v=2 2000\n');
  const run = runsOf(parsed.batch).get('m.v');
  assert.deepEqual(
    run?.points.map(({ ticks }) => ticks),
    [10_000_000n, 20_000_000n],
  );
  assert.equal(run?.stamped, 1);
});

test('a quote that is not closed costs its own line only', () => {
  const { values, bad } = outcome('m s="abc 1\nm v=1 1\nm s="def" 2\nm v=2 3');
  assert.deepEqual(values, { 'm.v': [1, 2], 'm.s': ['def'] });
  assert.equal(bad, 1);
});

test('a text of a bad line is not taken for a line', () => {
  const { values, bad } = outcome('m s="\nm v=666 1\n",t=nonsense 1\nm v=1 1');
  assert.deepEqual(values, { 'm.v': [1] });
  assert.equal(bad, 1);
});

test('what cannot be a name of a tag makes the line bad', () => {
  for (const line of [
    '$System v=1,Reads=2',
    'm,a=\u0007 v=1',
    `${'n'.repeat(1100)} v=1`,
    `m ${'k'.repeat(1100)}=1`,
    `m ${'k'.repeat(3000)}=1`,
  ]) {
    const { values, bad } = outcome(`${line}\nok v=1`, { template: '{measurement}.{tags}.{field}' });
    assert.deepEqual(Object.keys(values), ['ok.v'], line.slice(0, 40));
    assert.equal(bad, 1);
  }
});

test('bytes that are not UTF-8 make the line bad', () => {
  const body = Buffer.concat([
    Buffer.from('m,a='),
    Buffer.from([0xff]),
    Buffer.from(' v=1 1\nm s="'),
    Buffer.from([0xc3]),
    Buffer.from('" 1\nm v=1 1\n'),
  ]);
  const parsed = parser.parse(body, {
    lookup: TAGS,
    template: parseLineTemplate('{measurement}.{field}'),
    precision: 'ms',
    arrivalMs: 0,
    maxTextBytes: 100,
    truths: 'boolean',
  });
  assert.equal(parsed.rejected, 2);
  assert.deepEqual([...runsOf(parsed.batch).keys()], ['m.v']);
});

test('a line, its fields and its tags are bounded; the next line is read', () => {
  const fields = Array.from({ length: 10_001 }, (_, i) => `f${i}=1`).join(',');
  const tags = Array.from({ length: 4_000 }, (_, i) => `t${i}=1`).join(',');
  const long = `m s="${'x'.repeat(65_537)}" 1`;
  const cases: readonly (readonly [line: string, fault: RegExp])[] = [
    [`m ${fields} 1`, /more than 10000 fields/],
    [`m,${tags} v=1 1`, /a measurement with tags of more than/],
    [long, /got a text of 65537 bytes/],
    [`m ${Array.from({ length: 5 }, (_, i) => `s${i}="${'y'.repeat(60_000)}"`).join(',')} 1`, /./],
    [`m v=${'1'.repeat(2_000)} 1`, /a number of too many digits/],
    ['a'.repeat(300_000), /missing fields/],
  ];
  for (const [line, fault] of cases) {
    const result = outcome(`${line}\nok v=1 1\n`);
    assert.deepEqual(result.values, { 'ok.v': [1] });
    assert.equal(result.bad, 1);
    assert.match(result.fault ?? '', fault);
  }
});

test('more series than are remembered, again and again, and several fields in any order', () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `m,n=${i % 40_000} a=${i},b=1i ${i}`);
  const { values, bad } = outcome(lines.join('\n'), { template: '{tag:n}.{field}' });
  assert.equal(bad, 0);
  assert.equal(Object.keys(values).length, 80_000);
  assert.deepEqual(values['123.a'], [123, 40_123, 80_123]);
  assert.deepEqual(outcome('m a=1,b=2 1\nm b=3,a=4 2\nm b=5 3\nm c=6,a=7 4').values, {
    'm.a': [1, 4, 7],
    'm.b': [2, 3, 5],
    'm.c': [6],
  });
});

test('a line with more new names than a piece has is read again, with those of the piece before', () => {
  const fields = Array.from({ length: 1800 }, (_, i) => `f${i}=${i}`);
  const body = `m one=1 1\nm ${fields.join(',')},f7=77 2\nm broken 3\nn ${fields.join(',')},f1=x 4\nm two=2 5\n`;
  const pieces = parser.read(Buffer.from(body), { ...OPTIONS, template: parseLineTemplate('{measurement}.{field}') });
  let count = 1;
  let piece = pieces.next();
  for (; !piece.done; piece = pieces.next()) count++;
  assert.ok(count >= 8, `${count} pieces`);
  const { batch, firstBad, rejected } = piece.value;
  assert.deepEqual([rejected, firstBad?.number], [2, 3]);
  const runs = new Map([...runsOf(batch)].map(([name, { points }]) => [name, points.map(({ value }) => value)]));
  parser.release(batch);
  assert.equal(runs.size, 1802);
  assert.deepEqual(
    fields.map((_, i) => runs.get(`m.f${i}`)),
    fields.map((_, i) => [i === 7 ? 77 : i]),
  );
  assert.deepEqual([runs.get('m.one'), runs.get('m.two'), runs.get('n.f0')], [[1], [2], undefined]);
});

test('a body that names too many tags is refused, and the parser goes on with the next', () => {
  const fields = Array.from({ length: 5_000 }, (_, i) => `f${i}=1`).join(',');
  const body = Array.from({ length: 101 }, (_, i) => `m${i} ${fields} 1`).join('\n');
  assert.throws(
    () => parse(body),
    (error) => error instanceof ProblemError && error.status === 413,
  );
  assert.deepEqual(outcome('m v=1 1').values, { 'm.v': [1] });
});
