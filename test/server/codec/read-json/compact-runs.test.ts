// Members of the common form in the expected order, which a fast path takes in one go, against the parser's slow twin: as
// they are, in another order, named twice, with something else among them, and broken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ValueType } from '../../../../engine/index.ts';
import { BatchBuilder } from '../../../../server/codec/body/batch-builder.ts';
import { FastStep } from '../../../../server/codec/body/fast-path.ts';
import { NamedTags } from '../../../../server/codec/names/named-tags.ts';
import { JsonBody } from '../../../../server/codec/read-json/json-body.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { lookupOf, runsOf } from '../body-support.ts';
import { referenceParse } from '../tvq-reference.ts';
import { mutated, seed } from '../value-arbitraries.ts';

const NAMES = Array.from({ length: 12 }, (_, i) => `Area${i % 3}.Unit.Tag${i}`);
const types = Object.fromEntries(NAMES.map((name, i) => [name, i === 7 ? ValueType.Int32 : ValueType.Double]));
const lookup = lookupOf(types);
const parser = new TvqParser();
const shape = { kind: 'tags' } as const;
const arrivalMs = 1_700_000_000_000;
const maxTextBytes = 20;
/** Near the end of the bytes the parser has no fast paths. */
const margin = ' '.repeat(200);

const commonPoint = fc
  .record({ second: fc.nat(200), ms: fc.nat(999), value: fc.integer({ min: -99_999, max: 99_999 }), q: fc.boolean() })
  .map(({ second, ms, value, q }) => {
    const time = new Date(Date.UTC(2026, 0, 1, 9, 59) + second * 1000 + ms).toISOString();
    return `{"t":"${time}","v":${value / 100}${q ? ',"q":192' : ''}}`;
  });
const oddPoint = fc.constantFrom(
  '{"t":"2026-01-01T10:00:00Z","v":1}',
  '{"t":"2026-01-01T10:00:00.123Z","v":1e3}',
  '{"t":"2026-01-01T10:00:00.123Z","v":-0}',
  '{"t":"2026-01-01T10:00:00.123Z","v":1,"q":0}',
  '{"t":"2026-01-01T10:00:00.123Z","v":null}',
  '{"v":1,"t":"2026-01-01T10:00:00.123Z"}',
  '{"t":"2026-02-30T10:00:00.123Z","v":1}',
  '{"v":1}',
  '17',
);
const point = fc.oneof({ weight: 20, arbitrary: commonPoint }, { weight: 1, arbitrary: oddPoint });
const points = fc.array(point, { minLength: 1, maxLength: 3 }).map((list) => `[${list.join(',')}]`);
const commonTime = fc
  .record({ ms: fc.nat(200_000), isText: fc.boolean() })
  .map(({ ms, isText }) => new Date(Date.UTC(2026, 0, 1, 9, 59) + ms).toISOString() + (isText ? 't' : 'n'));
const commonEntry = fc.tuple(commonTime, fc.integer({ min: -99_999, max: 99_999 }), fc.nat(3));
const oddEntry = fc.constantFrom<[string, string]>(
  ['"2026-01-01T10:00:00Z"', '1'],
  ['1767261600000', '1e3'],
  ['1767261600000.5', '2'],
  ['1767261600000', '-0'],
  ['1767261600000', 'null'],
  ['"2026-02-30T10:00:00.123Z"', '1'],
  ['1767261600000', '12345678901.25'],
);
const columnEntry = fc.oneof(
  {
    weight: 20,
    arbitrary: commonEntry.map(([time, mantissa, decimals]): [string, string] => [
      time.endsWith('t') ? `"${time.slice(0, -1)}"` : String(Date.parse(time.slice(0, -1))),
      String(mantissa / 10 ** decimals),
    ]),
  },
  { weight: 1, arbitrary: oddEntry },
);
const column = (entries: readonly string[]): string => `[${entries.join(',')}]`;
const columns = fc
  .tuple(
    fc.array(columnEntry, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', '', ',"q":192', ',"q":0', ',"q":[192]', ',"x":1'),
    fc.constantFrom('', '', '', '', '', ',', '1', ',2'),
  )
  .map(([entries, rest, odd]) => {
    const times = column(entries.map(([time]) => time));
    return `{"t":${times},"v":${column(entries.map(([, text]) => text)).replace(/]$/, `${odd}]`)}${rest}}`;
  });
