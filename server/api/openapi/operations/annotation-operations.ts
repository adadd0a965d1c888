// The operations on annotations.

import type { Operation, Parameter } from '../operation.ts';
import { TIME_PARAMETERS } from '../parameters.ts';

const LIST = '/api/datasets/{dataset}/annotations';
const ONE = '/api/datasets/{dataset}/annotations/{annotation}';

const definition = {
  start: '2026-01-05T09:12:00.000Z',
  end: '2026-01-05T09:40:00.000Z',
  tag: 'Boiler.Temperature',
  text: 'Burner 2 tripped; restarted by hand.',
};
const created = '2026-01-05T09:55:10.000Z';
const first = { id: 17, ...definition, author: 'Line 4', created, changed: created, revision: 1 };
const changed = { ...first, changedBy: 'Line 5', changed: '2026-01-05T10:02:00.000Z', revision: 2 };

const ifMatch = (description: string): Parameter => ({
  name: 'If-Match',
  in: 'header',
  description,
  schema: { type: 'string' },
});

const body = {
  schema: 'Annotation',
  description: 'The whole annotation. A key that is null counts as absent.',
  examples: { range: definition, time: { start: definition.start, text: 'Shift change' } },
} as const;

/** Parameters of the list. */
const PARAMETERS: readonly Parameter[] = [
  ...TIME_PARAMETERS.map((one) =>
    one.name === 'end'
      ? {
          ...one,
          description: 'Last time, inclusive: ISO 8601. Without one there is no end, nor a start without a start.',
        }
      : one,
  ),
  {
    name: 'tagname',
    in: 'query',
    description: 'Only those of this tag; repeat it for several. Empty: those of the whole dataset.',
    schema: { type: 'array', items: { type: 'string' } },
  },
  {
    name: 'contains',
    in: 'query',
    description: 'Only those with this in their text; case does not matter.',
    schema: { type: 'string' },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'At most so many; the answer then has `next`.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  },
  {
    name: 'after',
    in: 'query',
    description: 'Goes on behind an earlier answer: its `next`.',
    schema: { type: 'string' },
  },
  {
    name: 'format',
    in: 'query',
    description: '`csv` gives all of them as a file for a spreadsheet.',
    schema: { enum: ['json', 'csv'], default: 'json' },
  },
];

export const ANNOTATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'listAnnotations',
    method: 'GET',
    path: LIST,
    group: 'Annotations',
    summary: 'List annotations',
    description: 'Those that touch the range, by start; all of them without one.',
    parameters: PARAMETERS,
    answers: [
      {
        status: 200,
        description: 'By start.',
        schema: 'AnnotationList',
        example: { annotations: [changed] },
        isCsv: true,
      },
    ],
    problems: [404],
  },
  {
    id: 'createAnnotation',
    method: 'POST',
    path: LIST,
    group: 'Annotations',
    summary: 'Write an annotation',
    body,
    answers: [
      {
        status: 201,
        description: 'Stored.',
        schema: 'AnnotationAnswer',
        example: first,
        headers: ['ETag', 'Location'],
      },
    ],
    problems: [404, 409, 413, 503, 507],
  },
  {
    id: 'getAnnotation',
    method: 'GET',
    path: ONE,
    group: 'Annotations',
    summary: 'Get an annotation',
    answers: [
      {
        status: 200,
        description: 'The annotation.',
        schema: 'AnnotationAnswer',
        example: changed,
        headers: ['ETag'],
      },
    ],
    problems: [404],
  },
  {
    id: 'changeAnnotation',
    method: 'PUT',
    path: ONE,
    group: 'Annotations',
    summary: 'Change an annotation',
    description: 'Whole. Its author stays.',
    parameters: [ifMatch('The revision that is changed, as the ETag has it; `*` is any.')],
    body,
    answers: [
      {
        status: 200,
        description: 'Stored.',
        schema: 'AnnotationAnswer',
        example: changed,
        headers: ['ETag'],
      },
    ],
    problems: [404, 409, 412, 413, 428, 503, 507],
  },
  {
    id: 'deleteAnnotation',
    method: 'DELETE',
    path: ONE,
    group: 'Annotations',
    summary: 'Delete an annotation',
    parameters: [ifMatch('Deletes only this revision; any when absent.')],
    answers: [{ status: 200, description: 'Deleted; empty body.' }],
    problems: [404, 412, 503, 507],
  },
];
