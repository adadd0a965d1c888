// What is done with the series of a selection: arithmetic with a number, and series put together by their labels.

import type { RouteContext } from '../../../http/routing/router.ts';
import { createPacer, type Pacer } from '../../../process/pacer.ts';
import { calculate, type Operation } from '../promql/promql.ts';
import { Group, groupBytes } from './group.ts';
import type { Series } from './one-series.ts';

/** Looks at the pacer are this far apart: a remainder of large numbers takes half a microsecond. */
const VALUES_A_LOOK = 256;

type AllSeries = AsyncGenerator<Series>;

/** What is computed is no longer the metric. */
export async function* dropName(all: AllSeries): AllSeries {
  for await (const { labels, values, present } of all) {
    const { __name__: _, ...others } = labels;
    yield { labels: others, values, present };
  }
}

export async function* withNumber(all: AllSeries, operation: Operation & { kind: 'number' }): AllSeries {
  const pacer = createPacer();
  for await (const { labels, values, present } of dropName(all)) {
    for (let from = 0; from < values.length; from += VALUES_A_LOOK) {
      calculateAll(values.subarray(from, from + VALUES_A_LOOK), operation);
      if (pacer.isDue()) await pacer.yield();
    }
    yield { labels, values, present };
  }
}

function calculateAll(values: Float64Array, { sign, number, isLeft }: Operation & { kind: 'number' }): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    values[i] = isLeft ? calculate(sign, number, value) : calculate(sign, value, number);
  }
}

/** One series for each combination of the labels, or one of all. */
export async function* combine(
  all: AllSeries,
  { aggregator, by }: Operation & { kind: 'aggregate' },
  { pacer, call }: { readonly pacer: Pacer; readonly call: Pick<RouteContext, 'request'> },
): AllSeries {
  const { memory } = call.request;
  const groups = new Map<string, Group>();
  for await (const series of all) {
    const { labels, values } = series;
    const own = Object.fromEntries(
      by.filter((label) => labels[label] !== undefined).map((label) => [label, labels[label] as string]),
    );
    const key = JSON.stringify(own);
    let group = groups.get(key);
    if (group === undefined) {
      memory.take(groupBytes(key, values.length));
      group = new Group(own, aggregator, values.length);
      groups.set(key, group);
    }
    group.add(series);
  }
  for (const group of groups.values()) {
    yield group.result();
    if (pacer.isDue()) await pacer.yield();
  }
}
