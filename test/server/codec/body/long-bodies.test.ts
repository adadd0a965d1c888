// Long bodies are read in steps: with the result of reading them in one go, and while others have their turns.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pack } from 'msgpackr';
import { type TagLookup, ValueType } from '../../../../engine/index.ts';
import { MAX_POINTS_IN_BODY, type ParsedBody } from '../../../../server/codec/body/batch-builder.ts';
import { LongBodies } from '../../../../server/codec/body/long-bodies.ts';
import { MsgpackParser } from '../../../../server/codec/msgpack/msgpack-body.ts';
import {
  type BodyParser,
  MAX_TAGS_IN_BODY,
  type ParseOptions,
} from '../../../../server/codec/read-json/body-parser.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { lookupOf, spreadPlain } from '../body-support.ts';

const HOLDER = '127.0.0.1';

const KNOWN: TagLookup = {
  find: (name) => (name.startsWith('Known') ? { id: 7, name, type: ValueType.Double } : undefined),
  findBytes: (bytes, start, end) => KNOWN.find(Buffer.from(bytes.subarray(start, end)).toString()),
  findFollowing: () => undefined,
  foundBytes: 0,
  changes: 0,
};

function optionsOf(shape: ParseOptions['shape'], handling: ParseOptions['handling']): Omit<ParseOptions, 'lookup'> {
  return { shape, handling, arrivalMs: 1_700_000_000_000, maxTextBytes: 65_536 };
}

function point(i: number): object {
  return { t: new Date(1_700_000_000_000 + i * 1000).toISOString(), v: i / 4, q: 192 };
}

