// Each kind of `values` entry: what points it gives, with which bounds and statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  generatePoints,
  MINUTE_MS,
  numbersOf,
  oneSequence,
  pointsOf,
  type SimulatedPoint,
  START_MS,
  valuesOf,
} from '../../support/simulated-points.ts';

const TWO_STEPS = [
  { value: '1', duration: '30' },
  { value: '2', duration: '30' },
];

function oneTag(
  values: readonly string[],
  type: string | undefined,
  steps: unknown = TWO_STEPS,
): Record<string, unknown> {
  return oneSequence({ steps, tags: [{ name: 'T', values, ...(type === undefined ? {} : { type }) }] });
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function spacings(points: readonly SimulatedPoint[]): number[] {
  return points.slice(1).map((point, index) => point.timeMs - (points[index]?.timeMs ?? 0));
}

test('step: the value of the current step, at its start', () => {
  const points = generatePoints(oneTag(['step'], 'System.Int32'), { cycles: 2 });
  assert.deepEqual(pointsOf(points, 'T'), [
    { timeMs: START_MS, value: 1 },
    { timeMs: START_MS + 30 * MINUTE_MS, value: 2 },
    { timeMs: START_MS + 60 * MINUTE_MS, value: 1 },
    { timeMs: START_MS + 90 * MINUTE_MS, value: 2 },
  ]);
});

test('step: a random step value is drawn anew for each cycle, whole and within its bounds', () => {
  const steps = [{ value: 'random(3, 5)', duration: '10' }];
  const values = numbersOf(generatePoints(oneTag(['step'], 'System.Int32', steps), { cycles: 300 }), 'T');
  assert.deepEqual([...new Set(values)].sort(), [3, 4, 5]);
});

test('a fixed duration is the same in every cycle, a random one is drawn anew within its bounds', () => {
  const steps = [
    { value: '0', duration: '2.5' },
    { value: '1', duration: 'random(1.5, 4)' },
    { value: '2', duration: 'random(3, 5)' },
  ];
  const points = pointsOf(generatePoints(oneTag(['step'], undefined, steps), { cycles: 400 }), 'T');
  const durations = spacings(points);
  const fixed = durations.filter((_, index) => index % 3 === 0);
  const drawn = durations.filter((_, index) => index % 3 === 1).map((ms) => ms / MINUTE_MS);
  const whole = durations.filter((_, index) => index % 3 === 2).map((ms) => ms / MINUTE_MS);
  assert.deepEqual([...new Set(fixed)], [2.5 * MINUTE_MS]);
  assert.ok(Math.min(...drawn) >= 1.5 && Math.max(...drawn) <= 4);
  assert.ok(new Set(drawn).size > 350, 'random durations repeat');
  assert.ok(Math.abs(mean(drawn) - 2.75) < 0.15, `mean ${mean(drawn)}`);
  assert.deepEqual([...new Set(whole)].sort(), [3, 4, 5], 'int bounds give whole minutes');
});

test('a duration is rounded to 1 ms and is at least that', () => {
  const steps = [
    { value: '0', duration: '0' },
    { value: '1', duration: '0.0000333' },
  ];
  assert.deepEqual(
    spacings(pointsOf(generatePoints(oneTag(['step'], undefined, steps), { cycles: 2 }), 'T')),
    [1, 2, 1],
  );
});

test('null: one null at the start of the step', () => {
  assert.deepEqual(valuesOf(generatePoints(oneTag(['5', 'null'], undefined)), 'T'), [5, null]);
});

test('previous: equal to the last value generated, also across the start of the cycle', () => {
  const values = valuesOf(generatePoints(oneTag(['previous', 'random(0.0, 9.0)'], undefined), { cycles: 3 }), 'T');
  assert.equal(values[0], null, 'there is no value before the first');
  assert.equal(values[2], values[1]);
  assert.equal(values[4], values[3]);
  assert.notEqual(values[1], values[3]);
});

test('previous: after a curve it is the last point of the curve, after text the text, after null null', () => {
  const curve = valuesOf(generatePoints(oneTag(['flat(60, 5, 3)', 'previous'], undefined)), 'T');
  assert.equal(curve.at(-1), curve.at(-2));
  assert.deepEqual(valuesOf(generatePoints(oneTag(['a', 'previous'], 'System.String')), 'T'), ['a', 'a']);
  assert.deepEqual(valuesOf(generatePoints(oneTag(['null', 'previous'], 'System.String')), 'T'), [null, null]);
});

test('number: an int or double literal, once at the start of the step', () => {
  assert.deepEqual(valuesOf(generatePoints(oneTag(['-12', '3.25'], undefined)), 'T'), [-12, 3.25]);
  assert.deepEqual(valuesOf(generatePoints(oneTag(['1e3', '+.5'], undefined)), 'T'), [1000, 0.5]);
});

test('number: integer types are rounded', () => {
  assert.deepEqual(valuesOf(generatePoints(oneTag(['2.5', '-2.7'], 'System.Int16')), 'T'), [3, -3]);
});

test('number: 1 and 0 are true and false for System.Boolean', () => {
  assert.deepEqual(valuesOf(generatePoints(oneTag(['1', '0'], 'System.Boolean')), 'T'), [true, false]);
});

test('random: whole-number bounds give whole numbers, both bounds included, all alike often', () => {
  const values = numbersOf(generatePoints(oneTag(['random(-2, 3)'], undefined), { cycles: 3000 }), 'T');
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  assert.deepEqual(
    [...counts.keys()].sort((a, b) => a - b),
    [-2, -1, 0, 1, 2, 3],
  );
  for (const [value, count] of counts) assert.ok(Math.abs(count - 1000) < 150, `${value} came ${count} times in 6000`);
});

test('random: double bounds give numbers between, bounds included, uniformly', () => {
  const values = numbersOf(generatePoints(oneTag(['random(0.25, 0.75)'], undefined), { cycles: 3000 }), 'T');
  assert.ok(Math.min(...values) >= 0.25 && Math.max(...values) <= 0.75);
  assert.ok(Math.min(...values) < 0.26 && Math.max(...values) > 0.74);
  assert.ok(Math.abs(mean(values) - 0.5) < 0.01, `mean ${mean(values)}`);
  const tiny = numbersOf(generatePoints(oneTag(['random(0.001, 0.002)'], undefined), { cycles: 500 }), 'T');
  assert.ok(Math.min(...tiny) >= 0.001 && Math.max(...tiny) <= 0.002 && new Set(tiny).size > 50);
});

test('random: System.Boolean gets true and false, System.String the number as text', () => {
  const booleans = valuesOf(generatePoints(oneTag(['random(0, 1)'], 'System.Boolean'), { cycles: 50 }), 'T');
  assert.deepEqual(new Set(booleans), new Set([true, false]));
  assert.match(String(valuesOf(generatePoints(oneTag(['random(1, 6)'], 'System.String')), 'T')[0]), /^[1-6]$/);
});

test('flat: points at value ± noise, uniformly', () => {
  const points = pointsOf(generatePoints(oneTag(['flat(10, 50, 2)'], undefined), { cycles: 40 }), 'T');
  const values = points.map((point) => point.value as number);
  assert.ok(Math.min(...values) >= 48 && Math.max(...values) <= 52);
  assert.ok(Math.min(...values) < 48.05 && Math.max(...values) > 51.95);
  assert.ok(Math.abs(mean(values) - 50) < 0.06, `mean ${mean(values)}`);
  const variance = mean(values.map((value) => (value - 50) ** 2));
  assert.ok(Math.abs(variance - 4 / 3) < 0.05, `variance ${variance}, that of a uniform ±2 is 1.333`);
});

test('flat: noise is 0 by default', () => {
  assert.deepEqual(new Set(valuesOf(generatePoints(oneTag(['flat(10, 7.5)'], undefined)), 'T')), new Set([7.5]));
});

test('flat: spacing is uniform in [max(1 s, i/2), 2i - max(1 s, i/2)] around the interval, first point at the start', () => {
  const steps = [{ value: '0', duration: '600' }];
  const expected = [
    [10, 5000, 15000],
    [1.5, 1000, 2000],
    [1, 1000, 1000],
  ] as const;
  for (const [interval, least, most] of expected) {
    const points = pointsOf(generatePoints(oneTag([`flat(${interval}, 1)`], undefined, steps)), 'T');
    const distances = spacings(points);
    assert.equal(points[0]?.timeMs, START_MS);
    assert.ok(Math.min(...distances) >= least && Math.max(...distances) <= most, `bounds of ${interval}`);
    assert.ok(Math.abs(mean(distances) / (interval * 1000) - 1) < 0.02, `mean spacing ${mean(distances)}`);
    const endMs = START_MS + 600 * MINUTE_MS;
    const lastMs = points.at(-1)?.timeMs ?? 0;
    assert.ok(lastMs < endMs && endMs - lastMs <= most, 'the points go on until before the end');
  }
});

test('ramp: starts at the last value, moves in a line, and its last point is at the target', () => {
  const points = pointsOf(generatePoints(oneTag(['20', 'ramp(10, 80)'], undefined), { cycles: 2 }), 'T');
  const startMs = START_MS + 30 * MINUTE_MS;
  const ramp = points.filter((point) => point.timeMs >= startMs && point.timeMs < START_MS + 60 * MINUTE_MS);
  assert.deepEqual(ramp[0], { timeMs: startMs, value: 20 });
  assert.equal(ramp.at(-1)?.value, 80);
  for (const { timeMs, value } of ramp.slice(0, -1)) {
    const line = 20 + (60 * (timeMs - startMs)) / (30 * MINUTE_MS);
    assert.ok(Math.abs((value as number) - line) <= 0.005 + 1e-9, `${value} is off the line's ${line}`);
  }
});

test('ramp: with noise every point is within the amplitude of the line, the last within that of the target', () => {
  const points = pointsOf(generatePoints(oneTag(['0', 'ramp(5, 100, 4)'], undefined), { cycles: 20 }), 'T');
  let ramps = 0;
  for (const [index, { value }] of points.entries()) {
    if (points[index + 1]?.value !== 0 && index !== points.length - 1) continue;
    ramps++;
    assert.ok(Math.abs((value as number) - 100) <= 4, `the last point ${value}`);
  }
  assert.equal(ramps, 20);
});

test('ramp: the next ramp starts where the last one ended, across the cycle too', () => {
  const points = pointsOf(generatePoints(oneTag(['ramp(10, 50)', 'ramp(10, -50)'], undefined), { cycles: 2 }), 'T');
  const at = (minutes: number): unknown => points.find((p) => p.timeMs === START_MS + minutes * MINUTE_MS)?.value;
  assert.deepEqual([at(0), at(30), at(60), at(90)], [0, 50, -50, 50], 'without any value before, it starts from 0');
});

test('ramp: after a null it starts from the last number', () => {
  const steps = [1, 2, 3].map((value) => ({ value: String(value), duration: '10' }));
  const points = pointsOf(generatePoints(oneTag(['40', 'null', 'ramp(10, 10)'], undefined, steps)), 'T');
  assert.deepEqual(
    points.slice(0, 3).map((point) => point.value),
    [40, null, 40],
  );
});

test('a step shorter than an interval gives one point; of a ramp the target', () => {
  const steps = [{ value: '0', duration: '0.1' }];
  const flat = pointsOf(generatePoints(oneTag(['flat(7, 3)'], undefined, steps), { cycles: 50 }), 'T');
  assert.deepEqual(new Set(spacings(flat)), new Set([6000]));
  const ramp = valuesOf(generatePoints(oneTag(['ramp(7, 33)'], undefined, steps), { cycles: 2 }), 'T');
  assert.deepEqual(ramp, [33, 33]);
});

test('flat and ramp of integer types are rounded, of System.Boolean are true from a half', () => {
  const integers = numbersOf(generatePoints(oneTag(['flat(10, 5, 2.5)'], 'System.Byte'), { cycles: 5 }), 'T');
  assert.ok(integers.every(Number.isInteger) && Math.min(...integers) >= 2 && Math.max(...integers) <= 8);
  const booleans = valuesOf(generatePoints(oneTag(['flat(10, 0.5, 0.5)'], 'System.Boolean')), 'T');
  assert.deepEqual(new Set(booleans), new Set([true, false]));
});

test('values of System.Single come back from single precision as they were', () => {
  const values = numbersOf(generatePoints(oneTag(['flat(10, 12345.678, 99.9)'], 'System.Single')), 'T');
  for (const value of values) assert.equal(Number(Math.fround(value).toPrecision(6)), value);
});

test('fewer values than steps: the last definition is used for all remaining steps', () => {
  const steps = [1, 2, 3, 4].map((value) => ({ value: String(value), duration: '10' }));
  const points = pointsOf(generatePoints(oneTag(['7', 'step'], undefined, steps), { cycles: 2 }), 'T');
  assert.deepEqual(
    points.map((point) => point.value),
    [7, 2, 3, 4, 7, 2, 3, 4],
  );
});

test('text: placeholders and Step Date, which is the start of the step in UTC', () => {
  const configuration = oneSequence({
    map: [{ name: 'Unit', data: '7' }],
    steps: TWO_STEPS,
    tags: [
      {
        name: 'T',
        type: 'System.String',
        fields: { Product: 'Paint' },
        values: ['[Product] [Unit, 000] [Step Date, yyMMddHHmm]', 'plain "text"'],
      },
    ],
  });
  assert.deepEqual(valuesOf(generatePoints(configuration), 'T'), ['Paint 007 2405010000', 'plain "text"']);
});

test('text: step, null, previous, numbers and random keep their meaning for System.String', () => {
  assert.deepEqual(valuesOf(generatePoints(oneTag(['step', 'null'], 'System.String')), 'T'), ['1', null]);
  assert.deepEqual(valuesOf(generatePoints(oneTag(['12.50', 'previous'], 'System.String')), 'T'), ['12.50', '12.50']);
});

test('text of System.DateTime is a time stamp', () => {
  const values = valuesOf(generatePoints(oneTag(['[Step Date, yyyy-MM-ddTHH:mm:ssZ]'], 'System.DateTime')), 'T');
  assert.deepEqual(values, ['2024-05-01T00:00:00Z', '2024-05-01T00:30:00Z']);
});

test('every tag of an instance has a point at the start of every step, whatever its entries', () => {
  const steps = [1, 2, 3].map((value) => ({ value: String(value), duration: 'random(0.5, 20.0)' }));
  const tags = [
    { name: 'S', values: ['step'] },
    { name: 'F', values: ['flat(3, 1)', 'null', 'ramp(2, 9)'] },
    { name: 'I', values: ['integrate(F, minute)'] },
    { name: 'R', values: ['random(1, 2)', 'previous'] },
    { name: 'X', type: 'System.String', values: ['x', 'null', 'y'] },
  ];
  const points = generatePoints(oneSequence({ steps, tags }), { cycles: 5 });
  const starts = pointsOf(points, 'S').map((point) => point.timeMs);
  assert.equal(starts.length, 15);
  for (const name of ['F', 'I', 'R', 'X']) {
    const times = new Set(pointsOf(points, name).map((point) => point.timeMs));
    for (const start of starts) assert.ok(times.has(start), `${name} has no point at the start ${start}`);
  }
});

test('the instances of a sequence run apart: each has its own durations and values', () => {
  const configuration = oneSequence({
    map: [{ name: 'Unit', data: '1-3' }],
    steps: [{ value: '0', duration: 'random(5.5, 50.5)' }],
    tags: [{ name: 'T[Unit]', values: ['random(0.0, 100.0)'] }],
  });
  const points = generatePoints(configuration, { cycles: 5 });
  const lists = ['T1', 'T2', 'T3'].map((name) => JSON.stringify(pointsOf(points, name).slice(1)));
  assert.equal(new Set(lists).size, 3);
});

test('adding a tag does not change the points of the others', () => {
  const flow = { name: 'Flow', values: ['flat(10, 5, 1)'] };
  const alone = generatePoints(oneSequence({ tags: [flow] }), { cycles: 3 });
  const together = generatePoints(oneSequence({ tags: [{ name: 'New', values: ['random(1, 9)'] }, flow] }), {
    cycles: 3,
  });
  assert.deepEqual(pointsOf(together, 'Flow'), pointsOf(alone, 'Flow'));
});

test('another seed gives other points', () => {
  const configuration = oneTag(['flat(10, 5, 1)'], undefined);
  assert.notDeepEqual(generatePoints(configuration, { seed: 1 }), generatePoints(configuration, { seed: 2 }));
});
