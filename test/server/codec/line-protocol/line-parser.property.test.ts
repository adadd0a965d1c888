// The parser against the plain reference: whatever comes, each line is good or bad by itself, the points are the same, and
// nothing is thrown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineParser, type ParsedLines } from '../../../../server/codec/line-protocol/line-parser.ts';
import { DEFAULT_LINE_TEMPLATE, parseLineTemplate } from '../../../../server/settings/line-template.ts';
import { lookupOf, runsOf } from '../body-support.ts';
import { seed } from '../value-arbitraries.ts';
import { readReference } from './line-reference.ts';

const ARRIVAL_MS = 1_700_000_000_123;
const PRECISIONS = ['ns', 'us', 'ms', 's', 'm', 'h'] as const;

const RUNS = 4_000;

const parser = new LineParser();

function parse(body: Uint8Array, precision: string): ParsedLines {
  return parser.parse(body, {
    lookup: lookupOf({}),
    template: parseLineTemplate(DEFAULT_LINE_TEMPLATE),
    precision,
    arrivalMs: ARRIVAL_MS,
    maxTextBytes: 65_536,
    truths: 'boolean',
  });
}

function assertSame(body: string, precision: string): { good: boolean; bad: boolean } {
  const expected = readReference(body, precision, ARRIVAL_MS);
  const parsed = parse(Buffer.from(body), precision);
  const runs = [...runsOf(parsed.batch)].map(([name, { type, points, stamped }]) => [
    name,
    { type, points: points.map(({ ticks, value }) => ({ ticks, value })), stamped },
  ]);
  assert.deepEqual(new Map(runs as [string, unknown][]), expected.runs);
  assert.equal(parsed.rejected, expected.badNumbers.length);
  assert.equal(parsed.firstBad?.number, expected.badNumbers[0]);
  const outcome = { good: parsed.batch.points.count > 0, bad: parsed.rejected > 0 };
  parser.release(parsed.batch);
  return outcome;
}

const letter = fc.constantFrom('a', 'b', 'cpu', 'x=y', ',', ' ', '=', '"', '\\', 'é', '€', '😀', '#', '.');
const rawText = fc.array(letter, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
/** A backslash at its end would escape what follows. */
const key = rawText.map((text) => text.replace(/([,= ])/g, '\\$1').replace(/\\$/, ''));
const text = fc
  .array(fc.constantFrom('t', ' ', ',', '=', '"', '\\', '\n', '\r', '="', 'é', 'm v=1'), { maxLength: 6 })
  .map((parts) => `"${parts.join('').replace(/(["\\])/g, '\\$1')}"`);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map((value) => `${value}i`),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map((value) => `${value}i`),
  fc.bigInt({ min: 0n, max: 2n ** 65n }).map((value) => `${value}u`),
  fc.integer({ min: -1000, max: 1000 }).map((value) => String(value / 8)),
  fc.constantFrom(
    '1.',
    '.5',
    '-.5',
    '007',
    '-0',
    '-0i',
    '-0u',
    '1e3',
    '1E-2',
    '1e999',
    'NaN',
    'inf',
    '+1',
    '1e',
    '-',
    '0x1',
  ),
);
const truth = fc.constantFrom('t', 'T', 'true', 'True', 'TRUE', 'f', 'F', 'false', 'False', 'FALSE', 'tRUE', 'yes');
const value = fc.oneof(number, truth, text);
const spaces = fc.constantFrom(' ', ' ', '  ');
const time = fc.oneof(
  fc.constant(''),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((at) => ` ${at}`),
  fc.integer({ min: -3_000_000, max: 3_000_000 }).map((at) => ` ${at}`),
  fc.constantFrom(' 12345678901234567890', ' 1.5', ' now', ' -', ' 1  ', ' 1 2'),
);
const line = fc
  .tuple(
    key,
    fc.array(fc.tuple(key, key), { maxLength: 3 }),
    spaces,
    fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }),
    time,
  )
  .map(([measurement, tags, space, fields, at]) => {
    const series = [measurement, ...tags.map(([name, tag]) => `${name}=${tag}`)].join(',');
    return `${series}${space}${fields.map(([name, one]) => `${name}=${one}`).join(',')}${at}`;
  });
const soup = fc
  .array(
    fc.constantFrom(
      'm',
      'a',
      '=',
      ',',
      ' ',
      '"',
      '\\',
      '\n',
      '\r',
      '\r\n',
      '#',
      '\t',
      '1',
      '1i',
      't',
      '="',
      '" ',
      'é',
      'm v=1\n',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** One character put in, or taken out. */
const damaged = fc
  .tuple(line, fc.nat(), fc.constantFrom('', '"', '\\', '=', ',', ' ', '\n', '\r', '\u0000'))
  .map(([whole, place, put]) => {
    const at = place % (whole.length + 1);
    return whole.slice(0, at) + put + whole.slice(put === '' ? at + 1 : at);
  })
  .map((cut) => cut.toWellFormed());

const piece = fc.oneof({ weight: 4, arbitrary: line }, { weight: 2, arbitrary: damaged }, soup);
const body = fc
  .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\n\n', '\n  '))
  .map(([lines, newline]) => lines.join(newline));

test('bodies of good, damaged and senseless lines give what the reference gives', () => {
  const seen = { good: 0, bad: 0, both: 0 };
  fc.assert(
    fc.property(body, fc.constantFrom(...PRECISIONS), (lines, precision) => {
      const { good, bad } = assertSame(lines, precision);
      if (good) seen.good++;
      if (bad) seen.bad++;
      if (good && bad) seen.both++;
    }),
    { seed, numRuns: RUNS },
  );
  // The bodies are of all kinds.
  assert.ok(seen.good > RUNS / 10 && seen.bad > RUNS / 10 && seen.both > RUNS / 10, JSON.stringify(seen));
});

test('whatever the bytes are, nothing is thrown, and a good line behind them is kept', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const noise = Buffer.from(bytes).filter((byte) => byte !== 0x22);
      const parsed = parse(Buffer.concat([noise, Buffer.from('\nlast v=1 5\n')]), 's');
      assert.deepEqual(
        runsOf(parsed.batch)
          .get('last.v')
          ?.points.map(({ ticks }) => ticks),
        [50_000_000n],
      );
      parser.release(parsed.batch);
    }),
    { seed, numRuns: 2_000 },
  );
});
