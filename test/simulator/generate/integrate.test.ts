// `integrate`, against an integration of the generated points that is written quite differently: the points are cut into
// pieces of constant or linear value on a time line, and the area to each of the integral's points is summed from scratch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  generatePoints,
  MINUTE_MS,
  oneSequence,
  pointsOf,
  type SimulatedPoint,
  START_MS,
  valuesOf,
} from '../../support/simulated-points.ts';

interface StepSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly isRamp: boolean;
  readonly isReset: boolean;
}

const UNITS = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

/** Area under the source from the last reset at or before `untilMs` to there, in value times unit. */
function areaUntil(
  source: readonly SimulatedPoint[],
  spans: readonly StepSpan[],
  untilMs: number,
  unitMs: number,
): number {
  const resets = spans.filter((span) => span.isReset && span.startMs <= untilMs);
  const fromMs = resets.at(-1)?.startMs ?? spans[0]?.startMs ?? 0;
  let area = 0;
  for (const [index, point] of source.entries()) {
    const next = source[index + 1];
    const endMs = Math.min(next?.timeMs ?? untilMs, untilMs);
    if (point.timeMs < fromMs || endMs <= point.timeMs) continue;
    const span = spans.find((candidate) => candidate.startMs <= point.timeMs && point.timeMs < candidate.endMs);
    const value = toNumber(point.value);
    const isSloped = span?.isRamp === true && next !== undefined && next.timeMs < span.endMs;
    const height = isSloped ? (value + toNumber(next.value)) / 2 : value;
    area += height * (endMs - point.timeMs);
  }
  return area / unitMs;
}

function toNumber(value: SimulatedPoint['value']): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : 0;
}

const ENTRIES = ['flat(5, 12, 3)', 'ramp(4, 40, 2)', 'random(1, 9)', 'null', 'ramp(3, 5)', '7.25'];

function spansOf(
  points: ReadonlyMap<string, SimulatedPoint[]>,
  entries: readonly string[],
  reset: number | undefined,
): StepSpan[] {
  const starts = pointsOf(points, 'Step').map((point) => point.timeMs);
  return starts.map((startMs, index) => ({
    startMs,
    endMs: starts[index + 1] ?? Infinity,
    isRamp: entries[index % entries.length]?.startsWith('ramp') === true,
    isReset: index % entries.length === reset,
  }));
}

function generate(values: readonly string[], extra: readonly unknown[] = []): Map<string, SimulatedPoint[]> {
  const steps = ENTRIES.map((_, index) => ({ value: String(index), duration: 'random(1.5, 6.5)' }));
  const tags = [
    // The integral stands before what it integrates: the order does not matter.
    { name: 'Total', values },
    { name: 'Flow', values: ENTRIES },
    { name: 'Step', values: ['step'] },
    ...extra,
  ];
  return generatePoints(oneSequence({ steps, tags }), { cycles: 12 });
}

for (const unit of ['second', 'minute', 'hour'] as const) {
  test(`integrate per ${unit} agrees with an integration of the generated points`, () => {
    const points = generate([`integrate(Flow, ${unit})`]);
    const source = pointsOf(points, 'Flow');
    const spans = spansOf(points, ENTRIES, undefined);
    const totals = pointsOf(points, 'Total');
    assert.equal(totals.length, source.length);
    for (const [index, total] of totals.entries()) {
      assert.equal(total.timeMs, source[index]?.timeMs, 'one point at each of the source');
      const expected = areaUntil(source, spans, total.timeMs, UNITS[unit]);
      assert.ok(
        Math.abs((total.value as number) - expected) < 1e-6 + 1e-9 * expected,
        `${total.value} for ${expected}`,
      );
    }
    assert.ok((totals.at(-1)?.value as number) > 0);
  });

  test(`integrate per ${unit} with a reset starts from 0 on that step`, () => {
    const values = ENTRIES.map((_, index) => `integrate(Flow, ${unit}, ${index === 2})`);
    const points = generate(values);
    const source = pointsOf(points, 'Flow');
    const spans = spansOf(points, ENTRIES, 2);
    let resets = 0;
    for (const total of pointsOf(points, 'Total')) {
      const expected = areaUntil(source, spans, total.timeMs, UNITS[unit]);
      assert.ok(
        Math.abs((total.value as number) - expected) < 1e-6 + 1e-9 * expected,
        `${total.value} for ${expected}`,
      );
      if (spans.some((span) => span.isReset && span.startMs === total.timeMs)) {
        assert.equal(total.value, 0);
        resets++;
      }
    }
    assert.equal(resets, 12);
  });
}

