// The tools that read points, and what is made of them.

import type { JsonObject } from '../../../api/validation/json-schema.ts';
import {
  datasetArgument,
  datasetOfCall,
  objectOf,
  rangeArguments,
  rangeQuery,
  requireAtMost,
  type Tool,
  type ToolCall,
  tagQuery,
  tagsArgument,
} from './tool.ts';

const DATA = 'GET /api/datasets/{dataset}/data';
const STATISTICS = 'GET /api/datasets/{dataset}/statistics';
const MOST_POINTS = 5000;
const USUAL_POINTS = 500;
const MOST_INTERVALS = 500;
const USUAL_INTERVALS = 100;

const POINT_FORM =
  'A point is t (time), v (value) and q (quality: 192 and above good, 64 to 191 uncertain, below bad).';

function read({ routes, outer }: ToolCall, given: JsonObject, query: readonly (readonly [string, string])[]) {
  const all = [...tagQuery(given), ...rangeQuery(given), ...query];
  return routes.call(outer, { route: DATA, dataset: datasetOfCall(given), query: all });
}

export const READING_TOOLS: readonly Tool[] = [
  {
    name: 'read_latest',
    title: 'Newest values',
    description: `The newest point of each tag; with \`at\` the one in force at that time. ${POINT_FORM}`,
    arguments: objectOf(
      {
        dataset: datasetArgument,
        tags: tagsArgument,
        at: { ...rangeArguments.start, description: 'A time: ISO 8601, or such as -8h.' },
      },
      ['dataset', 'tags'],
    ),
    role: 'read',
    run: (call, { at, ...given }) => read(call, at === undefined ? given : { ...given, end: at }, []),
  },
  {
    name: 'read_points',
    title: 'Points of a range',
    description: `The points of a range as they are, oldest first. An entry with \`next\` has more: give the texts as \`after\` with the same range. For more than a few hundred points use read_plot or read_aggregates. ${POINT_FORM}`,
    arguments: objectOf(
      {
        dataset: datasetArgument,
        tags: tagsArgument,
        ...rangeArguments,
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_POINTS,
          default: USUAL_POINTS,
          description: 'Points of each tag.',
        },
        after: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 50 },
        boundary: { enum: ['inside', 'carry'], description: '`carry` gives the point in force at the start first.' },
      },
      ['dataset', 'tags', 'start'],
    ),
    role: 'read',
    run(call, given) {
      const limit = (given.limit as number | undefined) ?? USUAL_POINTS;
      requireAtMost(limit * (given.tags as string[]).length, MOST_POINTS, 'points');
      const after = (given.after as string[] | undefined) ?? [];
      const query: [string, string][] = [
        ['limit', String(limit)],
        ...after.map((text) => ['after', text] as [string, string]),
      ];
      if (given.boundary !== undefined) query.push(['boundary', given.boundary as string]);
      return read(call, given, query);
    },
  },
  {
    name: 'read_plot',
    title: 'Shape of a range',
    description: `A long range reduced to a few points for each of so many equal intervals: every spike, gap and change of quality is still there. ${POINT_FORM}`,
    arguments: objectOf(
      {
        dataset: datasetArgument,
        tags: tagsArgument,
        ...rangeArguments,
        intervals: { type: 'integer', minimum: 1, maximum: MOST_INTERVALS, default: USUAL_INTERVALS },
      },
      ['dataset', 'tags', 'start'],
    ),
    role: 'read',
    run: (call, given) => {
      const intervals = (given.intervals as number | undefined) ?? USUAL_INTERVALS;
      requireAtMost(intervals * (given.tags as string[]).length, MOST_POINTS, 'intervals');
      return read(call, given, [
        ['points', String(intervals)],
        ['boundary', 'carry'],
      ]);
    },
  },
  {
    name: 'read_aggregates',
    title: 'Aggregates of intervals',
    description:
      'Functions over intervals by the rules of OPC UA Part 13, such as TimeAverage (the mean over time), Minimum, Maximum, Range, Total, Count, Delta, PercentGood, StandardDeviationSample, NumberOfTransitions. One entry for each tag and function (a).',
    arguments: objectOf(
      {
        dataset: datasetArgument,
        tags: tagsArgument,
        ...rangeArguments,
        functions: { type: 'array', items: { type: 'string', maxLength: 100 }, minItems: 1, maxItems: 10 },
        interval: {
          type: 'string',
          maxLength: 20,
          description: 'Such as 15m, 1h, 1d (calendar days in `tz`), 1M. The whole range is one interval when absent.',
        },
      },
      ['dataset', 'tags', 'start', 'functions'],
    ),
    role: 'read',
    run: (call, given) => {
      const query: [string, string][] = [['aggregate', (given.functions as string[]).join(',')]];
      if (given.interval !== undefined) query.push(['interval', given.interval as string]);
      return read(call, given, query);
    },
  },
  {
    name: 'read_statistics',
    title: 'Statistics of a range',
    description:
      'What there is to know of a range without its points: first, last, smallest and largest point, means, deviation, percentiles, share of good time, longest gap.',
    arguments: objectOf({ dataset: datasetArgument, tags: tagsArgument, ...rangeArguments }, [
      'dataset',
      'tags',
      'start',
    ]),
    role: 'read',
    run: ({ routes, outer }, given) =>
      routes.call(outer, {
        route: STATISTICS,
        dataset: datasetOfCall(given),
        query: [...tagQuery(given), ...rangeQuery(given)],
      }),
  },
  {
    name: 'read_states',
    title: 'Time in states',
    description:
      'How long a machine was in which state, how often it came into it and for which share of the time: of enumerations, booleans and texts with few values. One entry for each state and function (a: StateDuration in ms, StateCount, StatePercent).',
    arguments: objectOf(
      {
        dataset: datasetArgument,
        tags: tagsArgument,
        ...rangeArguments,
        interval: { type: 'string', maxLength: 20, description: 'Such as 1h or 1d. The whole range when absent.' },
      },
      ['dataset', 'tags', 'start'],
    ),
    role: 'read',
    run: (call, given) => {
      const query: [string, string][] = [['aggregate', 'StateDuration,StateCount,StatePercent']];
      if (given.interval !== undefined) query.push(['interval', given.interval as string]);
      return read(call, given, query);
    },
  },
];
