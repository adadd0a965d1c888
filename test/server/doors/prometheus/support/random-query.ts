// Random queries of what docs/grafana.md says is possible, each with what Prometheus has to be asked for the same.

import type { SeededRandom } from '../../../../support/seeded-random.ts';

export interface QueryPair {
  readonly varve: string;
  readonly prometheus: string;
}

/** Whether both find the same bits: sums and powers may differ in the last ones, which a remainder would make much of. */
type Exactness = 'exact' | 'rounded';

interface Vector extends QueryPair {
  readonly exactness: Exactness;
}

const MAX_DEPTH = 4;
const SELECTORS = [
  'varve_value{dataset="P",tag="Flow"}',
  'varve_value{tag="Counter"}',
  'varve_value{dataset=~"P|Q"}',
  "varve_value{dataset='Q', tag=~'F.*|On',}",
  'varve_value{tag!="Flow"}',
  'varve_value{tag!~"C.*", dataset=`P`}',
  '{__name__="varve_value",dataset="P"}',
  'varve_quality{tag="Flow"}',
  'varve_quality',
  'varve_value{tag="\\x46\\u006cow"}',
  'varve_value{none="",dataset!="none"}',
  'varve_value{tag="none"}',
] as const;
const COUNTERS = ['varve_value{tag="Counter"}', 'varve_value{dataset="Q",tag=~"Count.*"}'] as const;
const NUMBERS = [
  '2',
  '0755',
  '08',
  '0x1F',
  '0xaB',
  '.5',
  '1e3',
  '-3',
  '0',
  '1.25e-2',
  'Inf',
  'NaN',
  '-inf',
  '0777.5',
] as const;
const WINDOWS = [
  ['7s', 7],
  ['1m', 60],
  ['4m59s', 299],
  ['10m', 600],
] as const;
const LABELS = ['dataset', 'tag', '__name__', 'none'] as const;

const SIGNS = ['+', '-', '*', '/', '%', '^'] as const;

/** Whether there may be a remainder of a power then. */
function makesMuchOfPowers(sign: string, others: string): boolean {
  return (sign === '%' && others.includes('^')) || (sign === '^' && others.includes('%'));
}

/** A number, a selection, or what can be made of one. */
export function randomQuery(random: SeededRandom): QueryPair {
  if (random.chance(0.05)) return same(randomNumber(random, 3));
  return vector(random, 0);
}

function same(text: string): QueryPair {
  return { varve: text, prometheus: text };
}

function randomNumber(random: SeededRandom, depth: number): string {
  if (depth === 0 || random.chance(0.5)) return random.pick(NUMBERS);
  const [left, right] = [randomNumber(random, depth - 1), randomNumber(random, depth - 1)];
  const sign = random.pick(SIGNS.filter((one) => !makesMuchOfPowers(one, left + right)));
  return random.chance(0.5) ? `(${left} ${sign} ${right})` : `${left} ${sign} ${right}`;
}

function vector(random: SeededRandom, depth: number): Vector {
  if (depth >= MAX_DEPTH || random.chance(0.3)) return leaf(random);
  const inner = vector(random, depth + 1);
  if (random.chance(0.15)) return wrapped(inner, (text) => `(${text})`);
  if (random.chance(0.15)) return wrapped(inner, (text) => `-(${text})`);
  if (random.chance(0.45)) return aggregated(random, inner);
  return withNumber(random, inner);
}

function wrapped(inner: Vector, wrap: (text: string) => string, exactness = inner.exactness): Vector {
  return { varve: wrap(inner.varve), prometheus: wrap(inner.prometheus), exactness };
}

function aggregated(random: SeededRandom, inner: Vector): Vector {
  const name = random.pick(['sum', 'avg', 'min', 'max', 'count', 'SUM']);
  const labels = LABELS.filter(() => random.chance(0.4)).join(', ');
  const by = `${random.pick(['by', 'BY'])} (${labels})`;
  const form = random.below(3);
  const isSum = name.toLowerCase() === 'sum' || name === 'avg';
  return wrapped(
    inner,
    (text) => {
      if (form === 0) return `${name}(${text})`;
      return form === 1 ? `${name} ${by} (${text})` : `${name}(${text}) ${by}`;
    },
    isSum ? 'rounded' : inner.exactness,
  );
}

function withNumber(random: SeededRandom, inner: Vector): Vector {
  const number = randomNumber(random, 1);
  const sign = random.pick(inner.exactness === 'exact' ? SIGNS : SIGNS.slice(0, 4));
  const isLeft = random.chance(0.4);
  const exactness = sign === '^' ? 'rounded' : inner.exactness;
  // Both sides in brackets half of the time; else the order of the signs decides.
  const hasBrackets = random.chance(0.5) || inner.exactness === 'rounded' || makesMuchOfPowers(sign, number);
  const right = (text: string): string => (hasBrackets ? `(${text}) ${sign} (${number})` : `${text} ${sign} ${number}`);
  const left = (text: string): string => (hasBrackets ? `(${number}) ${sign} (${text})` : `${number} ${sign} ${text}`);
  return wrapped(inner, isLeft ? left : right, hasBrackets ? exactness : 'rounded');
}

function leaf(random: SeededRandom): Vector {
  const selector = random.pick(SELECTORS);
  if (random.chance(0.4)) return { ...same(selector), exactness: 'exact' };
  const [window, windowS] = random.pick(WINDOWS);
  const name = random.pick([
    'last_over_time',
    'count_over_time',
    'min_over_time',
    'max_over_time',
    'avg_over_time',
    'delta',
    'rate',
  ] as const);
  const of = name === 'rate' ? random.pick(COUNTERS) : selector;
  const exactness = name === 'avg_over_time' || name === 'rate' ? 'rounded' : 'exact';
  return { varve: `${name}(${of}[${window}])`, prometheus: EQUIVALENTS[name](of, windowS), exactness };
}

/**
 * What Varve finds of a stretch, in Prometheus: values in force at each second, where points lie at whole seconds. The table
 * of docs/grafana.md has the same.
 */
const EQUIVALENTS = {
  // Stretches begin behind their start, as from Prometheus 3 on.
  last_over_time: (of: string, s: number) => `last_over_time(${of}[${s * 1000 - 1}ms])`,
  count_over_time: (of: string, s: number) => `count_over_time(${of}[${s * 1000 - 1}ms])`,
  min_over_time: (of: string, s: number) => `min_over_time(${of}[${s * 1000 + 500}ms:1s])`,
  max_over_time: (of: string, s: number) => `max_over_time(${of}[${s * 1000 + 500}ms:1s])`,
  avg_over_time: (of: string, s: number) => `avg_over_time(${of}[${s * 1000 - 500}ms:1s] offset 1s)`,
  delta: (of: string, s: number) => `(${of} - ${of} offset ${s}s)`,
  rate: (of: string, s: number) =>
    `(sum_over_time((${of} - ${of} offset 1s >= 0 or ${of} * 1)[${s * 1000 - 500}ms:1s]) / ${s})`,
} as const;
