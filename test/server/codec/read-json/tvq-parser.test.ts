// The rules of JSON bodies, one by one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import type { ParsedBody } from '../../../../server/codec/body/batch-builder.ts';
import { type ParseOptions, TvqParser, type WriteBodyShape } from '../../../../server/codec/read-json/tvq-parser.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { encoder, lookupOf, runsOf } from '../body-support.ts';

const RECEIPT_MS = 1_700_000_000_000;
const RECEIPT_TICKS = 17_000_000_000_000_000n;
const TAGS: WriteBodyShape = { kind: 'tags' };
const POINTS: WriteBodyShape = { kind: 'points', tag: 'T1' };
const T = '"t":"2024-01-01T00:00:00.000Z"';
const T_TICKS = 17_040_672_000_000_000n;

const parser = new TvqParser();

function parse(body: string | Uint8Array, options: Partial<ParseOptions> = {}): ParsedBody {
  return parser.parse(typeof body === 'string' ? encoder.encode(body) : body, {
    shape: TAGS,
    lookup: lookupOf({ T1: ValueType.Double }),
    handling: 'lenient',
    arrivalMs: RECEIPT_MS,
    maxTextBytes: 65_536,
    ...options,
  });
}

/** Values of the points, by tag. */
function values(parsed: ParsedBody): Record<string, unknown[]> {
  return Object.fromEntries(
    [...runsOf(parsed.batch)].map(([name, run]) => [name, run.points.map((point) => point.value)]),
  );
}

function paths(parsed: ParsedBody): string[] {
  return parsed.faults.map((fault) => fault.path);
}

function problem(body: string | Uint8Array, shape: WriteBodyShape = TAGS): ProblemError {
  try {
    parse(body, { shape });
  } catch (error) {
    assert.ok(error instanceof ProblemError);
    assert.equal(error.status, 400);
    return error;
  }
  assert.fail('the body was taken');
}

test('a body of tags becomes a run for each, in the order of the body', () => {
  const { batch, faultCount } = parse(`{"T1":[{${T},"v":1},{${T},"v":2,"q":0}],"new":[{${T},"v":"a"}]}`);
  assert.equal(faultCount, 0);
  assert.deepEqual(
    batch.runs.map((run) => [run.name, run.tag?.name, run.type, run.start, run.count]),
    [
      ['T1', 'T1', ValueType.Double, 0, 2],
      ['new', undefined, ValueType.String, 2, 1],
    ],
  );
  assert.deepEqual(runsOf(batch).get('T1')?.points, [
    { ticks: T_TICKS, value: 1, quality: 192 },
    { ticks: T_TICKS, value: 2, quality: 0 },
  ]);
});

test('a point in place of an array is a fault, for a tag and for a whole body', () => {
  assert.deepEqual(paths(parse(`{"T1":{${T},"v":1},"T2":{}}`)), ['/T1/t', '/T1/v', '/T2/t', '/T2/v']);
  assert.throws(() => parse(`{${T},"v":1}`, { shape: POINTS }), /got an object; want an array of points/);
});

test('empty arrays and objects give no points and no runs', () => {
  for (const body of ['[]', '{}', ' [ ] ', '{"X":[]}']) assert.equal(parse(body).batch.runs.length, 0, body);
  for (const body of ['[]', '{}']) assert.equal(parse(body, { shape: POINTS }).batch.runs.length, 0, body);
});

test('an empty object inside an array is a point: null, of quality 192, at the time of receipt', () => {
  const { batch } = parse('{"T1":[{}]}');
  assert.deepEqual(runsOf(batch).get('T1'), {
    type: ValueType.Double,
    points: [{ ticks: RECEIPT_TICKS, value: null, quality: 192 }],
    rejected: 0,
    stamped: 1,
  });
});

test('null stands for an absent t and q', () => {
  const { batch } = parse('{"T1":[{"t":null,"v":1,"q":null}]}');
  assert.deepEqual(runsOf(batch).get('T1')?.points, [{ ticks: RECEIPT_TICKS, value: 1, quality: 192 }]);
  assert.equal(batch.runs[0]?.stamped, 1);
});

test('nulls alone leave the type of a new tag open, and the first value behind them decides it', () => {
  assert.equal(parse(`{"X":[{${T},"v":null}]}`).batch.runs[0]?.type, ValueType.Open);
  const parsed = parse(`{"X":[{${T},"v":null},{${T},"v":true},{${T},"v":"x"}]}`);
  assert.equal(parsed.batch.runs[0]?.type, ValueType.Boolean);
  assert.deepEqual(paths(parsed), ['/X/2/v']);
});

