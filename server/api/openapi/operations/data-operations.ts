// The operations on points and on the status of a dataset.

import type { Operation } from '../operation.ts';
import {
  EXPRESSION_NAME_PARAMETER,
  EXPRESSION_PARAMETER,
  LAST_EVENT_PARAMETER,
  MISSING_PARAMETER,
  PREFER_RECEIPT,
  PREFER_WRITE,
  READ_PARAMETERS,
  RECEIPT_HEADERS,
  SINCE_PARAMETER,
  TAGNAME_PARAMETER,
  TAGS_PARAMETER,
} from '../parameters.ts';

const points = [
  { t: '2024-01-01T00:00:00Z', v: 71.5, q: 192 },
  { t: '2024-01-01T00:00:10Z', v: 71.75, q: 192 },
];
const columns = { t: [1_704_067_200_000, 1_704_067_210_000], v: [71.5, 71.75], q: 192 };
const tagData = {
  t: { n: 'Boiler.Temperature', u: { '1': '°C' }, t: 'System.Double' },
  s: '2024-01-01T00:00:00.000Z',
  e: '2024-01-01T01:00:00.000Z',
  d: [
    { t: '2024-01-01T00:00:00.000Z', v: 71.5, q: 192 },
    { t: '2024-01-01T00:00:10.000Z', v: 71.75, q: 192 },
  ],
};
const multiTagData = { s: tagData.s, e: tagData.e, tl: [tagData] };
const counts = { written: 2, ignored: 0, repeated: 0, rejected: 0, expired: 0 };
const receipt = { ...counts, tags: { 'Boiler.Temperature': counts } };
const written = {
  status: 200,
  description: 'Stored; empty body, or the receipt with `Prefer: return=representation`.',
  schema: 'Receipt',
  example: receipt,
  headers: RECEIPT_HEADERS,
} as const;
const statusData = {
  t: { n: 'Status' },
  s: '2024-01-01T00:00:00.000Z',
  e: '2024-01-01T00:00:00.000Z',
  d: [{ t: '2024-01-01T00:00:00.000Z', v: null, q: 64 }],
};

const changes = {
  changes: [
    { id: 21, tag: { n: 'T1', t: 'System.Double' } },
    { id: 21, points: [{ t: '2024-01-01T00:00:00.000Z', v: 21.5, q: 192 }] },
  ],
  position: 'AQABAgMEBQYHCAkKCwwNDg8VAaCNBg',
  isMore: false,
};

