// JSON Schemas of annotations, the way from a body to what is kept, and the way back.

import {
  type Annotation,
  type AnnotationContent,
  compareInstants,
  MAX_ANNOTATION_TEXT,
} from '../../../engine/index.ts';
import { formatInstant, parseInstant } from '../../codec/scalars/timestamp.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import type { ProblemFault } from '../../problem.ts';
import { describeValue } from '../validation/faults.ts';
import { readJsonBody } from '../validation/json-body.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import { bodyProblem, requireObject } from '../validation/validate.ts';

/** The longest text with every character escaped, and a long name of a tag. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** Control characters other than line ends and tabs, and halves of surrogate pairs that stand alone. */
const FORBIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u;

const start = { type: 'string', description: 'What it is about: a time, ISO 8601, or the start of a range.' };
const end = { type: 'string', description: 'End of the range, not before the start. Absent: a single time.' };
const tag = { type: 'string', description: 'Name of the tag that it is about. Absent: the whole dataset.' };
const text = { type: 'string', description: `1 to ${MAX_ANNOTATION_TEXT} characters; may have several lines.` };

/** What clients send. Members that only answers have are accepted and ignored: clients send back what they have read. */
export const annotationBodySchema: JsonSchema = {
  type: 'object',
  required: ['start', 'text'],
  additionalProperties: false,
  properties: {
    start,
    end,
    tag,
    text,
    id: { description: 'Ignored.' },
    author: { description: 'Ignored.' },
    created: { description: 'Ignored.' },
    changedBy: { description: 'Ignored.' },
    changed: { description: 'Ignored.' },
    revision: { description: 'Ignored.' },
  },
};

export const annotationSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'start', 'text', 'created', 'changed', 'revision'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Unique in the dataset.' },
    start,
    end,
    tag,
    text,
    author: { type: 'string', description: 'Name of the token that has made it; absent when there were no tokens.' },
    created: { type: 'string', description: 'ISO 8601.' },
    changedBy: { type: 'string', description: 'Name of the token that has changed it last.' },
    changed: { type: 'string', description: 'ISO 8601; as `created` while nobody has changed it.' },
    revision: { type: 'integer', minimum: 1, description: 'Counts its changes.' },
  },
};

export const annotationListSchema: JsonSchema = {
  type: 'object',
  required: ['annotations'],
  additionalProperties: false,
  properties: {
    annotations: { type: 'array', items: { $ref: '#/components/schemas/AnnotationAnswer' } },
    next: { type: 'string', description: 'There are more: send it as `after`.' },
  },
};

/** Throws a 400 for what is no annotation, and a 413 for a body that is too large. */
export async function readAnnotationBody(request: HttpRequest, maxBodyBytes: number): Promise<AnnotationContent> {
  const value = await readJsonBody(request, Math.min(maxBodyBytes, BODY_LIMIT_BYTES));
  const body = requireObject(annotationBodySchema, value) as Partial<Record<'start' | 'end' | 'tag' | 'text', string>>;
  const faults: ProblemFault[] = [];
  const timeOf = (name: 'start' | 'end', sent = ''): ReturnType<typeof parseInstant> => {
    const instant = parseInstant(sent);
    if (instant === undefined) {
      const message = `Got ${describeValue(sent)}; want an ISO 8601 time such as 2024-01-31T08:00:00Z.`;
      faults.push({ path: `/${name}`, message });
    }
    return instant;
  };
  const from = timeOf('start', body.start);
  const to = body.end === undefined || body.end === null ? undefined : timeOf('end', body.end);
  if (from && to && compareInstants(from, to) > 0) {
    faults.push({ path: '/end', message: `Got ${describeValue(body.end)}, which is before the start.` });
  }
  faults.push(...textFaults(body.text ?? ''));
  if (from === undefined || faults.length > 0) throw bodyProblem(faults);
  return { start: from, end: to, tag: body.tag ?? undefined, text: body.text ?? '' };
}

function textFaults(sent: string): ProblemFault[] {
  const path = '/text';
  if (sent.length > MAX_ANNOTATION_TEXT) {
    return [{ path, message: `Got ${sent.length} characters; want at most ${MAX_ANNOTATION_TEXT}.` }];
  }
  if (sent.trim() === '') return [{ path, message: `Got ${describeValue(sent)}; want a text.` }];
  const message = 'Got a control character or a lone surrogate; want neither.';
  return FORBIDDEN.test(sent) ? [{ path, message }] : [];
}

/** An annotation as answers have it; times that are not there are left out. */
export function toAnnotationAnswer(annotation: Annotation) {
  const { id, start, end, tag, text, author, createdMs, changedBy, changedMs, revision } = annotation;
  return {
    id,
    start: formatInstant(start),
    end: end && formatInstant(end),
    tag,
    text,
    author,
    created: new Date(createdMs).toISOString(),
    changedBy,
    changed: new Date(changedMs).toISOString(),
    revision,
  };
}
