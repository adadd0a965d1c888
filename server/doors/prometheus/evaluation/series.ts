// The series that selectors mean: a metric of a tag of a dataset, of those that the caller may read.

import { nonNumbers } from '../../../../engine/index.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import { MAX_STEPS, type Pattern } from '../../../patterns/pattern.ts';
import { shortened } from '../../../problem.ts';
import { createPacer } from '../../../process/pacer.ts';
import type { Service } from '../../../routes/service/service.ts';
import { EVERY_NAME, type NameTest, readableDatasets, tagsOf } from '../../readable/readable-tags.ts';
import { badQuery } from '../promql/bad-query.ts';
import { fits, type Matcher } from '../promql/promql.ts';

export const METRICS = {
  varve_value: 'The value in force of a tag: a number, or 0 and 1 for a Boolean.',
  varve_quality: 'The quality of the value in force: 192 and above is good, 64 to 191 uncertain, below 64 bad.',
} as const;
export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

export const LABELS = ['__name__', 'dataset', 'tag'] as const;

/** Steps of all patterns of a selector together: each name is matched with all of them in one turn. */
const MAX_SELECTOR_STEPS = 2 * MAX_STEPS;

const NAME_BYTES = 96;

export interface SeriesName {
  readonly metric: Metric;
  readonly dataset: string;
  readonly tag: string;
}

/**
 * The series that fit all matchers. Datasets and tags by name, metrics innermost. Lets others have turns. Throws a 400 for a
 * pattern that is none, and for too much of patterns.
 */
export async function* seriesOf(
  service: Service,
  { caller, request }: Pick<RouteContext, 'caller' | 'request'>,
  matchers: readonly Matcher[],
): AsyncGenerator<SeriesName> {
  await preparePatterns(matchers, () => request.aborted);
  if (request.aborted) return;
  if (matchers.length > 0 && matchers.every((matcher) => fits(matcher, ''))) {
    throw badQuery(`Every matcher of the selector takes an empty text, too; name a metric, a dataset or a tag.`);
  }
  const metrics = METRIC_NAMES.filter((name) => fitsAll(matchers, '__name__', name));
  const hasOthers = matchers.every(
    (matcher) => (LABELS as readonly string[]).includes(matcher.label) || fits(matcher, ''),
  );
  if (metrics.length === 0 || !hasOthers) return;
  const tagTest = testOf(matchers, 'tag');
  for (const dataset of await readableDatasets(service, caller, testOf(matchers, 'dataset'))) {
    for await (const { name: tag, type } of tagsOf(service.engine, dataset, tagTest, () => request.aborted)) {
      if (nonNumbers(type) !== undefined) continue;
      for (const metric of metrics) yield { metric, dataset, tag };
    }
  }
}

/** A turn each: to compile one takes some milliseconds. */
async function preparePatterns(matchers: readonly Matcher[], isAborted: () => boolean): Promise<void> {
  const pacer = createPacer();
  let steps = 0;
  for (const { wanted } of matchers) {
    if (typeof wanted === 'string' || wanted.texts !== undefined) continue;
    steps += stepsOf(wanted);
    if (steps > MAX_SELECTOR_STEPS) {
      throw badQuery(
        `The patterns of the selector come to more than ${MAX_SELECTOR_STEPS} steps together; want fewer or shorter ones.`,
      );
    }
    await pacer.yield();
    if (isAborted()) return;
  }
}

function stepsOf(pattern: Pattern): number {
  try {
    return pattern.prepare();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badQuery(`The pattern '${shortened(pattern.text, 100)}' is not possible: ${error.message}.`);
  }
}

/** About what a list of series holds of one: an object, its place in the list, and the text. */
export function heldBytesOf({ dataset, tag }: SeriesName): number {
  return NAME_BYTES + dataset.length + tag.length;
}

export function labelsOf({ metric, dataset, tag }: SeriesName): Record<string, string> {
  return { __name__: metric, dataset, tag };
}

function fitsAll(matchers: readonly Matcher[], label: string, value: string): boolean {
  return matchers.every((matcher) => matcher.label !== label || fits(matcher, value));
}

export function testOf(matchers: readonly Matcher[], label: string): NameTest {
  const own = matchers.filter((matcher) => matcher.label === label);
  if (own.length === 0) return EVERY_NAME;
  const lists = own.flatMap(({ isNot, wanted }) => (isNot ? [] : [listOf(wanted)]));
  const names = lists.find((list) => list !== undefined);
  return { names, matches: (name) => own.every((matcher) => fits(matcher, name)) };
}

function listOf(wanted: string | Pattern): readonly string[] | undefined {
  return typeof wanted === 'string' ? [wanted] : wanted.texts;
}
