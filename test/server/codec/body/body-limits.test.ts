// Bodies of more than is taken: tags, points, long names, numbers and texts.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pack } from 'msgpackr';
import { MAX_POINTS_IN_BODY } from '../../../../server/codec/body/batch-builder.ts';
import { MAX_TAGS_IN_BODY } from '../../../../server/codec/body/body-parser.ts';
import { MsgpackParser } from '../../../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { lookupOf } from '../body-support.ts';

const OPTIONS = {
  shape: { kind: 'tags' },
  handling: 'lenient',
  arrivalMs: 1_700_000_000_000,
  maxTextBytes: 65_536,
  lookup: lookupOf({}),
} as const;

describe('the number of tags that a body may name', () => {
  const refusal = (error: unknown): boolean => error instanceof ProblemError && error.status === 413;
  const named = (count: number): Buffer =>
    Buffer.from(`{${Array.from({ length: count }, (_, i) => `"${i}":[{}]`).join(',')}}`);

  test('as many as are allowed are read, one more is 413, and the next body is read', () => {
    const parser = new TvqParser();
    assert.throws(() => parser.parse(named(MAX_TAGS_IN_BODY + 1), OPTIONS), refusal);
    const { batch } = parser.parse(named(MAX_TAGS_IN_BODY), OPTIONS);
    assert.equal(batch.runs.length, MAX_TAGS_IN_BODY);
  });

  test('more points than a body may have are 413, as objects and as columns, and the next body is read', () => {
    const parser = new TvqParser();
    const entries = '1,'.repeat(MAX_POINTS_IN_BODY);
    const bodies = [`{"T":[${'{},'.repeat(MAX_POINTS_IN_BODY)}{}]}`, `{"T":{"t":[${entries}1],"v":[${entries}1]}}`];
    for (const body of bodies) assert.throws(() => parser.parse(Buffer.from(body), OPTIONS), refusal);
    const { batch } = parser.parse(named(5), OPTIONS);
    assert.equal(batch.runs.length, 5);
  });

  test('in msgpack too', () => {
    const parser = new MsgpackParser();
    const body = pack(new Map(Array.from({ length: MAX_TAGS_IN_BODY + 1 }, (_, i) => [`${i}`, [{}]])));
    assert.throws(() => parser.parse(body, OPTIONS), refusal);
  });

  test('a name counts once, however often it is there', () => {
    const parser = new TvqParser();
    const body = Buffer.from(`{"First":[{}],${'"T":[],'.repeat(MAX_TAGS_IN_BODY + 1)}"T":[{"v":1}]}`);
    const { batch } = parser.parse(body, OPTIONS);
    assert.deepEqual(
      batch.runs.map(({ name, count }) => [name, count]),
      [
        ['First', 1],
        ['T', 1],
      ],
    );
  });
});

test('a number is read up to 65536 characters, and one of more is 400', () => {
  const parser = new TvqParser();
  const longest = [`${'1'.repeat(300)}.${'5'.repeat(65_235)}`, `0.${'0'.repeat(65_534)}`, `1e${'0'.repeat(65_534)}`];
  for (const number of longest) {
    assert.equal(number.length, 65_536);
    const { batch } = parser.parse(Buffer.from(`{"T":[{"v":${number}}]}`), OPTIONS);
    assert.equal(batch.points.numbers[0], Number(number));
    parser.release(batch);
    for (const longer of [`${number}0`, `-${number}`, `${number}${'0'.repeat(100_000)}`]) {
      assert.throws(
        () => parser.parse(Buffer.from(`{"T":[{"v":${longer}}]}`), OPTIONS),
        (error) => error instanceof ProblemError && error.status === 400 && error.message.includes('number'),
      );
    }
  }
});

test('texts are read up to 4 MiB, which a fault may have, and 400 above; white space has no limit', () => {
  const parser = new TvqParser();
  const limit = 4 * 2 ** 20;
  for (const filling of ['x', 'ü', '\\n']) {
    const text = filling.repeat(limit / Buffer.byteLength(filling));
    assert.equal(parser.parse(Buffer.from(`{"T":[{"v":"${text.slice(filling.length)}"}]}`), OPTIONS).faultCount, 1);
    assert.throws(() => parser.parse(Buffer.from(`{"T":[{"v":"${text}${filling}"}]}`), OPTIONS), /a text of more than/);
  }
  const { batch } = parser.parse(Buffer.from(`{"T":${' '.repeat(2 * limit)}[{"v":1}]}`), OPTIONS);
  assert.equal(batch.points.count, 1);
});

test('very many spaces are stepped over to the very byte behind them', () => {
  const parser = new TvqParser();
  for (const count of [65_535, 65_536, 65_537, 131_072, 131_075, 400_000]) {
    for (const last of ['', '\n', ' \t ']) {
      const blanks = ' '.repeat(count) + last;
      assert.equal(parser.parse(Buffer.from(`{"T":[{"v":${blanks}1}]}${blanks}`), OPTIONS).batch.points.count, 1);
      const place = `{"T":${blanks}`.length;
      assert.throws(() => parser.parse(Buffer.from(`{"T":${blanks}?`), OPTIONS), new RegExp(`at byte ${place};`));
    }
  }
});

test('a name that is far too long is refused with its beginning only', () => {
  const parser = new TvqParser();
  for (const name of ['n'.repeat(1_000_000), 'ü'.repeat(500_000), '\\u0041'.repeat(100_000)]) {
    const { faults, faultCount } = parser.parse(Buffer.from(`{"${name}":[{"v":1}]}`), OPTIONS);
    assert.equal(faultCount, 1);
    assert.ok((faults[0]?.path.length ?? 0) < 10_000);
    assert.match(faults[0]?.message ?? '', /want at most 1024/);
  }
});