test('a faulty point does not decide the type of a new tag', () => {
  const parsed = parse(`{"X":[{"t":"never","v":"text"},{${T},"v":1}]}`);
  assert.equal(parsed.batch.runs[0]?.type, ValueType.Double);
  assert.deepEqual(values(parsed), { X: [1] });
});

test('a quality is a whole number of 32 bits, however it is written', () => {
  const qualities = (body: string): unknown => [...runsOf(parse(body).batch).values()][0]?.points[0]?.quality;
  for (const text of ['192', '192.0', '1.92e2', '19200e-2'])
    assert.equal(qualities(`{"T1":[{"q":${text}}]}`), 192, text);
  assert.equal(qualities('{"T1":[{"q":-2147483648}]}'), -2_147_483_648);
  for (const text of ['2147483648', '-2147483649', '1.5', '"192"', 'true', '[]', '1e400']) {
    assert.deepEqual(paths(parse(`{"T1":[{"q":${text}}]}`)), ['/T1/0/q'], text);
  }
});

test('every fault of a point is told, with its pointer, and counts as one rejected point', () => {
  const parsed = parse(`{"T1":[{"t":true,"v":"x","q":1.5,"x":0,"a/b~c":0}]}`);
  assert.deepEqual(paths(parsed), ['/T1/0/t', '/T1/0/q', '/T1/0/x', '/T1/0/a~1b~0c', '/T1/0/v']);
  assert.equal(parsed.faultCount, 5);
  assert.equal(parsed.rejected, 1);
});

test('lenient handling leaves faulty points out and keeps a run of nothing but faults', () => {
  const parsed = parse(`{"T1":[{${T},"v":1},{${T},"v":"x"},7,{${T},"v":2}],"new":[{"t":"x","v":1}],"odd":5}`);
  assert.deepEqual(values(parsed), { T1: [1, 2], new: [], odd: [] });
  assert.deepEqual(
    parsed.batch.runs.map((run) => run.rejected),
    [2, 1, 1],
  );
  assert.deepEqual(paths(parsed), ['/T1/1/v', '/T1/2', '/new/0/t', '/odd']);
  assert.equal(parsed.rejected, 4);
});

test('strict handling gives an empty batch as soon as there is one fault, and still tells all of them', () => {
  const parsed = parse(`{"T1":[{${T},"v":1},{${T},"v":"x"},{${T},"v":"y"}]}`, { handling: 'strict' });
  assert.equal(parsed.batch.points.count, 0);
  assert.deepEqual(parsed.batch.runs, []);
  assert.deepEqual(paths(parsed), ['/T1/1/v', '/T1/2/v']);
});

test('the first hundred faults are kept and all are counted', () => {
  const parsed = parse(`{"T1":[${Array.from({ length: 150 }, () => '{"v":"x"}').join(',')}]}`);
  assert.equal(parsed.faults.length, 100);
  assert.equal(parsed.faultCount, 150);
  assert.equal(parsed.faults[99]?.path, '/T1/99/v');
});

test('of a repeated key the last one wins, in a point', () => {
  const parsed = parse(`{"T1":[{${T},"v":"bad","q":"bad","v":1,"q":5,"t":"bad",${T}}]}`);
  assert.equal(parsed.faultCount, 0);
  assert.deepEqual(runsOf(parsed.batch).get('T1')?.points, [{ ticks: T_TICKS, value: 1, quality: 5 }]);
  assert.deepEqual(paths(parse('{"T1":[{"x":1,"x":2,"\\u0078":3}]}')), ['/T1/0/x']);
});

test('of a repeated tag the last one wins, and the faults and counts of the earlier ones go', () => {
  const parsed = parse(
    `{"T1":[{"v":"bad"},5],"T2":[{${T},"v":3}],"T\\u0031":[{${T},"v":1}],"T1":[{${T},"v":2}],"..":[1],"..":[1,2]}`,
  );
  assert.deepEqual(values(parsed), { T2: [3], T1: [2] });
  assert.deepEqual(paths(parsed), ['/..']);
  assert.equal(parsed.rejected, 2);
});

test('faults of a repeated tag do not crowd out those that count', () => {
  const many = Array.from({ length: 200 }, () => '1').join(',');
  const parsed = parse(`{"T1":[${many}],"T2":[7],"T1":[]}`);
  assert.deepEqual(paths(parsed), ['/T2/0']);
  assert.equal(parsed.faultCount, 1);
});

test('__proto__ and constructor are ordinary names', () => {
  const parsed = parse(`{"__proto__":[{${T},"v":1}],"constructor":[{${T},"v":2}]}`);
  assert.deepEqual(
    parsed.batch.runs.map((run) => run.name),
    ['__proto__', 'constructor'],
  );
  assert.deepEqual(paths(parse('{"T1":[{"__proto__":1}]}')), ['/T1/0/__proto__']);
});

