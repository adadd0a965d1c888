// The operations on tags.

import type { Operation } from '../operation.ts';

const temperature = {
  n: 'Boiler.Temperature',
  d: 'Water temperature',
  f: '0.0',
  u: { '1': '°C' },
  fl: { Area: 'Utilities' },
  t: 'System.Double',
};
const state = { n: 'Boiler.State', u: { '0': 'Off', '1': 'On' }, t: 'System.Int32' };
const systemTag = { n: 'Size', u: { '1': 'GB' }, t: 'System.Double' };

export const TAG_OPERATIONS: readonly Operation[] = [
  {
    id: 'listTags',
    method: 'GET',
    path: '/api/datasets/{dataset}/tags',
    group: 'Tags',
    summary: 'List tags',
    parameters: [
      {
        name: 'contains',
        in: 'query',
        description: 'Only tags with this in their name; case does not matter.',
        schema: { type: 'string' },
        example: 'boiler',
      },
      {
        name: 'limit',
        in: 'query',
        description: 'At most so many user tags, and so many system tags: the first ones by name.',
        schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      },
    ],
    answers: [
      {
        status: 200,
        description: "User tags and the server's own tags, each sorted by name.",
        schema: 'TagList',
        example: { User: [state, temperature], System: [systemTag] },
      },
    ],
    problems: [400, 404],
  },
  {
    id: 'postTags',
    method: 'POST',
    path: '/api/datasets/{dataset}/tags',
    group: 'Tags',
    summary: 'Create or update tags; or delete tags',
    description:
      'An array of tags creates and changes: fields present replace, fields absent stay. An array of names deletes. The dataset is created when missing.',
    body: {
      schema: 'TagPost',
      description: 'Tags, or names; never both. A key of a tag that is null counts as absent.',
      examples: { define: [temperature, state], delete: ['Boiler.State'] },
    },
    answers: [{ status: 200, description: 'Done; empty body.' }],
    problems: [400, 404, 413, 507],
  },
  {
    id: 'deleteTags',
    method: 'DELETE',
    path: '/api/datasets/{dataset}/tags',
    group: 'Tags',
    summary: 'Delete tags and their data',
    body: { schema: 'TagNames', description: 'Names of tags.', examples: { one: ['Boiler.State'] } },
    answers: [{ status: 200, description: 'Deleted; empty body.' }],
    problems: [400, 404, 413],
  },
  {
    id: 'getTag',
    method: 'GET',
    path: '/api/datasets/{dataset}/tags/{tagname}',
    group: 'Tags',
    summary: 'Get a tag',
    answers: [{ status: 200, description: 'The tag.', schema: 'TagAnswer', example: temperature }],
    problems: [404],
  },
  {
    id: 'postTag',
    method: 'POST',
    path: '/api/datasets/{dataset}/tags/{tagname}',
    group: 'Tags',
    summary: 'Create or update a tag',
    description: '`n` must equal the name in the path. The dataset is created when missing.',
    body: { schema: 'Tag', description: 'A key that is null counts as absent.', examples: { temperature } },
    answers: [{ status: 200, description: 'Done; empty body.' }],
    problems: [400, 413, 507],
  },
  {
    id: 'deleteTag',
    method: 'DELETE',
    path: '/api/datasets/{dataset}/tags/{tagname}',
    group: 'Tags',
    summary: 'Delete a tag and its data',
    answers: [{ status: 200, description: 'Deleted; empty body.' }],
    problems: [400, 404],
  },
  {
    id: 'renameTag',
    method: 'POST',
    path: '/api/datasets/{dataset}/tags/{tagname}/rename',
    group: 'Tags',
    summary: 'Rename a tag',
    description:
      'The tag keeps its points, corrections and annotations. Reads by the former name find it; writes under the former name go to it with `forward`, and are refused else.',
    body: {
      schema: 'TagRename',
      description: 'The new name, and what becomes of the former one.',
      examples: { month: { name: 'Boiler.Feed', forward: true, keep: 30 } },
    },
    answers: [{ status: 200, description: 'Renamed, and durable; empty body.' }],
    problems: [400, 404, 409, 413, 507],
  },
];
