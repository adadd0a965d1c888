// The tool that writes points; only callers who may write see it.

import { datasetArgument, datasetOfCall, objectOf, type Tool } from './tool.ts';

const MOST_POINTS = 1000;

export const WRITING_TOOL: Tool = {
  name: 'write_points',
  title: 'Write points',
  description:
    'Writes points of tags, all or none. Points that are not later than the newest of their tag are ignored, and counted so. Tags and datasets that are missing are made.',
  arguments: objectOf(
    {
      dataset: datasetArgument,
      points: {
        type: 'object',
        description:
          'By name of the tag: a list of points with t (ISO 8601; now when absent), v and q (192, good, when absent).',
        minProperties: 1,
        maxProperties: MOST_POINTS,
        additionalProperties: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_POINTS,
          items: objectOf({ t: { type: 'string', maxLength: 40 }, v: {}, q: { type: 'integer' } }, ['v']),
        },
      },
    },
    ['dataset', 'points'],
  ),
  role: 'write',
  run: ({ routes, outer }, given) =>
    routes.call(outer, {
      route: 'POST /api/datasets/{dataset}/data',
      dataset: datasetOfCall(given),
      body: given.points,
    }),
};