test('integrate(…, false) is the default', () => {
  assert.deepEqual(
    valuesOf(generate(['integrate(Flow, minute, false)']), 'Total'),
    valuesOf(generate(['integrate(Flow, minute)']), 'Total'),
  );
});

test('a tag may integrate an integral, in any order in the file, and a Boolean counts true as 1', () => {
  const steps = [
    { value: '1', duration: '10' },
    { value: '0', duration: '20' },
  ];
  const tags = [
    { name: 'Volume', values: ['integrate(Speed, second)'] },
    { name: 'Hours', values: ['integrate(Running, hour)'] },
    { name: 'Speed', values: ['integrate(Force, second)'] },
    { name: 'Force', values: ['flat(60, 2)'] },
    { name: 'Running', type: 'System.Boolean', values: ['step'] },
  ];
  const points = generatePoints(oneSequence({ steps, tags }), { cycles: 3 });
  assert.deepEqual(
    pointsOf(points, 'Hours').map((point) => point.value),
    [0, 0.166667, 0.166667, 0.333333, 0.333333, 0.5],
  );
  const speed = pointsOf(points, 'Speed');
  const volume = pointsOf(points, 'Volume');
  let expected = 0;
  for (const [index, point] of volume.entries()) {
    const before = speed[index - 1];
    if (before !== undefined) expected += ((before.value as number) * (point.timeMs - before.timeMs)) / 1000;
    assert.ok(Math.abs((point.value as number) - expected) < 1e-3, `${point.value} for ${expected}`);
  }
});

test('integrate goes on from what the tag had: after a number from there, after null from the total', () => {
  const steps = [1, 2, 3, 4].map((value) => ({ value: String(value), duration: '1' }));
  const tags = [
    { name: 'Flow', values: ['10'] },
    { name: 'Total', values: ['100', 'integrate(Flow, minute)', 'null', 'integrate(Flow, minute)'] },
  ];
  const points = generatePoints(oneSequence({ steps, tags }), { cycles: 2 });
  assert.deepEqual(valuesOf(points, 'Total'), [100, 100, null, 110, 100, 100, null, 110]);
});

test('integrate of an integer type is rounded, but not its running total', () => {
  const steps = [{ value: '0', duration: '1' }];
  const tags = [
    { name: 'Flow', values: ['0.4'] },
    { name: 'Total', type: 'System.Int64', values: ['integrate(Flow, minute)'] },
  ];
  const points = generatePoints(oneSequence({ steps, tags }), { cycles: 11 });
  assert.deepEqual(valuesOf(points, 'Total'), [0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]);
});

test('the tag name of integrate may contain placeholders with patterns', () => {
  const configuration = oneSequence({
    map: [{ name: 'Unit', data: '1-2' }],
    steps: [{ value: '0', duration: '1' }],
    tags: [
      { name: 'FL[Unit, 000].Flow', values: ['6'] },
      { name: 'FL[Unit, 000].Total', values: ['integrate(FL[Unit, 000].Flow, minute, false)'] },
    ],
  });
  const points = generatePoints(configuration, { cycles: 2 });
  assert.deepEqual(pointsOf(points, 'FL002.Total'), [
    { timeMs: START_MS, value: 0 },
    { timeMs: START_MS + MINUTE_MS, value: 6 },
  ]);
});
