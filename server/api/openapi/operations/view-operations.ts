// The operations on saved views.

import type { Operation, Parameter } from '../operation.ts';

const definition = {
  kind: 'trend',
  name: 'Feed water',
  folder: 'Boilers/North',
  datasets: ['Plant'],
  content: { traces: [{ tag: 'Boiler.Temperature' }] },
};
const { content, ...shown } = definition;
const head = {
  id: '4f1d09a2b6c83e57d012',
  ...shown,
  owner: 'Line 4',
  changed: '2026-11-22T14:05:00.000Z',
  revision: 3,
  editable: true,
};
const first = { ...head, revision: 1 };

const ifMatch = (description: string): Parameter => ({
  name: 'If-Match',
  in: 'header',
  description,
  schema: { type: 'string' },
});

const body = {
  schema: 'View',
  description: 'The whole view. A key that is null counts as absent.',
  examples: { trend: definition },
} as const;

export const VIEW_OPERATIONS: readonly Operation[] = [
  {
    id: 'listViews',
    method: 'GET',
    path: '/api/views',
    group: 'Views',
    summary: 'List saved views',
    answers: [{ status: 200, description: 'All views, in no particular order.', schema: 'ViewList', example: [head] }],
    problems: [],
  },
  {
    id: 'createView',
    method: 'POST',
    path: '/api/views',
    group: 'Views',
    summary: 'Save a new view',
    body,
    answers: [
      {
        status: 201,
        description: 'Saved.',
        schema: 'ViewAnswer',
        example: { ...first, content },
        headers: ['ETag', 'Location'],
      },
    ],
    problems: [409, 413, 503, 507],
  },
  {
    id: 'getView',
    method: 'GET',
    path: '/api/views/{view}',
    group: 'Views',
    summary: 'Get a saved view',
    answers: [
      {
        status: 200,
        description: 'The view.',
        schema: 'ViewAnswer',
        example: { ...head, content },
        headers: ['ETag'],
      },
    ],
    problems: [404],
  },
  {
    id: 'changeView',
    method: 'PUT',
    path: '/api/views/{view}',
    group: 'Views',
    summary: 'Change a saved view',
    description: 'Whole. Its owner stays.',
    parameters: [ifMatch('The revision that is changed, as the ETag has it; `*` is any.')],
    body,
    answers: [
      {
        status: 200,
        description: 'Saved.',
        schema: 'ViewAnswer',
        example: { ...head, revision: 4, content },
        headers: ['ETag'],
      },
    ],
    problems: [404, 412, 413, 428, 503, 507],
  },
  {
    id: 'deleteView',
    method: 'DELETE',
    path: '/api/views/{view}',
    group: 'Views',
    summary: 'Delete a saved view',
    parameters: [ifMatch('Deletes only this revision; any when absent.')],
    answers: [{ status: 200, description: 'Deleted; empty body.' }],
    problems: [404, 412, 503],
  },
];