export const DATA_OPERATIONS: readonly Operation[] = [
  {
    id: 'readTags',
    method: 'GET',
    path: '/api/datasets/{dataset}/data',
    group: 'Data',
    summary: 'Read data of several tags',
    description: 'Without times the newest point of each tag; with only an end the newest point at or before it.',
    parameters: [
      { ...TAGNAME_PARAMETER, isRequired: false },
      TAGS_PARAMETER,
      EXPRESSION_PARAMETER,
      EXPRESSION_NAME_PARAMETER,
      ...READ_PARAMETERS,
      MISSING_PARAMETER,
    ],
    answers: [
      {
        status: 200,
        description: 'One entry for each tag, in the order asked for.',
        schema: 'MultiTagData',
        example: multiTagData,
        isMsgpack: true,
        isRows: true,
        headers: ['Varve-Reduced'],
      },
    ],
    problems: [400, 404, 501],
  },
  {
    id: 'writeTags',
    method: 'POST',
    path: '/api/datasets/{dataset}/data',
    group: 'Data',
    summary: 'Write data of several tags',
    description:
      'Creates the dataset and unknown tags. One faulty point refuses the whole request, unless faulty points are left out (`Prefer: handling=lenient`, `--on-bad-point drop-point`).',
    parameters: [PREFER_WRITE],
    body: {
      schema: 'TvqMap',
      description: 'Points by tag name.',
      examples: { one: { 'Boiler.Temperature': points }, columns: { 'Boiler.Temperature': columns } },
      isMsgpack: true,
    },
    answers: [written],
    problems: [400, 404, 413, 415, 503, 507],
  },
  {
    id: 'cutTags',
    method: 'DELETE',
    path: '/api/datasets/{dataset}/data',
    group: 'Data',
    summary: 'Remove the points of tags from a time on',
    description: 'The way out when a wrong clock has put points far ahead and blocks a tag.',
    parameters: [TAGNAME_PARAMETER, ...READ_PARAMETERS.filter(({ name }) => /start$|^tz$/i.test(name)), PREFER_RECEIPT],
    answers: [
      {
        status: 200,
        description: 'Removed; empty body, or the count with `Prefer: return=representation`.',
        schema: 'CutReceipt',
        example: { removed: 12 },
        headers: ['Historian-Removed', 'Preference-Applied'],
      },
    ],
    problems: [400, 404, 507],
  },
  {
    id: 'readTag',
    method: 'GET',
    path: '/api/datasets/{dataset}/data/{tagname}',
    group: 'Data',
    summary: 'Read data of one tag',
    isDeprecated: true,
    parameters: READ_PARAMETERS,
    answers: [
      {
        status: 200,
        description: 'The points.',
        schema: 'TagData',
        example: tagData,
        isMsgpack: true,
        isRows: true,
        headers: ['Deprecation', 'Varve-Reduced'],
      },
    ],
    problems: [400, 404, 501],
  },
  {
    id: 'writeTag',
    method: 'POST',
    path: '/api/datasets/{dataset}/data/{tagname}',
    group: 'Data',
    summary: 'Write data of one tag',
    description:
      'Creates the dataset and the tag. One faulty point refuses the whole request, unless faulty points are left out (`Prefer: handling=lenient`, `--on-bad-point drop-point`).',
    parameters: [PREFER_WRITE],
    body: { schema: 'TagPoints', description: 'Points.', examples: { two: points, columns }, isMsgpack: true },
    answers: [written],
    problems: [400, 404, 413, 415, 503, 507],
  },
  {
    id: 'readTagsByBody',
    method: 'POST',
    path: '/api/datasets/{dataset}/read',
    group: 'Data',
    summary: 'Read data of many tags',
    description: 'The multiple-tag read with its parameters in a body: for lists of tags too long for a query.',
    body: {
      schema: 'ReadBody',
      description: 'The parameters of the read.',
      examples: {
        hour: { tagname: ['Boiler.Temperature'], start: '2024-01-01T00:00:00Z', end: '2024-01-01T01:00:00Z' },
      },
    },
    answers: [
      {
        status: 200,
        description: 'One entry for each tag, in the order asked for.',
        schema: 'MultiTagData',
        example: multiTagData,
        isMsgpack: true,
        isRows: true,
        headers: ['Varve-Reduced'],
      },
    ],
    problems: [400, 404, 413, 501],
  },
  {
    id: 'listen',
    method: 'GET',
    path: '/api/datasets/{dataset}/live',
    group: 'Data',
    summary: 'Listen to data as it is stored',
    description:
      'The newest point of each tag, then every point that is stored: server-sent events, without an end. A request that ' +
      'asks for a WebSocket (Upgrade: websocket) gets the same events as text messages {"event":…,"id":…,"data":…}.',
    parameters: [{ ...TAGNAME_PARAMETER, isRequired: false }, SINCE_PARAMETER, LAST_EVENT_PARAMETER],
    answers: [{ status: 200, description: 'Events.', mediaType: 'text/event-stream' }],
    problems: [400, 404, 503],
  },
  {
    id: 'readChanges',
    method: 'GET',
    path: '/api/datasets/{dataset}/changes',
    group: 'Data',
    summary: 'Read what has changed',
    description:
      'Tags, points, removals and corrections since the position of an earlier answer, or everything. A position of a dataset that is another one by now is answered 410: begin anew.',
    parameters: [
      { name: 'after', in: 'query', description: 'The `position` of an earlier answer.', schema: { type: 'string' } },
      {
        name: 'limit',
        in: 'query',
        description: 'Most points.',
        schema: { type: 'integer', minimum: 1, maximum: 100_000, default: 10_000 },
      },
      {
        name: 'wait',
        in: 'query',
        description: 'Seconds to wait until there is something.',
        schema: { type: 'integer', minimum: 0, maximum: 60, default: 0 },
      },
    ],
    answers: [{ status: 200, description: 'The changes.', schema: 'Changes', example: changes }],
    problems: [400, 404, 410],
  },
  {
    id: 'readChangesByBody',
    method: 'POST',
    path: '/api/datasets/{dataset}/changes',
    group: 'Data',
    summary: 'Read what has changed, with a long position',
    description: 'The parameters as a body: the position of very many tags does not fit in an address.',
    parameters: [],
    body: { schema: 'ChangesBody', description: 'The parameters.', examples: { begin: { limit: 1000 } } },
    answers: [{ status: 200, description: 'The changes.', schema: 'Changes', example: changes }],
    problems: [400, 404, 410, 413],
  },
  {
    id: 'readStatus',
    method: 'GET',
    path: '/api/datasets/{dataset}/status',
    group: 'Status',
    summary: 'Read the status of a dataset',
    description: 'The points of the system tag Status; with times its history.',
    parameters: READ_PARAMETERS,
    answers: [
      {
        status: 200,
        description: 'The statuses.',
        schema: 'TagData',
        example: statusData,
        isMsgpack: true,
        isRows: true,
        headers: ['Varve-Reduced'],
      },
    ],
    problems: [400, 404, 501],
  },
  {
    id: 'postStatus',
    method: 'POST',
    path: '/api/datasets/{dataset}/status',
    group: 'Status',
    summary: 'Post the status of a dataset',
    description: 'Marks the condition of the collector. 192 starts the watch of its heartbeat.',
    parameters: [PREFER_RECEIPT],
    body: {
      schema: 'StatusPost',
      description: 'One status or an array of them.',
      examples: { heartbeat: { q: 192 }, shutDown: [{ t: '2024-01-01T00:00:00Z', v: null, q: 28 }] },
    },
    answers: [{ ...written, example: { ...counts, written: 1, tags: { Status: { ...counts, written: 1 } } } }],
    problems: [400, 404, 413, 507],
  },
];