function points(count: number, make: (i: number) => unknown = point): unknown[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** Each some hundred thousand bytes long, which is several steps. */
const BODIES: readonly (readonly [title: string, body: unknown, shape?: ParseOptions['shape']])[] = [
  ['one tag', { Known: points(8000) }],
  ['the points of one tag', points(8000), { kind: 'points', tag: 'Known' }],
  ['many tags', Object.fromEntries(points(9000).map((tvq, i) => [`Tag${i}`, [tvq]]))],
  ['texts', { T: points(8000, (i) => ({ t: 1, v: `text ${i}`, x: i })) }],
  ['faults between good points', { T: points(8000, (i) => (i % 7 === 0 ? 5 : point(i))) }],
  ['empty objects', { T: points(60_000, () => ({})) }],
  ['columns', { Known: { t: points(20_000, (i) => i), v: points(20_000, (i) => i) }, T: points(5000) }],
  ['columns of texts', { T: { t: points(20_000, (i) => i), v: points(20_000, (i) => `text ${i % 50}`) } }],
  [
    'columns with qualities',
    { Known: { q: points(20_000, (i) => 190 + (i % 3)), v: points(20_000, (i) => i), t: points(20_000, (i) => i) } },
  ],
  [
    'columns with faults',
    { T: { t: points(20_000, (i) => (i % 9000 === 0 ? [] : i)), v: points(20_000, (i) => (i % 7000 === 1 ? {} : i)) } },
  ],
  ['columns of unequal lengths', { T: { t: points(20_000, (i) => i), v: points(20_001, (i) => i) }, U: [{ v: 1 }] }],
  [
    'columns of the points of one tag',
    { t: points(40_000, (i) => i), v: points(40_000, (i) => i) },
    { kind: 'points', tag: 'Known' },
  ],
  [
    'columns and points under a name that cannot be',
    { '': { t: points(20_000, (i) => i), v: [] }, '.': points(20_000), T: points(3) },
  ],
  ['nulls and truths', { T: points(8000, (i) => ({ ...point(i), v: i % 2 === 0 ? null : true })) }],
];

/** What a body was read as, plain runs spread, without what the parser owns. */
function summaryOf({ batch, faults, faultCount, rejected }: ParsedBody): object {
  spreadPlain(batch);
  const { points, runs } = batch;
  const { count, texts } = points;
  const columns = [points.timesMs, points.ticks, points.bigints, points.nulls, points.qualities].map((column) =>
    Buffer.from(column.slice(0, count).buffer).toString('base64'),
  );
  const ofRuns = runs.map(({ tag, ...run }) => ({ ...run, tag: tag?.name }));
  return { count, texts: [...texts], columns, ofRuns, faults, faultCount, rejected };
}

function readInOneGo(parser: BodyParser, bytes: Uint8Array, options: Omit<ParseOptions, 'lookup'>): object {
  const parsed = parser.parse(bytes, { ...options, lookup: KNOWN });
  const summary = summaryOf(parsed);
  parser.release(parsed.batch);
  return summary;
}

async function assertSame(make: () => BodyParser, bytes: Uint8Array, shape: ParseOptions['shape']): Promise<void> {
  const long = new LongBodies(make());
  for (const handling of ['strict', 'lenient'] as const) {
    const options = optionsOf(shape, handling);
    const parsed = await long.parse(bytes, options, HOLDER, () => KNOWN);
    assert.deepEqual(summaryOf(parsed), readInOneGo(make(), bytes, options));
    long.release(parsed.batch);
  }
}

describe('bodies read in steps', () => {
  for (const [title, body, shape = { kind: 'tags' } as const] of BODIES) {
    test(`${title}: the result is that of one go, as JSON and as msgpack`, async () => {
      await assertSame(() => new TvqParser(), Buffer.from(JSON.stringify(body)), shape);
      await assertSame(() => new MsgpackParser(), pack(body), shape);
    });
  }

  test('columns with blanks, in any order: the result is that of one go', async () => {
    const column = (make: (i: number) => unknown): string => points(30_000, make).join(' , ');
    const body = `{"Known" : {"v" : [${column((i) => i / 8)}], "q": 12 , "t": [${column((i) => i * 1000)}]}}`;
    await assertSame(() => new TvqParser(), Buffer.from(body), { kind: 'tags' });
  });

  test('no step reads more than some points of columns', () => {
    const columns = { t: points(200_000, (i) => 1_700_000_000_000 + i), v: points(200_000, (i) => i / 4) };
    const text = JSON.stringify({ T: columns });
    for (const [parser, bytes] of [
      [new TvqParser(), Buffer.from(text)],
      [new TvqParser(), Buffer.from(text.replaceAll(',', ', '))],
      [new MsgpackParser(), pack({ T: columns })],
    ] as const) {
      parser.beginSteps(bytes, { ...optionsOf({ kind: 'tags' }, 'strict'), lookup: KNOWN });
      let steps = 1;
      while (!parser.step()) steps++;
      assert.ok(steps >= bytes.length / 131_072, `${steps} steps of ${bytes.length} bytes`);
      assert.equal(parser.finish().batch.points.count, 200_000);
    }
  });

  test('of names that occur twice the last one counts, steps apart', async () => {
    const first = JSON.stringify(points(3000));
    const body = `{"Known1":${first},"T":${first},"Known2":${first},"T":[{"v":1}],"Known1":[{"v":2}]}`;
    await assertSame(() => new TvqParser(), Buffer.from(body), { kind: 'tags' });
  });

  test('what is not readable is refused at whatever step, and the next body is read', async () => {
    const long = new LongBodies(new TvqParser());
    const text = JSON.stringify({ T: points(8000) });
    const options = optionsOf({ kind: 'tags' }, 'strict');
    for (const length of [1, 1000, 100_000, 250_000, text.length - 1]) {
      await assert.rejects(
        long.parse(Buffer.from(text.slice(0, length)), options, HOLDER, () => KNOWN),
        (error) => error instanceof ProblemError && error.status === 400,
      );
    }
    const { batch } = await long.parse(Buffer.from(text), options, HOLDER, () => KNOWN);
    assert.equal(batch.points.count, 8000);
  });
});

test('several bodies are read one after the other, and each gets its own points', async () => {
  const long = new LongBodies(new TvqParser());
  const options = optionsOf({ kind: 'tags' }, 'strict');
  const counts = [5000, 20_000, 1, 12_345];
  const parsed = await Promise.all(
    counts.map((count) => long.parse(Buffer.from(JSON.stringify({ T: points(count) })), options, HOLDER, () => KNOWN)),
  );
  assert.deepEqual(
    parsed.map(({ batch }) => batch.points.count),
    counts,
  );
});

test('while a very long body is read others have their turn, and tags are looked up again at the end', async () => {
  const long = new LongBodies(new TvqParser());
  const body = Buffer.from(`{"Known":[${'{},'.repeat(700_000)}{}],"New":[{"v":1}]}`);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  let lookups = 0;
  const lookup = (): TagLookup => (lookups++ === 0 ? KNOWN : { ...KNOWN, find: () => undefined });
  const { batch } = await long.parse(body, optionsOf({ kind: 'tags' }, 'strict'), HOLDER, lookup);
  clearInterval(timer);
  assert.equal(batch.points.count, 700_002);
  assert.ok(turns >= 2, `${turns} turns`);
  // Looking them up again takes turns as well, and begins each with a new look.
  assert.ok(lookups >= 2, `${lookups} lookups`);
  assert.deepEqual(
    batch.runs.map(({ name, tag }) => [name, tag]),
    [
      ['Known', undefined],
      ['New', undefined],
    ],
  );
});

test('while no tag comes or goes, names are looked up once, however many turns a body takes', async () => {
  const long = new LongBodies(new TvqParser());
  const body = Buffer.from(`{"Known":[${'{},'.repeat(700_000)}{}],"New":[{"v":1}]}`);
  const options = optionsOf({ kind: 'tags' }, 'strict');
  let found = 0;
  let changes = 0;
  const lookup: TagLookup = {
    ...KNOWN,
    get changes() {
      return changes;
    },
    find: (name) => {
      found++;
      return KNOWN.find(name);
    },
  };
  const { batch } = await long.parse(body, options, HOLDER, () => lookup);
  const once = found;
  assert.deepEqual(
    batch.runs.map(({ name, tag }) => [name, tag?.id]),
    [
      ['Known', 7],
      ['New', undefined],
    ],
  );
  setImmediate(() => changes++);
  await long.parse(body, options, HOLDER, () => lookup);
  assert.equal(found, 2 * once + 2);
});

test('a name that is there twice counts once also when its tag is made, or made anew, while the body is read', async () => {
  const long = new LongBodies(new TvqParser());
  const filling = `${'{},'.repeat(700_000)}{}`;
  const body = Buffer.from(`{"Known1":[{"v":1}],"New":[{"v":1}],"T":[${filling}],"New":[{"v":2}],"Known1":[{"v":2}]}`);
  let ids = 1;
  let known = ['Known1'];
  const lookup: TagLookup = {
    ...KNOWN,
    get changes() {
      return known.length;
    },
    find: (name) => (known.includes(name) ? { id: ids++, name, type: ValueType.Double } : undefined),
    findBytes: (bytes, start, end) => lookup.find(Buffer.from(bytes.subarray(start, end)).toString()),
  };
  setImmediate(() => {
    known = ['Known1', 'New'];
  });
  const { batch } = await long.parse(body, optionsOf({ kind: 'tags' }, 'strict'), HOLDER, () => lookup);
  spreadPlain(batch);
  assert.deepEqual(
    batch.runs.map(({ name, start, tag }) => [name, batch.points.numbers[start], tag?.name]),
    [
      ['T', batch.points.numbers[batch.runs[0]?.start ?? 0], undefined],
      ['New', 2, 'New'],
      ['Known1', 2, 'Known1'],
    ],
  );
});

test('members in the order of the body before are read in steps as in one go, also when a tag is named again', async () => {
  const names = points(6000, (i) => `Area${i % 7}.Tag${i}`) as string[];
  const own = lookupOf(Object.fromEntries(names.map((name) => [name, ValueType.Double])));
  const usual = names.map((name, i) => `"${name}":[${JSON.stringify(point(i % 50))}]`);
  const again = `"${names[3]}":[${JSON.stringify(point(77))}]`;
  const long = new LongBodies(new TvqParser());
  const options = optionsOf({ kind: 'tags' }, 'strict');
  for (const members of [usual, usual, [...usual, again], usual, usual]) {
    const body = Buffer.from(`{${members.join(',')}}`);
    const parsed = await long.parse(body, options, HOLDER, () => own);
    const expected = new TvqParser().parse(body, { ...options, lookup: own });
    assert.deepEqual(summaryOf(parsed), summaryOf(expected));
    assert.equal(parsed.batch.runs.length, names.length);
    long.release(parsed.batch);
  }
});

test('who sends many long bodies delays another by one of them', async () => {
  const long = new LongBodies(new TvqParser());
  const options = optionsOf({ kind: 'tags' }, 'strict');
  const body = Buffer.from(JSON.stringify({ T: points(5000) }));
  const order: string[] = [];
  const read = async (holder: string): Promise<void> => {
    const { batch } = await long.parse(body, options, holder, () => KNOWN);
    long.release(batch);
    order.push(holder);
  };
  await Promise.all([...Array.from({ length: 6 }, () => read('many')), read('one'), read('two')]);
  assert.deepEqual(order, ['many', 'many', 'one', 'two', 'many', 'many', 'many', 'many']);
});

describe('the number of tags that a body may name', () => {
  const options = optionsOf({ kind: 'tags' }, 'lenient');
  const refusal = (error: unknown): boolean => error instanceof ProblemError && error.status === 413;
  const named = (count: number): Buffer =>
    Buffer.from(`{${Array.from({ length: count }, (_, i) => `"${i}":[{}]`).join(',')}}`);

  test('as many as are allowed are read, one more is 413, and the next body is read', async () => {
    const long = new LongBodies(new TvqParser());
    await assert.rejects(
      long.parse(named(MAX_TAGS_IN_BODY + 1), options, HOLDER, () => KNOWN),
      refusal,
    );
    const { batch } = await long.parse(named(MAX_TAGS_IN_BODY), options, HOLDER, () => KNOWN);
    assert.equal(batch.runs.length, MAX_TAGS_IN_BODY);
  });

  test('more points than a body may have are 413, as objects and as columns, and the next body is read', async () => {
    const long = new LongBodies(new TvqParser());
    const entries = '1,'.repeat(MAX_POINTS_IN_BODY);
    const bodies = [`{"T":[${'{},'.repeat(MAX_POINTS_IN_BODY)}{}]}`, `{"T":{"t":[${entries}1],"v":[${entries}1]}}`];
    for (const body of bodies)
      await assert.rejects(
        long.parse(Buffer.from(body), options, HOLDER, () => KNOWN),
        refusal,
      );
    const { batch } = await long.parse(named(5), options, HOLDER, () => KNOWN);
    assert.equal(batch.runs.length, 5);
  });

  test('in msgpack too', async () => {
    const long = new LongBodies(new MsgpackParser());
    const body = pack(new Map(Array.from({ length: MAX_TAGS_IN_BODY + 1 }, (_, i) => [`${i}`, [{}]])));
    await assert.rejects(
      long.parse(body, options, HOLDER, () => KNOWN),
      refusal,
    );
  });

  test('a name counts once, however often it is there', async () => {
    const long = new LongBodies(new TvqParser());
    const body = Buffer.from(`{"First":[{}],${'"T":[],'.repeat(MAX_TAGS_IN_BODY + 1)}"T":[{"v":1}]}`);
    const { batch } = await long.parse(body, options, HOLDER, () => KNOWN);
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
  const options = { ...optionsOf({ kind: 'tags' }, 'lenient'), lookup: KNOWN };
  const longest = [`${'1'.repeat(300)}.${'5'.repeat(65_235)}`, `0.${'0'.repeat(65_534)}`, `1e${'0'.repeat(65_534)}`];
  for (const number of longest) {
    assert.equal(number.length, 65_536);
    const { batch } = parser.parse(Buffer.from(`{"T":[{"v":${number}}]}`), options);
    assert.equal(batch.points.numbers[0], Number(number));
    parser.release(batch);
    for (const longer of [`${number}0`, `-${number}`, `${number}${'0'.repeat(100_000)}`]) {
      assert.throws(
        () => parser.parse(Buffer.from(`{"T":[{"v":${longer}}]}`), options),
        (error) => error instanceof ProblemError && error.status === 400 && error.message.includes('number'),
      );
    }
  }
});

test('texts are read up to 4 MiB, which a fault may have, and 400 above; white space has no limit', () => {
  const parser = new TvqParser();
  const options = { ...optionsOf({ kind: 'tags' }, 'lenient'), lookup: KNOWN };
  const limit = 4 * 2 ** 20;
  for (const filling of ['x', 'ü', '\\n']) {
    const text = filling.repeat(limit / Buffer.byteLength(filling));
    assert.equal(parser.parse(Buffer.from(`{"T":[{"v":"${text.slice(filling.length)}"}]}`), options).faultCount, 1);
    assert.throws(() => parser.parse(Buffer.from(`{"T":[{"v":"${text}${filling}"}]}`), options), /a text of more than/);
  }
  const { batch } = parser.parse(Buffer.from(`{"T":${' '.repeat(2 * limit)}[{"v":1}]}`), options);
  assert.equal(batch.points.count, 1);
});

test('very many spaces are stepped over to the very byte behind them', () => {
  const parser = new TvqParser();
  const options = { ...optionsOf({ kind: 'tags' }, 'lenient'), lookup: KNOWN };
  for (const count of [65_535, 65_536, 65_537, 131_072, 131_075, 400_000]) {
    for (const last of ['', '\n', ' \t ']) {
      const blanks = ' '.repeat(count) + last;
      assert.equal(parser.parse(Buffer.from(`{"T":[{"v":${blanks}1}]}${blanks}`), options).batch.points.count, 1);
      const place = `{"T":${blanks}`.length;
      assert.throws(() => parser.parse(Buffer.from(`{"T":${blanks}?`), options), new RegExp(`at byte ${place};`));
    }
  }
});

test('a step reads some KiB of a body, whatever is in it', () => {
  const options = { ...optionsOf({ kind: 'tags' }, 'strict'), lookup: KNOWN };
  const [most, size] = [40_000, 2 ** 20];
  const times = Array.from({ length: size / 16 }, (_, i) => 1.7e12 + i);
  const bodies: readonly string[] = [
    `{${Array.from({ length: size / 32 }, (_, i) => `"New tag ${i}":[{"v":${i}}]`).join(',')}}`,
    `{"T":[${times.map((t) => `{"t":${t},"v":1.5}`).join(',')}]}`,
    `{"T":{"t":[${times.join(',')}],"v":[${times.map((t) => t % 1000).join(',')}]}}`,
    `{"New":{"t":[${times.join(',')}],"v":[${times.map((t) => `"text ${t}"`).join(',')}]}}`,
  ];
  for (const body of bodies) {
    const parser = new TvqParser();
    const bytes = Buffer.from(body);
    parser.beginSteps(bytes, options);
    let steps = 1;
    while (!parser.step()) steps++;
    parser.release(parser.finish().batch);
    assert.ok(steps > bytes.length / most, `${steps} steps for ${bytes.length} bytes of ${body.slice(0, 30)}`);
  }
});

test('a name that is far too long is refused with its beginning only', () => {
  const parser = new TvqParser();
  const options = { ...optionsOf({ kind: 'tags' }, 'lenient'), lookup: KNOWN };
  for (const name of ['n'.repeat(1_000_000), 'ü'.repeat(500_000), '\\u0041'.repeat(100_000)]) {
    const { faults, faultCount } = parser.parse(Buffer.from(`{"${name}":[{"v":1}]}`), options);
    assert.equal(faultCount, 1);
    assert.ok((faults[0]?.path.length ?? 0) < 10_000);
    assert.match(faults[0]?.message ?? '', /want at most 1024/);
  }
});