test('keys and texts may be escaped', () => {
  const parsed = parse(
    '{"T\\u0031":[{"\\u0074":"2024-01-01T00\\u003a00:00Z","\\u0076":1}],"a\\"\\\\\\/b":[{"v":"\\u00fc\\n"}]}',
  );
  assert.deepEqual(values(parsed), { T1: [1], 'a"\\/b': ['ü\n'] });
  assert.equal(parsed.batch.runs[0]?.tag?.name, 'T1');
});

test('tags that cannot be are faults at the name, and all their points are lost', () => {
  const bad = ['""', '"."', '".."', '"$System.Status"', '"\\u0007"', '"\u009f"', '"\\ud800"', `"${'ü'.repeat(513)}"`];
  for (const name of bad) {
    const parsed = parse(`{${name}:[{${T},"v":1},{"v":[]}],"T1":[{${T},"v":1}]}`);
    assert.deepEqual(values(parsed), { T1: [1] }, name);
    assert.equal(parsed.faultCount, 1);
    assert.equal(parsed.rejected, 2);
    assert.equal(parsed.faults[0]?.path, `/${JSON.parse(name)}`);
  }
  for (const name of ['$', '$system.x', '...', 'a/b', ' ', 'ü'.repeat(512)]) {
    assert.deepEqual(values(parse(`{${JSON.stringify(name)}:[{"v":1}]}`)), { [name]: [1] });
  }
});

test('pointers escape tilde and slash', () => {
  assert.deepEqual(paths(parse('{"a/b~c":[{"v":{}}]}')), ['/a~1b~0c/0/v']);
});

test('bodies of another shape are a 400 about the whole body', () => {
  for (const body of ['5', '"x"', 'null', 'true', '[1]', '[{"v":1}]']) {
    assert.deepEqual(
      problem(body).errors.map((fault) => fault.path),
      [''],
      body,
    );
  }
  for (const body of ['5', '"x"', 'null']) assert.equal(problem(body, POINTS).errors.length, 1, body);
});

test('what is not JSON is a 400 with the place of the byte', () => {
  assert.match(problem('{"T1":[{"v":1},]}').message, /got byte 0x5d at byte 15; want a value/);
  assert.match(problem('{"T1":[').message, /got the end at byte 7/);
  assert.match(problem('').message, /got the end at byte 0/);
  assert.match(problem('{} x').message, /at byte 3; want the end/);
  for (const body of [
    '{"T1":[{"v":NaN}]}',
    '{"T1":[{"v":-Infinity}]}',
    '{"T1":[{"v":01}]}',
    '{"T1":[{"v":1.}]}',
    "{'T1':[]}",
    '{"T1":[{"v":+1}]}',
    '{"T1":[{"v":.5}]}',
    '{"a\nb":[]}',
    '{"a":"\\x"}',
  ]) {
    assert.equal(problem(body).errors.length, 0, body);
  }
});

test('numbers that JSON does not know are a 400 in v and q, in the usual shape and in any other', () => {
  const margin = ' '.repeat(200); // with the end that far, the short cuts are taken
  const numbers = [
    '01',
    '-01',
    '00',
    '00.5',
    '01234.5',
    '1.',
    '-',
    '-.5',
    '.5',
    '+1',
    '1e',
    '1e+',
    '0x1',
    '1.5.5',
    '1..5',
    '12345678901.',
    'Infinity',
  ];
  for (const number of numbers) {
    const members = [`${T},"v":${number},"q":192`, `${T},"v":1,"q":${number}`];
    const points = [
      ...members.map((text) => `{${text}}`),
      ...members.map((text) => `{ ${text.replaceAll(',', ' , ')} }`),
    ];
    for (const point of points) {
      assert.equal(problem(`{"T1":[${point}]}`).errors.length, 0, point);
      assert.equal(problem(`{"T1":[${point}]}${margin}`).errors.length, 0, point);
    }
  }
});

