// Lists of annotations on their way to the client, as JSON or as CSV: written one after the other, others have turns.

import type { Annotation } from '../../../engine/index.ts';
import { toAnnotationAnswer } from '../../api/schemas/annotation.ts';
import type { HttpResponse } from '../../http/contract/http-server.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER } from '../answer/answers.ts';
import { paced } from '../answer/paced.ts';
import { type AnnotationQuery, formatMarker, isAskedFor } from './annotation-query.ts';

const CSV_HEADERS = [
  ['Content-Type', 'text/csv; charset=utf-8; header=present'],
  ['Content-Disposition', 'attachment; filename="annotations.csv"'],
] as const;
const CSV_COLUMNS = [
  ...(['id', 'start', 'end', 'tag', 'text', 'author', 'created', 'changedBy', 'changed', 'revision'] as const),
];

export async function sendAnnotations(
  response: HttpResponse,
  annotations: readonly Annotation[],
  query: AnnotationQuery,
): Promise<void> {
  const isCsv = query.format === 'csv';
  const sink = new AnswerSink(response, isCsv ? CSV_HEADERS : [JSON_HEADER]);
  try {
    if (isCsv) await writeCsv(sink, annotations, query);
    else await writeJson(sink, annotations, query);
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

async function writeJson(sink: AnswerSink, annotations: readonly Annotation[], query: AnnotationQuery): Promise<void> {
  let last: Annotation | undefined;
  sink.out.ascii('{"annotations":[');
  const isWhole = await eachAskedFor(sink, annotations, query, (annotation) => {
    const text = JSON.stringify(toAnnotationAnswer(annotation));
    sink.out.utf8(last === undefined ? text : `,${text}`);
    last = annotation;
  });
  sink.out.utf8(isWhole || last === undefined ? ']}' : `],"next":${JSON.stringify(formatMarker(last))}}`);
}

async function writeCsv(sink: AnswerSink, annotations: readonly Annotation[], query: AnnotationQuery): Promise<void> {
  sink.out.ascii(`${CSV_COLUMNS.join(',')}\r\n`);
  await eachAskedFor(sink, annotations, query, (annotation) => {
    const answer = toAnnotationAnswer(annotation);
    sink.out.utf8(`${CSV_COLUMNS.map((column) => csvField(answer[column])).join(',')}\r\n`);
  });
}

/** Resolves to whether all that are asked for were written: false when the limit has cut them off. */
async function eachAskedFor(
  sink: AnswerSink,
  annotations: readonly Annotation[],
  query: AnnotationQuery,
  write: (annotation: Annotation) => void,
): Promise<boolean> {
  const pacer = createPacer();
  let count = 0;
  for (const annotation of annotations) {
    const waiting = paced(sink, pacer);
    if (waiting !== undefined) await waiting;
    if (!isAskedFor(annotation, query)) continue;
    if (count === query.limit) return false;
    write(annotation);
    count++;
  }
  return true;
}

/** In quotes where it must be. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function csvField(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
