// Bodies that no client means to send: each is read, or refused, without more work than its length is worth.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { pack } from 'msgpackr';
import { ValueType } from '../../../../engine/index.ts';
import type { BodyParser, ParseOptions } from '../../../../server/codec/body/body-parser.ts';
import { MsgpackParser } from '../../../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { asBody } from '../../../../server/http/contract/body-bytes.ts';
import { encoder, lookupOf, runsOf } from '../body-support.ts';

const T = '"t":"2024-01-01T00:00:00.000Z"';
const POINTS = { kind: 'points', tag: 'T1' } as const;
const BASE = { shape: { kind: 'tags' }, handling: 'strict', arrivalMs: 0, maxTextBytes: 65_536 } as const;
/** What takes seconds where it is not as it should be, and some ms else. */
const LIMIT_MS = 1000;

function optionsOf(types: Readonly<Record<string, ValueType>>, rest: Partial<ParseOptions> = {}): ParseOptions {
  return { ...BASE, lookup: lookupOf(types), ...rest };
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

test('a number that is zeros up to the end of the bytes is no number, with zeros behind them and without', () => {
  const zeros = '0'.repeat(200);
  for (const text of [`[{${T},"v":0.${zeros}`, `{"t":[0],"v":[0.${zeros}`, `[{${T},"v":1},{${T},"v":0.${zeros}`])
    for (const bytes of [asBody(encoder.encode(text)), encoder.encode(text)]) {
      const parse = (): unknown =>
        new TvqParser().parse(bytes, optionsOf({ T1: ValueType.Double }, { shape: POINTS, spareBytes: 0 }));
      // Nothing else would end a loop that has no end.
      assert.throws(() => runInNewContext('parse()', { parse }, { timeout: 30_000 }), /not JSON/, text.slice(0, 50));
    }
});

test('a time a hair before 1970 is 1970, and never has 10,000 ticks', () => {
  const times = [-1e-20, -(2 ** -54)];
  const bodies: readonly (readonly [BodyParser, Uint8Array])[] = [
    [new TvqParser(), encoder.encode(`{"T1":{"t":[${times.join(',')}],"v":[1,2]}}`)],
    [new MsgpackParser(), pack({ T1: { t: times, v: [1, 2] } })],
    [new MsgpackParser(), pack({ T1: times.map((t) => ({ t, v: 1 })) })],
  ];
  for (const [parser, body] of bodies) {
    const { batch } = parser.parse(Uint8Array.from(body), optionsOf({ T1: ValueType.Double }));
    assert.equal(runsOf(batch).get('T1')?.points.length, 2);
    assert.deepEqual([...batch.points.timesMs.slice(0, 2)], [0, 0]);
    assert.deepEqual([...batch.points.ticks.slice(0, 2)], [0, 0]);
  }
});

/** Points of these tags one after the other, each with its place as the value; also of a name twice. */
function jsonOf(names: readonly string[]): Uint8Array {
  return encoder.encode(`{${names.map((name, i) => `${JSON.stringify(name)}:[{${T},"v":${i}}]`).join(',')}}`);
}

function msgpackOf(names: readonly string[]): Uint8Array {
  const members = names.flatMap((name, i) => [pack(name), pack([{ t: 1e12, v: i }])]);
  return Buffer.concat([Buffer.of(0x80 + names.length), ...members]);
}

test('the last of two members of a name wins where it begins with a dollar, too, and in whatever order they come', () => {
  for (const [parser, bodyOf] of [
    [new TvqParser(), jsonOf],
    [new MsgpackParser(), msgpackOf],
  ] as const) {
    const options = optionsOf({ A: ValueType.Double, $B: ValueType.Double, C: ValueType.Double });
    parser.release(parser.parse(bodyOf(['A', '$B', 'C']), options).batch); // `$B` is expected behind `A` from now on
    for (const names of [
      ['A', '$B', 'C', '$B'],
      ['$B', 'C', 'A', '$B'],
    ]) {
      const { batch } = parser.parse(bodyOf(names), options);
      assert.deepEqual(batch.runs.map(({ name }) => name).toSorted(), ['$B', 'A', 'C'], names.join());
      assert.equal(runsOf(batch).get('$B')?.points[0]?.value, 3);
      parser.release(batch);
    }
  }
});

test('one quality for all points of columns is read once, however it is written', () => {
  const count = 20_000;
  const zeros = `${'0,'.repeat(count - 1)}0`;
  const body = encoder.encode(`{"T1":{"q":64.${'0'.repeat(60_000)},"t":[${zeros}],"v":[${zeros}]}}`);
  const tookMs = cpuMsOf(() => {
    const { batch, faultCount } = new TvqParser().parse(body, optionsOf({ T1: ValueType.Double }));
    assert.equal(faultCount, 0);
    assert.equal(runsOf(batch).get('T1')?.points[count - 1]?.quality, 64);
  });
  assert.ok(tookMs < LIMIT_MS, `${tookMs} ms`);
});

test('of an unknown key of megabytes its beginning is told', () => {
  const key = '~'.repeat(3_900_000);
  for (const text of [`{"T1":[{"${key}":1}]}`, `{"T1":{"${key}":1,"b${key}":2}}`]) {
    const { faults } = new TvqParser().parse(encoder.encode(text), optionsOf({ T1: ValueType.Double }));
    assert.ok(faults.length > 0);
    for (const { path } of faults) assert.ok(path.length < 1000, `a path of ${path.length} characters`);
  }
});

test('a text of more than 4 MiB is refused in msgpack as in JSON', () => {
  const parse = (size: number) => {
    const body = Uint8Array.from(pack({ T1: [{ t: 0, v: 'x'.repeat(size) }] }));
    return new MsgpackParser().parse(body, optionsOf({ T1: ValueType.String }));
  };
  assert.equal(parse(4 * 2 ** 20).faultCount, 1, 'a fault of its point');
  assert.throws(() => parse(4 * 2 ** 20 + 1), /more than 4194304 bytes/);
});

test('very many blanks between spaced points change nothing', () => {
  const read = (blanks: string): unknown => {
    const body = asBody(encoder.encode(`{"T1":[{${T},"v":1},${blanks}{${blanks}${T} , "v":${blanks}2}${blanks}]}`));
    const { batch } = new TvqParser().parse(body, optionsOf({ T1: ValueType.Double }, { spareBytes: 128 }));
    return runsOf(batch);
  };
  for (const count of [1, 1022, 1023, 1024, 1025, 70_000]) assert.deepEqual(read(' '.repeat(count)), read(''));
});
