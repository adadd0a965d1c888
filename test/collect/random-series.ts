// Exception rules on random series: what is stored is what the rules say, said plainly; the line between stored points passes every
// point within the deadband; and what is not stored is counted. Then the points and bytes that they save on the demo plant.
//
// Command: npm run campaign exceptions -- [--seed <n>] [--count <n>] [--extent slice|full]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ExceptionFilter, type ExceptionRules } from '../../collect/exception-filter.ts';
import { formatBody, type SourcePoint } from '../../collect/point.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { projectFolder } from '../support/server-process.ts';
import { generatePoints } from '../support/simulated-points.ts';

const TOLERANCE = 1e-9;
const DEMO_CYCLES = 3;
/** Deadbands as shares of the range of a tag's values. */
const DEMO_SHARES = [0.002, 0.005, 0.01, 0.02];

export function point(timeMs: number, number: number, quality = 192): SourcePoint {
  return { timeMs, ticks: 0, json: String(number), number, quality };
}

export function filter(points: readonly SourcePoint[], rules: ExceptionRules): SourcePoint[] {
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

/** What is wrong, in words; undefined where nothing is. */
function judgeReference(points: readonly SourcePoint[], rules: ExceptionRules): string | undefined {
  const filtered = new ExceptionFilter(rules);
  const stored = [...points.flatMap((one) => filtered.add(one)), ...filtered.flush()];
  const wanted = reference(points, rules);
  if (!isDeepStrictEqual(stored, wanted)) return `${stored.length} points are stored; want ${wanted.length}, or others`;
  if (stored.length + filtered.filteredCount !== points.length)
    return `${filtered.filteredCount} are counted as filtered`;
  return undefined;
}

function judgeLine(points: readonly SourcePoint[], rules: ExceptionRules): string | undefined {
  const stored = filter(points, rules);
  for (const one of points) {
    const right = stored.findIndex(({ timeMs }) => timeMs >= one.timeMs);
    const to = stored[right] as SourcePoint;
    const from = stored[Math.max(0, right - 1)] as SourcePoint;
    const share = to.timeMs === from.timeMs ? 1 : (one.timeMs - from.timeMs) / (to.timeMs - from.timeMs);
    const line = (from.number as number) + share * ((to.number as number) - (from.number as number));
    const distance = Math.abs(line - (one.number as number));
    if (distance > rules.deadband + TOLERANCE)
      return `a point is ${distance} off the line; want ${rules.deadband} at most`;
  }
  return undefined;
}

/** A trial is a series of each kind: of any quality and rules, and of good points that the line is drawn through. */
export function runSeries({ seed, count }: CampaignRun): CampaignReport {
  const random = new SeededRandom(seed);
  const failures: string[] = [];
  for (let i = 0; i < count; i++) {
    const deadband = random.unit() * 2;
    const longestMs = random.pick([5000, 1e9]);
    const wrong =
      judgeReference(randomSeries(random), { deadband, shortestMs: random.pick([0, 1500]), longestMs }) ??
      judgeLine(
        randomSeries(random).map((one) => ({ ...one, quality: 192 })),
        { deadband, shortestMs: 0, longestMs },
      );
    if (wrong !== undefined) failures.push(`seed ${seed}, series ${i}: ${wrong}`);
  }
  return { trials: count, failures };
}

/** Lines that say what is saved, one for each deadband. */
function describeDemoPlant(): string[] {
  const points = generatePoints(readFileSync(join(projectFolder, 'demo/plant.json'), 'utf8'), { cycles: DEMO_CYCLES });
  const series = [...points].flatMap(([tag, list]) => {
    const numbers = list.flatMap(({ timeMs, value }) => (typeof value === 'number' ? [point(timeMs, value)] : []));
    return numbers.length > 1 ? [{ tag, numbers }] : [];
  });
  return DEMO_SHARES.map((share) => {
    const all = { points: 0, bytes: 0 };
    const kept = { points: 0, bytes: 0 };
    for (const { tag, numbers } of series) {
      const values = numbers.map(({ number }) => number as number);
      const span = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
      const stored = filter(numbers, { deadband: span * share, shortestMs: 0, longestMs: 600_000 });
      for (const [sum, list] of [
        [all, numbers],
        [kept, stored],
      ] as const) {
        sum.points += list.length;
        sum.bytes += formatBody(list.map((one) => ({ tag, point: one }))).length;
      }
    }
    const percent = (part: number, whole: number): string => `${((1 - part / whole) * 100).toFixed(1)} %`;
    return (
      `demo plant, a deadband of ${share * 100} % of the range: ${kept.points} of ${all.points} points are stored, ` +
      `${percent(kept.points, all.points)} of the points and ${percent(kept.bytes, all.bytes)} of the bytes sent are saved`
    );
  });
}

export const COUNTS = { slice: 1000, full: 20_000 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'exceptions', counts: COUNTS }, async (run) => {
    const report = runSeries(run);
    for (const line of describeDemoPlant()) console.log(line);
    return report;
  });
