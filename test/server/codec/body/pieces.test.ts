// Long bodies are read in pieces, one body at a time, and others have their turns between two pieces.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pack } from 'msgpackr';
import { type TagLookup, ValueType } from '../../../../engine/index.ts';
import type { ParsedBody } from '../../../../server/codec/body/batch-builder.ts';
import type { ParseOptions } from '../../../../server/codec/body/body-parser.ts';
import { Bodies, PIECE_BYTES } from '../../../../server/codec/body/pieces.ts';
import { LineParser } from '../../../../server/codec/line-protocol/line-parser.ts';
import { MsgpackParser } from '../../../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { parseLineTemplate } from '../../../../server/settings/line-template.ts';
import { lookupOf, spreadPlain } from '../body-support.ts';

const SENDER = { holder: '127.0.0.1' };
const START_MS = 1_700_000_000_000;
const COUNT = 40_000;
/** Points with nothing but a value: a reader of many of them takes many turns. */
const MANY_EMPTY = `${'{},'.repeat(700_000)}{}`;

const KNOWN = lookupOf({ Known: ValueType.Double, Known1: ValueType.Double });

const OPTIONS = {
  shape: { kind: 'tags' },
  handling: 'strict',
  arrivalMs: START_MS,
  maxTextBytes: 65_536,
  lookup: KNOWN,
} satisfies ParseOptions;

function jsonBodies(): Bodies<ParseOptions, ParsedBody> {
  return new Bodies(() => new TvqParser());
}

function entries(make: (i: number) => unknown): unknown[] {
  return Array.from({ length: COUNT }, (_, i) => make(i));
}

const TIMES = entries((i) => START_MS + i * 1000);
const POINTS = entries((i) => ({ t: new Date(START_MS + i * 1000).toISOString(), v: i / 4, q: 192 }));

/** Every form that a long body can be in the middle of. */
const FORMS: readonly (readonly [title: string, body: unknown])[] = [
  ['points', { Known: POINTS }],
  ['points of another form', { Known: entries((i) => ({ q: 192, v: i, t: START_MS + i })) }],
  ['texts', { T: entries((i) => ({ t: 1, v: `text ${i}`, x: i })) }],
  ['new tags', Object.fromEntries(entries((i) => [`New tag ${i}`, [{ v: i }]]) as [string, unknown][])],
  ['columns', { Known: { t: TIMES, v: entries((i) => i / 4) } }],
  ['columns of texts', { T: { t: TIMES, v: entries((i) => `text ${i}`) } }],
  ['columns of unequal lengths', { T: { t: TIMES, v: [...TIMES, 1] } }],
  ['points under a name that cannot be', { '': POINTS }],
  ['columns under a name that cannot be', { '': { t: TIMES, v: TIMES } }],
];

/** Pieces of more than this many times their length have no end. */
const MOST_OF_A_PIECE = 3;

function piecesOf(pieces: Generator<undefined, unknown>): number {
  let count = 1;
  while (!pieces.next().done) count++;
  return count;
}

for (const [title, body] of FORMS) {
  test(`a piece of ${title} is some KiB, as JSON and as msgpack`, () => {
    const json = Buffer.from(JSON.stringify(body));
    const spaced = Buffer.from(JSON.stringify(body).replaceAll(',', ' , '));
    const packed = pack(body);
    for (const [parser, bytes] of [
      [new TvqParser(), json],
      [new TvqParser(), spaced],
      [new MsgpackParser(), packed],
    ] as const) {
      const count = piecesOf(parser.read(bytes, OPTIONS));
      assert.ok(count > bytes.length / PIECE_BYTES / MOST_OF_A_PIECE, `${count} pieces of ${bytes.length} bytes`);
    }
  });
}

test('a piece of line protocol is some KiB, and points are put in order in pieces', () => {
  const lines = Buffer.from(entries((i) => `m,n=u${i % 50} a=${i},b=${i} ${i}`).join('\n'));
  const options = { ...OPTIONS, template: parseLineTemplate('{measurement}.{tags}.{field}'), precision: 'ms' } as const;
  const count = piecesOf(new LineParser().read(lines, { ...options, truths: 'boolean' }));
  assert.ok(count > lines.length / PIECE_BYTES + (2 * COUNT) / 8_192, `${count} pieces of ${lines.length} bytes`);
});

test('several bodies are read one after the other, and each gets its own points', async () => {
  const bodies = jsonBodies();
  const counts = [5000, 20_000, 1, 12_345];
  const parsed = await Promise.all(
    counts.map((count) => {
      const body = Buffer.from(JSON.stringify({ T: POINTS.slice(0, count) }));
      return bodies.parse(body, OPTIONS, SENDER, () => KNOWN);
    }),
  );
  assert.deepEqual(
    parsed.map(({ batch }) => batch.points.count),
    counts,
  );
});

