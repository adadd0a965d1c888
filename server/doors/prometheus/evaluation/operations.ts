// What is done with the series of a selection: arithmetic with a number, and series put together by their labels.

import { createPacer, type Pacer } from '../../../process/pacer.ts';
import { type Aggregator, calculate, type Operation } from '../promql/promql.ts';

/** NaN where there is no value. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Float64Array;
}

/** Looks at the pacer are this far apart: a remainder of large numbers takes half a microsecond. */
const VALUES_A_LOOK = 256;

type AllSeries = AsyncGenerator<Series>;

/** What is computed is no longer the metric. */
export async function* dropName(all: AllSeries): AllSeries {
  for await (const { labels, values } of all) {
    const { __name__: _, ...others } = labels;
    yield { labels: others, values };
  }
}

export async function* withNumber(all: AllSeries, operation: Operation & { kind: 'number' }): AllSeries {
  const pacer = createPacer();
  for await (const { labels, values } of dropName(all)) {
    for (let from = 0; from < values.length; from += VALUES_A_LOOK) {
      calculateAll(values.subarray(from, from + VALUES_A_LOOK), operation);
      if (pacer.isDue()) await pacer.yield();
    }
    yield { labels, values };
  }
}

function calculateAll(values: Float64Array, { sign, number, isLeft }: Operation & { kind: 'number' }): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    values[i] = isLeft ? calculate(sign, number, value) : calculate(sign, value, number);
  }
}

interface Group {
  readonly labels: Readonly<Record<string, string>>;
  readonly results: Float64Array;
  readonly counts: Int32Array;
}

/** One series for each combination of the labels, or one of all. */
export async function* combine(
  all: AllSeries,
  { aggregator, by }: Operation & { kind: 'aggregate' },
  { pacer }: { readonly pacer: Pacer },
): AllSeries {
  const groups = new Map<string, Group>();
  for await (const { labels, values } of all) {
    const own = Object.fromEntries(
      by.filter((label) => labels[label] !== undefined).map((label) => [label, labels[label] as string]),
    );
    const key = JSON.stringify(own);
    const group = groups.get(key) ?? {
      labels: own,
      results: new Float64Array(values.length).fill(Number.NaN),
      counts: new Int32Array(values.length),
    };
    groups.set(key, group);
    addTo(group, values, aggregator);
  }
  for (const { labels, results, counts } of groups.values()) {
    for (let i = 0; i < results.length; i++) {
      if (aggregator === 'avg') results[i] = (results[i] as number) / (counts[i] as number);
      else if (aggregator === 'count') results[i] = (counts[i] as number) || Number.NaN;
    }
    yield { labels, values: results };
    if (pacer.isDue()) await pacer.yield();
  }
}

function addTo({ results, counts }: Group, values: Float64Array, aggregator: Aggregator): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    const before = results[i] as number;
    results[i] = counts[i] === 0 ? value : joined(before, value, aggregator);
    counts[i] = (counts[i] as number) + 1;
  }
}

function joined(before: number, value: number, aggregator: Aggregator): number {
  if (aggregator === 'min') return Math.min(before, value);
  return aggregator === 'max' ? Math.max(before, value) : before + value;
}
