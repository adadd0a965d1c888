// The operations that correct points of the past.

import type { Operation, Parameter } from '../operation.ts';
import { TAGNAME_PARAMETER, TIME_PARAMETERS } from '../parameters.ts';

const REASON: Parameter = {
  name: 'reason',
  in: 'query',
  description: 'Why, in words: kept with the correction.',
  schema: { type: 'string', maxLength: 1000 },
  example: 'Sensor was being calibrated',
};

const corrected = {
  id: 7,
  tag: 'Boiler.Temperature',
  kind: 'replace',
  start: '2024-01-01T00:10:00.000Z',
  end: '2024-01-01T00:20:00.000Z',
  points: 1,
  at: '2024-01-02T08:00:00.000Z',
  by: 'shift-lead',
  reason: 'Sensor was being calibrated',
  undone: null,
} as const;

export const CORRECTION_OPERATIONS: readonly Operation[] = [
  {
    id: 'listCorrections',
    method: 'GET',
    path: '/api/datasets/{dataset}/corrections',
    group: 'Data',
    summary: 'List corrections of points',
    description: 'Newest first, those that were undone with them. For the next page give the last `id` as `before`.',
    parameters: [
      { ...TAGNAME_PARAMETER, isRequired: false, description: 'Only those of one tag.' },
      {
        name: 'before',
        in: 'query',
        description: 'Only those with a smaller id.',
        schema: { type: 'integer', minimum: 1 },
      },
      {
        name: 'limit',
        in: 'query',
        description: 'At most so many.',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      },
    ],
    answers: [{ status: 200, description: 'The corrections.', schema: 'CorrectionList', example: [corrected] }],
    problems: [400, 404],
  },
  {
    id: 'correctPoints',
    method: 'POST',
    path: '/api/datasets/{dataset}/corrections',
    group: 'Data',
    summary: 'Correct points of the past',
    description:
      'Reads see the correction from then on; what is stored stays, and undoing brings it back. The body has the points as for writing to one tag, none for `delete`.',
    parameters: [
      { ...TAGNAME_PARAMETER, description: 'The tag.' },
      {
        name: 'kind',
        in: 'query',
        description:
          '`delete`: the points of the range are not read any more; `replace`: those of the body are read instead; `insert`: those of the body are read besides, and instead of those of exactly their times.',
        isRequired: true,
        schema: { enum: ['delete', 'replace', 'insert'] },
        example: 'replace',
      },
      ...TIME_PARAMETERS,
      REASON,
      {
        name: 'preview',
        in: 'query',
        description: '`true` only says what the correction would do.',
        schema: { enum: ['true', 'false'] },
      },
    ],
    body: {
      schema: 'TvqList',
      description: 'The points, at most 10,000, each with its time.',
      examples: { one: [{ t: '2024-01-01T00:10:00Z', v: 71.5, q: 192 }] },
      isMsgpack: true,
    },
    answers: [
      { status: 200, description: 'A preview.', schema: 'CorrectionPreview', example: { hidden: 60, added: 1 } },
      {
        status: 201,
        description: 'Corrected.',
        schema: 'CorrectionReceipt',
        example: { ...corrected, hidden: 60, added: 1 },
        headers: ['Location'],
      },
    ],
    problems: [400, 404, 413, 507],
  },
  {
    id: 'getCorrection',
    method: 'GET',
    path: '/api/datasets/{dataset}/corrections/{correction}',
    group: 'Data',
    summary: 'Get a correction',
    answers: [{ status: 200, description: 'The correction.', schema: 'Correction', example: corrected }],
    problems: [404],
  },
  {
    id: 'undoCorrection',
    method: 'POST',
    path: '/api/datasets/{dataset}/corrections/{correction}/undo',
    group: 'Data',
    summary: 'Undo a correction',
    description: 'Reads see what they would without it. Only once.',
    parameters: [REASON],
    answers: [
      {
        status: 200,
        description: 'Undone.',
        schema: 'Correction',
        example: { ...corrected, undone: { at: '2024-01-03T08:00:00.000Z', by: 'shift-lead', reason: '' } },
      },
    ],
    problems: [404, 409, 507],
  },
];
