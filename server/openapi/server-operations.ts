// The operations on the server itself: its pages and whether it is up.

import type { Operation } from './operation.ts';

export const SERVER_OPERATIONS: readonly Operation[] = [
  {
    id: 'startPage',
    method: 'GET',
    path: '/',
    group: 'Server',
    summary: 'A page that lists the datasets',
    answers: [{ status: 200, description: 'HTML.', mediaType: 'text/html' }],
    problems: [],
  },
  {
    id: 'helpPage',
    method: 'GET',
    path: '/api/help',
    group: 'Server',
    summary: 'This documentation as a page',
    answers: [{ status: 200, description: 'HTML.', mediaType: 'text/html' }],
    problems: [],
  },
  {
    id: 'helpFile',
    method: 'GET',
    path: '/api/help/{file}',
    group: 'Server',
    summary: 'A file of the documentation page',
    answers: [{ status: 200, description: 'Script, style or icon.', mediaType: 'application/octet-stream' }],
    problems: [404],
  },
  {
    id: 'openApi',
    method: 'GET',
    path: '/api/v1.json',
    group: 'Server',
    summary: 'This description, in OpenAPI 3.1',
    answers: [{ status: 200, description: 'An OpenAPI document.', mediaType: 'application/json' }],
    problems: [],
  },
  {
    id: 'health',
    method: 'GET',
    path: '/health',
    group: 'Server',
    summary: 'Is the process alive?',
    answers: [{ status: 200, description: 'It is.', schema: 'Health', example: { status: 'alive' } }],
    problems: [],
  },
  {
    id: 'ready',
    method: 'GET',
    path: '/ready',
    group: 'Server',
    summary: 'Does the server serve?',
    answers: [
      {
        status: 200,
        description: 'It does.',
        schema: 'Ready',
        example: { status: 'ready', progress: 'serving 3 datasets' },
      },
      {
        status: 503,
        description: 'Not yet, or no longer.',
        schema: 'Ready',
        example: { status: 'starting', progress: 'opening the data folder' },
      },
    ],
    problems: [],
  },
];
