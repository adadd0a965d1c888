// Random queries of the part of PromQL that Varve has, asked of Varve and of Prometheus with the same points: both give the
// same series with the same values, but for what the table in docs/grafana.md says, by which Prometheus is asked.
//
// Command: npm run campaign promql -- [--seed <n>] [--count <queries>] [--extent slice|full]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../../../support/campaign.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';
import { ServerProcess } from '../../../support/server-process.ts';
import { PrometheusProcess } from './support/prometheus-process.ts';
import { type QueryPair, randomQuery } from './support/random-query.ts';

const START_S = Date.UTC(2026, 0, 1) / 1000;
/** Queries ask for times at which every series has long begun. */
const FIRST_S = 1200;
const LAST_S = 3000;
const TOLERANCE = 1e-9;

interface Point {
  readonly s: number;
  readonly v: number;
  readonly q: number;
}

type Plant = ReadonlyMap<string, ReadonlyMap<string, readonly Point[]>>;
type Answer = ReadonlyMap<string, readonly (readonly [time: number, value: number])[]> | string;

export async function compareQueries({ seed, count }: CampaignRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const plant = makePlant(random);
  const folder = mkdtempSync(join(tmpdir(), 'varve-promql-'));
  const server = await ServerProcess.start();
  let prometheus: PrometheusProcess | undefined;
  const failures: string[] = [];
  let compared = 0;
  try {
    await writePlant(server.url, plant);
    prometheus = await PrometheusProcess.start(folder, samplesOf(plant));
    for (let i = 0; i < count; i++) {
      const query = randomQuery(random);
      const [failure, values] = await compareOne(random, query, {
        varve: `${server.url}/prometheus`,
        prometheus: prometheus.url,
      });
      compared += values;
      if (failure !== undefined) failures.push(`query ${i}: ${failure}`);
    }
  } finally {
    await prometheus?.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  if (compared < count) failures.push(`only ${compared} values of ${count} queries were compared`);
  return { trials: count, failures };
}

/** Values are multiples of an eighth, so that sums of them are exact. */
function makePlant(random: SeededRandom): Plant {
  const make = (next: (before: number) => number, qualities: readonly number[] = [192]): Point[] => {
    const points: Point[] = [];
    let v = 0;
    for (let s = random.below(60); s < 3600; s += 1 + random.below(random.chance(0.5) ? 5 : 60)) {
      v = next(v);
      points.push({ s, v, q: random.pick(qualities) });
    }
    return points;
  };
  const dataset = (): ReadonlyMap<string, readonly Point[]> =>
    new Map([
      ['Flow', make(() => (random.below(16_001) - 8000) / 8, [192, 192, 64])],
      ['Counter', make((v) => (random.chance(0.03) ? random.below(3) : v + random.below(80) / 8))],
      ['Zero', make(() => 0)],
      ['On', make(() => random.below(2))],
      ['F2', make((v) => (random.chance(0.5) ? v : random.below(9) - 4))],
    ]);
  return new Map([
    ['P', dataset()],
    ['Q', dataset()],
  ]);
}

async function writePlant(url: string, plant: Plant): Promise<void> {
  for (const [dataset, tags] of plant) {
    const body = Object.fromEntries(
      [...tags].map(([tag, points]) => [
        tag,
        points.map(({ s, v, q }) => ({ t: (START_S + s) * 1000, v: tag === 'On' ? v === 1 : v, q })),
      ]),
    );
    const answer = await fetch(`${url}/api/datasets/${dataset}/data`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

function samplesOf(plant: Plant): string {
  const metric = (name: string, of: (point: Point) => number): string =>
    `# TYPE ${name} gauge\n${[...plant]
      .flatMap(([dataset, tags]) =>
        [...tags].flatMap(([tag, points]) =>
          points.map((point) => `${name}{dataset="${dataset}",tag="${tag}"} ${of(point)} ${START_S + point.s}\n`),
        ),
      )
      .join('')}`;
  return metric('varve_value', ({ v }) => v) + metric('varve_quality', ({ q }) => q);
}

/** What differs, and how many values there were. */
async function compareOne(
  random: SeededRandom,
  query: QueryPair,
  urls: { readonly varve: string; readonly prometheus: string },
): Promise<[string | undefined, number]> {
  const from = START_S + FIRST_S + random.below(LAST_S - FIRST_S);
  const isRange = random.chance(0.5);
  const to = from + random.below(300);
  const times = isRange ? { start: from, end: to, step: 1 + random.below(90) } : { time: from };
  const path = `/api/v1/query${isRange ? '_range' : ''}`;
  const [own, other] = await Promise.all([
    ask(urls.varve + path, { query: query.varve, ...times }),
    ask(urls.prometheus + path, { query: query.prometheus, ...times }),
  ]);
  const what = difference(own, other);
  const values = typeof own === 'string' ? 0 : [...own.values()].reduce((sum, list) => sum + list.length, 0);
  if (what === undefined) return [undefined, values];
  return [`${query.varve} ${JSON.stringify(times)}: ${what} (Prometheus: ${query.prometheus})`, values];
}

interface Sampled {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: [number, string];
  readonly values?: [number, string][];
}

async function ask(url: string, fields: Readonly<Record<string, string | number>>): Promise<Answer> {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await fetch(url, { method: 'POST', body: form });
  const body = (await answer.json()) as {
    status: string;
    errorType?: string;
    data: { resultType: string; result: unknown };
  };
  if (body.status !== 'success') return `${body.errorType}`;
  const { resultType, result } = body.data;
  if (resultType === 'scalar') return new Map([['', numbersOf([result as [number, string]])]]);
  return new Map(
    (result as Sampled[]).map(({ metric, value, values = [] }) => [
      JSON.stringify(Object.entries(metric).sort()),
      numbersOf(value === undefined ? values : [value]),
    ]),
  );
}

function numbersOf(values: readonly [number, string][]): [number, number][] {
  return values.map(([time, text]) => [time, Number(text.replace('Inf', 'Infinity'))]);
}

function difference(own: Answer, other: Answer): string | undefined {
  if (typeof own === 'string' || typeof other === 'string') {
    return own === other ? undefined : `${shown(own)}, want ${shown(other)}`;
  }
  for (const labels of new Set([...own.keys(), ...other.keys()])) {
    const [mine, wanted] = [own.get(labels), other.get(labels)];
    if (mine === undefined || wanted === undefined)
      return `${labels} is ${mine === undefined ? 'missing' : 'too much'}`;
    if (mine.length !== wanted.length) return `${labels} has ${mine.length} values, want ${wanted.length}`;
    for (const [i, [time, value]] of mine.entries()) {
      const [wantedTime, wantedValue] = wanted[i] as [number, number];
      if (time !== wantedTime || !isClose(value, wantedValue)) {
        return `${labels} has ${value} at ${time}, want ${wantedValue} at ${wantedTime}`;
      }
    }
  }
  return undefined;
}

function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || a === b || Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}

function shown(answer: Answer): string {
  return typeof answer === 'string' ? answer : `${answer.size} series`;
}

/** Queries: what the tests ask, and the whole. */
export const COUNTS = { slice: 150, full: 2000 } as const;

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'promql', counts: COUNTS }, compareQueries);
