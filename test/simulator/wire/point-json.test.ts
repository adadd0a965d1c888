// The hand-written JSON of points: what JSON.parse reads back is what went in, in the fewest digits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Column, newColumn } from '../../../simulator/generate/column.ts';
import { BodyBuilder, BodyTag } from '../../../simulator/wire/body-builder.ts';
import { ByteArena, ELEMENT_ENDS, lineEnds, writeJson, writeNumbers } from '../../../simulator/wire/point-json.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${seed}`);

function columnOf(points: readonly (readonly [timeMs: number, value: number])[], decimals: number): Column {
  const column = newColumn(points.length);
  column.decimals = decimals;
  column.count = points.length;
  for (const [index, [timeMs, value]] of points.entries()) {
    column.timesMs[index] = timeMs;
    column.values[index] = value;
  }
  return column;
}

function textOf(arena: ByteArena): string {
  return arena.bytes.toString('utf8', 0, arena.length);
}

test('numbers are written as JavaScript writes them, times as toISOString does', () => {
  const time = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) });
  const scaled = fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.integer(), fc.maxSafeInteger());
  const points = fc.array(fc.tuple(time, scaled), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(points, fc.integer({ min: 0, max: 12 }), (drawn, decimals) => {
      const plain = drawn.map(([timeMs, digits]) => [timeMs, digits / 10 ** decimals] as const);
      const arena = new ByteArena(16);
      writeNumbers(arena, ELEMENT_ENDS, columnOf(plain, decimals), 0);
      const read = JSON.parse(`[${textOf(arena).slice(0, -1)}]`);
      const expected = plain.map(([timeMs, v]) => ({ t: new Date(timeMs).toISOString(), v: v + 0, q: 192 }));
      assert.deepEqual(read, expected);
      // Plain decimals have the fewest digits, too.
      for (const match of textOf(arena).matchAll(/"v":([^,]*),/g)) {
        const text = match[1] ?? '';
        const number = Number(text);
        if (Math.abs(number) >= 1e-6 || number === 0) assert.equal(text, String(number));
      }
    }),
    { seed, numRuns: 500 },
  );
});

test('a line has the name in front', () => {
  const arena = new ByteArena(8);
  writeNumbers(arena, lineEnds('A "quoted" Ä'), columnOf([[0, 1.5]], 2), 0);
  writeJson(arena, lineEnds('B'), 1, '"text ü\\n"');
  assert.deepEqual(textOf(arena).split('\n'), [
    '{"n":"A \\"quoted\\" Ä","t":"1970-01-01T00:00:00.000Z","v":1.5,"q":192}',
    '{"n":"B","t":"1970-01-01T00:00:00.001Z","v":"text ü\\n","q":192}',
    '',
  ]);
});

test('a body holds every tag once, its points in the order in which they came, and is then forgotten', () => {
  const builder = new BodyBuilder();
  const [a, b] = [new BodyTag('a'), new BodyTag('b"')];
  builder.addNumbers(
    a,
    columnOf(
      [
        [1000, 1],
        [2000, 2],
      ],
      0,
    ),
    0,
  );
  builder.addJson(b, 1000, 'null');
  builder.addNumbers(
    a,
    columnOf(
      [
        [2000, 2],
        [3000, 3],
      ],
      0,
    ),
    1,
  );
  builder.addJson(b, 2000, '"x"');
  builder.addJson(b, 3000, 'true');
  assert.equal(builder.pointCount, 6);
  const point = (second: number, v: unknown): unknown => ({ t: `1970-01-01T00:00:0${second}.000Z`, v, q: 192 });
  assert.deepEqual(JSON.parse(builder.takeBody().toString()), {
    a: [point(1, 1), point(2, 2), point(3, 3)],
    'b"': [point(1, null), point(2, 'x'), point(3, true)],
  });
  builder.addJson(b, 4000, '1');
  assert.deepEqual(JSON.parse(builder.takeBody().toString()), { 'b"': [point(4, 1)] });
  assert.equal(builder.pointCount, 0);
});
