// Random series with bad and uncertain qualities, nulls, gaps, steps and equal times, in intervals whose ends lie in every
// relation to the points: the calculation against the plain reference. `npm run campaign aggregates -- --count 2000 --seed 1`.

import { AGGREGATE_NAMES, findAggregate } from '../../../engine/aggregates/aggregate-functions.ts';
import type { AggregateRules } from '../../../engine/aggregates/input/aggregate-rules.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../../support/campaign.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { PlainReference } from './plain-reference.ts';
import { aggregateSeries, type Result, type SeriesPoint } from './series.ts';

const NAMES = AGGREGATE_NAMES.filter((name) => findAggregate(name)?.basis !== 'state');
const QUALITIES = [192, 192, 192, 192, 193, 64, 100, 0, 24] as const;
const RELATIVE_TOLERANCE = 1e-9;
const MOST_FAULTS = 10;

export interface Verdict {
  readonly comparedCount: number;
  /** Chunks that were given as digests. */
  readonly digestCount: number;
  readonly faults: readonly string[];
}

/** Compares all functions on one random series; `spoil` alters the rules that the reference goes by. */
export function tryRandomSeries(seed: number, spoil: Partial<AggregateRules> = {}): Verdict {
  const random = new SeededRandom(seed);
  const draw = (count: number): number => random.below(count);
  const edges = drawEdges(draw);
  const points = drawPoints(draw, edges);
  const rules = drawRules(draw);
  const chunkPoints = 1 + draw(7);
  const usesDigests = draw(2) === 0;
  const { results, digestCount } = aggregateSeries(points, { names: NAMES, rules, edges, chunkPoints, usesDigests });
  const reference = new PlainReference(points, { ...rules, ...spoil });
  const faults: string[] = [];
  for (const [n, name] of NAMES.entries()) {
    for (let k = 0; k + 1 < edges.length; k++) {
      const got = (results[n] as Result[])[k] as Result;
      const want = reference.compute(name, edges[k] as number, edges[k + 1] as number);
      if (isSame(got, want, points)) continue;
      faults.push(
        `seed ${seed}: ${name} of [${edges[k]}, ${edges[k + 1]}): got ${JSON.stringify(got)}; want ${JSON.stringify(want)}; ${JSON.stringify({ rules, points, edges })}`,
      );
    }
  }
  return { comparedCount: NAMES.length * (edges.length - 1), digestCount, faults };
}

function drawEdges(draw: (count: number) => number): number[] {
  const count = 1 + draw(12);
  const spans = Array.from({ length: count }, () => 1 + draw(5));
  const isEven = draw(2) === 0;
  const edges = [0];
  for (const span of spans) edges.push((edges.at(-1) as number) + (isEven ? 4 : span) * 1000);
  return edges;
}

/** Times on the same raster as the ends of intervals, near them, or anywhere. */
function drawPoints(draw: (count: number) => number, edges: readonly number[]): SeriesPoint[] {
  const end = edges.at(-1) as number;
  const count = draw(4) === 0 ? draw(4) : draw(40);
  const times = Array.from({ length: count }, () => {
    const time = Math.floor((draw(1400) / 1000 - 0.2) * end);
    const kind = draw(4);
    if (kind === 0) return Math.round(time / 1000) * 1000;
    if (kind === 1) return (edges[draw(edges.length)] as number) + draw(3) - 1;
    return time;
  }).sort((a, b) => a - b);
  const isFlat = draw(3) === 0;
  const isGood = draw(3) === 0;
  return times.map((time) => {
    const value = isFlat ? draw(3) : draw(2001) / 10 - 100;
    if (isGood) return { time, value, quality: 192 };
    return { time, value: draw(12) === 0 ? null : value, quality: QUALITIES[draw(QUALITIES.length)] as number };
  });
}

function drawRules(draw: (count: number) => number): AggregateRules {
  const percents = [100, 100, 50, 80, 0] as const;
  return {
    isStepped: draw(2) === 0,
    treatUncertainAsBad: draw(2) === 0,
    percentGood: percents[draw(percents.length)] as number,
    percentBad: percents[draw(percents.length)] as number,
    extrapolatesSlope: draw(3) === 0,
  };
}

function isSame(got: Result, want: Result, points: readonly SeriesPoint[]): boolean {
  if (got.value === null || want.value === null)
    return got.value === want.value && (got.time ?? null) === (want.time ?? null);
  const scale = Math.max(1, Math.abs(want.value), ...points.map(({ value }) => Math.abs(value ?? 0)));
  const isClose = Math.abs(got.value - want.value) <= RELATIVE_TOLERANCE * scale * scale * Math.max(1, points.length);
  return isClose && got.status === want.status && (got.time === want.time || isClose);
}

/** Trials: what the tests run, and the whole, in series. */
export const COUNTS = { slice: 150, full: 2000 } as const;

/** Series with a seed each, one more than the last; ends at the first of them that differs. */
function compareSeries({ seed: first, count }: CampaignRun): Promise<CampaignReport> {
  let [trials, compared, digests] = [0, 0, 0];
  const failures: string[] = [];
  while (trials < count && failures.length === 0) {
    const { comparedCount, digestCount, faults } = tryRandomSeries((first + trials) >>> 0);
    compared += comparedCount;
    digests += digestCount;
    failures.push(...faults.slice(0, MOST_FAULTS));
    trials++;
  }
  console.log(`${compared} results compared, ${digests} digests of points taken`);
  return Promise.resolve({ trials, failures });
}

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'aggregates', counts: COUNTS }, compareSeries);