test('invalid UTF-8 is a 400, wherever it stands', () => {
  for (const bytes of [[0xc3], [0x80], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    const body = Buffer.concat([Buffer.from('{"T1":[{"v":1,"x":"'), Buffer.from(bytes), Buffer.from('"}]}')]);
    assert.match(problem(body).message, /UTF-8/);
  }
});

test('a byte-order mark before the body is stepped over', () => {
  assert.deepEqual(values(parse('\ufeff{"T1":[{"v":1}]}')), { T1: [1] });
});

test('deep nesting is a 400 and takes no time', () => {
  const depth = 2_000_000;
  assert.match(problem(`{"T1":[{"x":${'['.repeat(depth)}${']'.repeat(depth)}}]}`).message, /nested too deep/);
  assert.deepEqual(paths(parse(`{"T1":[{"x":${'['.repeat(60)}${']'.repeat(60)}}]}`)), ['/T1/0/x']);
});

test('identical texts that follow within a few share one entry', () => {
  const { batch } = parse(`{"X":[{"v":"on"},{"v":"on"},{"v":"off"},{"v":"on"}]}`);
  assert.deepEqual([...batch.points.texts], ['on', 'off']);
  assert.deepEqual([...batch.points.numbers.subarray(0, 4)], [0, 0, 1, 0]);
});

test('a body of more points than the columns hold makes them grow', () => {
  const list = Array.from({ length: 5000 }, (_, i) => `{"t":"2024-01-01T00:00:00.000Z","v":${i},"q":192}`).join(',');
  const parsed = parse(`{"T1":[${list}]}`);
  assert.equal(parsed.batch.points.count, 5000);
  assert.deepEqual(
    values(parsed).T1,
    Array.from({ length: 5000 }, (_, i) => i),
  );
});

test('a batch keeps its points until it is released, and its memory is used again afterwards', () => {
  const fresh = new TvqParser();
  const options: ParseOptions = {
    shape: TAGS,
    lookup: lookupOf({}),
    handling: 'strict',
    arrivalMs: 0,
    maxTextBytes: 10,
  };
  const first = fresh.parse(encoder.encode('{"A":[{"v":1}]}'), options);
  const second = fresh.parse(encoder.encode('{"B":[{"v":2}]}'), options);
  assert.notEqual(first.batch.points, second.batch.points);
  assert.deepEqual(values(first), { A: [1] });
  fresh.release(first.batch);
  fresh.release(first.batch); // a second time is of no consequence
  const third = fresh.parse(encoder.encode('{"C":[{"v":"x"}]}'), options);
  const fourth = fresh.parse(encoder.encode('{"D":[{"v":4}]}'), options);
  assert.equal(third.batch.points, first.batch.points);
  assert.notEqual(fourth.batch.points, first.batch.points);
  assert.deepEqual(values(third), { C: ['x'] });
  assert.deepEqual(values(second), { B: [2] });
});

test('the runs of a batch are its own, whatever bodies of more or fewer tags had their memory before', () => {
  const fresh = new TvqParser();
  const options: ParseOptions = {
    shape: TAGS,
    lookup: lookupOf({ A: ValueType.Double, C: ValueType.Double }),
    handling: 'strict',
    arrivalMs: 0,
    maxTextBytes: 10,
  };
  const bodyOf = (names: readonly string[]): Uint8Array =>
    encoder.encode(`{${names.map((name, i) => `"${name}":[{${T},"v":${i}}]`).join()}}`);
  const namesOf = ({ batch }: ParsedBody): string[] => batch.runs.map(({ name }) => name);
  const [many, few, others] = [
    ['A', 'B', 'C', 'D'],
    ['C', 'E'],
    ['F', 'A', 'G'],
  ] as const;
  for (let round = 0; round < 3; round++) {
    const first = fresh.parse(bodyOf(many), options);
    const second = fresh.parse(bodyOf(few), options);
    assert.deepEqual(namesOf(first), many);
    fresh.release(first.batch);
    const third = fresh.parse(bodyOf(others), options);
    assert.throws(() => fresh.parse(encoder.encode(`{"A":[{${T},"v":1}],"B":`), options));
    const refused = fresh.parse(encoder.encode(`{"A":[{${T},"v":1}],"B":[7]}`), options);
    assert.deepEqual([namesOf(second), namesOf(third), namesOf(refused)], [few, others, []]);
    assert.deepEqual(values(third), { F: [0], A: [1], G: [2] });
    for (const { batch } of [refused, third, second]) fresh.release(batch);
  }
});

test('a body that fails gives its memory back', () => {
  const fresh = new TvqParser();
  const options: ParseOptions = {
    shape: TAGS,
    lookup: lookupOf({}),
    handling: 'strict',
    arrivalMs: 0,
    maxTextBytes: 10,
  };
  const first = fresh.parse(encoder.encode('{}'), options);
  fresh.release(first.batch);
  assert.throws(() => fresh.parse(encoder.encode('{'), options), ProblemError);
  assert.equal(fresh.parse(encoder.encode('{}'), options).batch.points, first.batch.points);
});

test('a body may lie anywhere in a larger buffer', () => {
  const whole = Buffer.from(`garbage{"T1":[{${T},"v":1.5,"q":192},{${T},"v":2.5,"q":192},{${T},"v":3.5}]}garbage`);
  assert.deepEqual(values(parse(new Uint8Array(whole.buffer, whole.byteOffset + 7, whole.length - 14))), {
    T1: [1.5, 2.5, 3.5],
  });
});
