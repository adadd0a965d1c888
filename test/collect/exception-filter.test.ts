import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExceptionFilter, type ExceptionRules } from '../../collect/exception-filter.ts';
import type { SourcePoint } from '../../collect/point.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';

const SERIES = 1000;
const TOLERANCE = 1e-9;

function point(timeMs: number, number: number, quality = 192): SourcePoint {
  return { timeMs, ticks: 0, json: String(number), number, quality };
}

function filter(points: readonly SourcePoint[], rules: ExceptionRules): SourcePoint[] {
  const filtered = new ExceptionFilter(rules);
  return [...points.flatMap((one) => filtered.add(one)), ...filtered.flush()];
}

/** The rules said plainly: every point held back is looked at again for every new one. */
function reference(points: readonly SourcePoint[], { deadband, shortestMs, longestMs }: ExceptionRules): SourcePoint[] {
  const stored: SourcePoint[] = [];
  let held: SourcePoint[] = [];
  const isOnLine = (last: SourcePoint, next: SourcePoint): boolean => {
    if (Math.abs((next.number as number) - (last.number as number)) > deadband || next.timeMs === last.timeMs)
      return false;
    const slope = ((next.number as number) - (last.number as number)) / (next.timeMs - last.timeMs);
    return held
      .filter(({ timeMs }) => timeMs > last.timeMs && timeMs - last.timeMs >= shortestMs)
      .every(({ timeMs, number }) => {
        const low = ((number as number) - (last.number as number) - deadband) / (timeMs - last.timeMs);
        const high = ((number as number) - (last.number as number) + deadband) / (timeMs - last.timeMs);
        return slope >= low && slope <= high;
      });
  };
  for (const next of points) {
    const last = stored.at(-1);
    const isHeld =
      last !== undefined &&
      next.quality === last.quality &&
      (next.timeMs - last.timeMs < shortestMs || (isOnLine(last, next) && next.timeMs - last.timeMs < longestMs));
    if (isHeld) {
      held.push(next);
      continue;
    }
    const isLate = last !== undefined && next.quality === last.quality && isOnLine(last, next);
    const before = held.at(-1);
    if (before !== undefined && !isLate) stored.push(before);
    stored.push(next);
    held = [];
  }
  const rest = held.at(-1);
  return rest === undefined ? stored : [...stored, rest];
}

function randomSeries(random: SeededRandom): SourcePoint[] {
  let timeMs = 1_700_000_000_000;
  let value = 0;
  return Array.from({ length: random.between(2, 200) }, () => {
    timeMs += random.between(1, 2000);
    value += random.chance(0.05) ? random.between(-50, 50) : random.unit() - 0.5;
    return point(timeMs, value, random.chance(0.02) ? 64 : 192);
  });
}

test('what is stored of a thousand random series is what the plain rules say, and is counted', () => {
  const random = new SeededRandom(chooseSeed());
  for (let i = 0; i < SERIES; i++) {
    const points = randomSeries(random);
    const rules = {
      deadband: random.unit() * 2,
      shortestMs: random.pick([0, 1500]),
      longestMs: random.pick([5000, 1e9]),
    };
    const filtered = new ExceptionFilter(rules);
    const stored = [...points.flatMap((one) => filtered.add(one)), ...filtered.flush()];
    assert.deepEqual(stored, reference(points, rules), `seed ${random.seed}, series ${i}`);
    assert.equal(stored.length + filtered.filteredCount, points.length, `seed ${random.seed}, series ${i}`);
  }
});

test('the line between stored points passes every point within the deadband', () => {
  const random = new SeededRandom(chooseSeed());
  for (let i = 0; i < SERIES; i++) {
    const points = randomSeries(random).map((one) => ({ ...one, quality: 192 }));
    const rules = { deadband: random.unit() * 2, shortestMs: 0, longestMs: random.pick([5000, 1e9]) };
    const stored = filter(points, rules);
    for (const one of points) {
      const right = stored.findIndex(({ timeMs }) => timeMs >= one.timeMs);
      const to = stored[right] as SourcePoint;
      const from = stored[Math.max(0, right - 1)] as SourcePoint;
      const share = to.timeMs === from.timeMs ? 1 : (one.timeMs - from.timeMs) / (to.timeMs - from.timeMs);
      const line = (from.number as number) + share * ((to.number as number) - (from.number as number));
      const distance = Math.abs(line - (one.number as number));
      assert.ok(distance <= rules.deadband + TOLERANCE, `seed ${random.seed}, series ${i}: ${distance}`);
    }
  }
});

test('the point before a jump is stored with it', () => {
  const rules = { deadband: 1, shortestMs: 0, longestMs: 1e9 };
  const points = [point(0, 5), point(1000, 5.1), point(2000, 5), point(3000, 50)];
  assert.deepEqual(
    filter(points, rules).map(({ timeMs }) => timeMs),
    [0, 2000, 3000],
  );
});

test('a change of quality and a value that is no number are never held back', () => {
  const rules = { deadband: 10, shortestMs: 0, longestMs: 1e9 };
  const none = { timeMs: 2000, ticks: 0, json: 'null', number: undefined, quality: 0 };
  const points = [point(0, 5), point(1000, 5, 64), none, point(3000, 5)];
  assert.deepEqual(filter(points, rules), points);
});