test('while a very long body is read others have their turn', async () => {
  const body = Buffer.from(`{"Known":[${MANY_EMPTY}],"New":[{"v":1}]}`);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const { batch } = await jsonBodies().parse(body, OPTIONS, SENDER, () => KNOWN);
  clearInterval(timer);
  assert.equal(batch.points.count, 700_002);
  assert.ok(turns >= 2, `${turns} turns`);
});

test('what is not readable is refused at whatever piece, and the next body is read', async () => {
  const bodies = jsonBodies();
  const text = JSON.stringify({ T: POINTS });
  const parse = async (length: number) =>
    bodies.parse(Buffer.from(text.slice(0, length)), OPTIONS, SENDER, () => KNOWN);
  for (const length of [1, 1000, 100_000, 250_000, text.length - 1])
    await assert.rejects(parse(length), (error) => error instanceof ProblemError && error.status === 400);
  const { batch } = await parse(text.length);
  assert.equal(batch.points.count, COUNT);
});

test('a name that is there twice counts once also when its tag is made, or made anew, while the body is read', async () => {
  const body = Buffer.from(
    `{"Known1":[{"v":1}],"New":[{"v":1}],"T":[${MANY_EMPTY}],"New":[{"v":2}],"Known1":[{"v":2}]}`,
  );
  let ids = 1;
  let known = ['Known1'];
  const lookup: TagLookup = {
    ...KNOWN,
    findFollowing: () => undefined,
    get changes() {
      return known.length;
    },
    find: (name) => (known.includes(name) ? { id: ids++, name, type: ValueType.Double } : undefined),
    findBytes: (bytes, start, end) => lookup.find(Buffer.from(bytes.subarray(start, end)).toString()),
  };
  setImmediate(() => {
    known = ['Known1', 'New'];
  });
  const { batch } = await jsonBodies().parse(body, OPTIONS, SENDER, () => lookup);
  spreadPlain(batch);
  assert.deepEqual(
    batch.runs.slice(1).map(({ name, start }) => [name, batch.points.numbers[start]]),
    [
      ['New', 2],
      ['Known1', 2],
    ],
  );
});

test('members in the order of the body before are read in pieces, also when a tag is named again', async () => {
  const names = Array.from({ length: 6000 }, (_, i) => `Area${i % 7}.Tag${i}`);
  const own = lookupOf(Object.fromEntries(names.map((name) => [name, ValueType.Double])));
  const usual = names.map((name, i) => `"${name}":[${JSON.stringify(POINTS[i % 50])}]`);
  const again = `"${names[3]}":[${JSON.stringify(POINTS[77])}]`;
  const bodies = jsonBodies();
  for (const [members, wanted] of [
    [usual, 3 / 4],
    [usual, 3 / 4],
    [[...usual, again], 77 / 4],
    [usual, 3 / 4],
  ] as const) {
    const parsed = await bodies.parse(Buffer.from(`{${members.join(',')}}`), OPTIONS, SENDER, () => own);
    spreadPlain(parsed.batch);
    const { points, runs } = parsed.batch;
    assert.deepEqual(runs.map(({ name }) => name).toSorted(), names.toSorted());
    assert.equal(points.numbers[runs.find(({ name }) => name === names[3])?.start ?? 0], wanted);
    bodies.release(parsed.batch);
  }
});

describe('the turns of senders', () => {
  test('who sends many long bodies delays another by one of them', async () => {
    const bodies = jsonBodies();
    const body = Buffer.from(JSON.stringify({ T: POINTS.slice(0, 5000) }));
    const order: string[] = [];
    const read = async (holder: string): Promise<void> => {
      const { batch } = await bodies.parse(body, OPTIONS, { holder }, () => KNOWN);
      bodies.release(batch);
      order.push(holder);
    };
    await Promise.all([...Array.from({ length: 6 }, () => read('many')), read('one'), read('two')]);
    assert.deepEqual(order, ['many', 'many', 'one', 'two', 'many', 'many', 'many', 'many']);
  });

  test('whose a body is costs a call of the system, and is asked only of a long one', async () => {
    const bodies = jsonBodies();
    let asked = 0;
    const sender = {
      get holder() {
        asked++;
        return '127.0.0.1';
      },
    };
    for (const [blanks, wanted] of [
      [0, 0],
      [100_000, 1],
    ] as const) {
      const body = Buffer.from(`{"Known":[{"v":1}]${' '.repeat(blanks)}}`);
      const { batch } = await bodies.parse(body, OPTIONS, sender, () => KNOWN);
      bodies.release(batch);
      assert.equal(asked, wanted);
    }
  });
});