const value = fc.oneof(
  { weight: 20, arbitrary: points },
  { weight: 20, arbitrary: columns },
  { weight: 1, arbitrary: fc.constantFrom('[]', ' [ ]', '{"t":["2026-01-01T10:00:00.123Z"],"v":[1]}', '3') },
);
const order = fc.oneof(
  { weight: 4, arbitrary: fc.constant(NAMES) },
  { weight: 1, arbitrary: fc.shuffledSubarray(NAMES, { minLength: 1 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...NAMES, 'new'), { minLength: 1, maxLength: 20 }) },
);
const body = order.chain((names) =>
  fc
    .tuple(...names.map((name) => fc.tuple(fc.constant(name), value)))
    .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}${margin}`),
);

function parse(bytes: Uint8Array): unknown {
  try {
    const { batch, faults, rejected } = parser.parse(bytes, {
      shape,
      lookup,
      handling: 'lenient',
      arrivalMs: arrivalMs,
      maxTextBytes,
    });
    const answer = { runs: runsOf(batch), faultPaths: faults.map(({ path }) => path).sort(), rejected };
    parser.release(batch);
    return answer;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors.length > 0 ? 'shape' : 'unreadable';
  }
}

function check(bytes: Uint8Array): void {
  const expected = referenceParse(bytes, { shape, lookup, arrivalMs: arrivalMs, maxTextBytes });
  if (typeof expected === 'string') return assert.equal(parse(bytes), expected);
  const runs = new Map(
    [...expected.runs].map(([name, run]) => [
      name,
      { type: run.type, points: run.points, rejected: run.rejected, stamped: run.stamped },
    ]),
  );
  assert.deepEqual(parse(bytes), { runs, faultPaths: [...expected.faultPaths].sort(), rejected: expected.rejected });
}

test('bodies that repeat the order of their tags are read like the slow twin reads them, one behind the other', () => {
  fc.assert(
    fc.property(body, (text) => check(Buffer.from(text))),
    { seed, numRuns: 2000 },
  );
});

test('so are broken ones', () => {
  fc.assert(
    fc.property(mutated(body), (bytes) => check(bytes)),
    { seed, numRuns: 3000 },
  );
});

test('the fast path takes all members of the common form, and stops before a tag that the body has named', () => {
  const own = lookupOf(Object.fromEntries(NAMES.map((name) => [name, ValueType.Double])));
  const members = NAMES.map((name) => `"${name}":[{"t":"2026-01-01T10:00:00.123Z","v":1.5,"q":192}]`);
  const source = new JsonBody();
  const builder = new BatchBuilder();
  const repeatOrder = (): void => {
    for (const name of [...NAMES, ...NAMES]) own.findBytes(Buffer.from(name), 0, name.length);
  };
  const named = new NamedTags();
  const take = (text: string, stopAt = Number.POSITIVE_INFINITY): number => {
    const bytes = Buffer.from(text + margin);
    builder.begin(bytes.length);
    source.load(bytes, 0);
    source.enter();
    named.begin();
    return source.tryFast(FastStep.Members, {
      builder,
      named,
      lookup: own,
      maxTextBytes: 65_536,
      maxMembers: 100,
      stopAt,
      columns: undefined,
      entryCount: 0,
      tag: undefined,
    });
  };
  repeatOrder();
  assert.equal(take(`{${members.join(',')},${members.join(',')}}`), NAMES.length);
  assert.equal(builder.finish('strict').batch.points.count, NAMES.length);
  repeatOrder();
  const times = Array.from({ length: 20 }, (_, i) => 1767261600000 + i * 1000);
  const columnsOf = (name: string, rest: string): string =>
    `"${name}":{"t":[${times}],"v":[${times.map((_, i) => i / 100)}]${rest}}`;
  assert.equal(take(`{${NAMES.map((name) => columnsOf(name, ',"q":192')).join(',')}}`), NAMES.length);
  assert.equal(builder.finish('strict').batch.points.count, 20 * NAMES.length);
  repeatOrder();
  assert.equal(take(`{${columnsOf(NAMES[0] as string, '')},${columnsOf(NAMES[1] as string, ',"q":0')}}`), 1);
  builder.abandon();
  repeatOrder();
  assert.equal(
    take(`{${members.join(',')}}`, (members[0]?.length ?? 0) + 2),
    2,
    'no member that begins behind the step',
  );
});
