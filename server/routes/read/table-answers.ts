// Answers to reads that are a table of rows, or a file.

import type { Instant, ReadResult } from '../../../engine/index.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { HeaderList } from '../../http/contract/http-server.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { loadPart, MissingPackage } from '../../process/optional-part.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { prefersCsv } from '../request/media-type.ts';
import { datasetOf } from '../request/path-names.ts';
import type { ReadParameters } from '../request/read-parameters.ts';
import { createRowWriter, rowHeaders } from '../rows/row-media.ts';
import { createRowTimes } from '../rows/row-times.ts';
import { RowsRenderer } from '../rows/rows-renderer.ts';
import { answerWide } from '../rows/wide-answer.ts';
import { answerRead } from './render-read.ts';

export interface TableAnswer {
  readonly call: RouteContext;
  readonly parameters: ReadParameters;
  readonly result: ReadResult;
  readonly headers: HeaderList;
  readonly style: ValueStyle;
  readonly now: Instant;
  readonly isOfFunctions: boolean;
}

export function answerRows(answer: TableAnswer, shape: 'rows' | 'wide'): Promise<void> {
  const { call, parameters, result, headers, style, now, isOfFunctions } = answer;
  const { request, response } = call;
  const media = parameters.as ?? (prefersCsv(request) ? 'csv' : 'json');
  const sink = new AnswerSink(response, [...rowHeaders(media, datasetOf(call)), ...headers]);
  const times = createRowTimes(parameters.times, parameters.csv.decimal);
  const writer = createRowWriter(media, sink.out, { values: style, times }, parameters.csv);
  const pacer = createPacer();
  if (shape === 'wide') return answerWide(result, { request, sink, pacer, writer });
  const renderer = new RowsRenderer(writer, isOfFunctions);
  return answerRead(result, { request, sink, renderer, pacer, range: parameters.request.range, now });
}

export async function answerFile(answer: TableAnswer, kind: FileKind): Promise<void> {
  const { call, parameters, result, headers, now, isOfFunctions } = answer;
  const { request, response } = call;
  const dataset = datasetOf(call);
  const Renderer = await loadRenderer(kind);
  const sink = new AnswerSink(response, [...rowHeaders(kind, dataset), ...headers]);
  const renderer = new Renderer({ out: sink.out, memory: request.memory, dataset, isOfFunctions });
  const { range } = parameters.request;
  const pacer = createPacer();
  // A column of a row group takes some milliseconds, however little it comes to.
  const lookingPacer = { ...pacer, isDue: pacer.isDueNow };
  await answerRead(result, { request, sink, renderer, pacer: lookingPacer, range, now });
}

const RENDERERS = {
  parquet: async () => (await import('../parquet/parquet-renderer.ts')).ParquetRenderer,
  arrow: async () => (await import('../arrow/arrow-renderer.ts')).ArrowRenderer,
} as const;
type FileKind = keyof typeof RENDERERS;

/** Rejects with a 501 where the package that writes such files is not installed. */
async function loadRenderer(kind: FileKind) {
  try {
    return await loadPart<Awaited<ReturnType<(typeof RENDERERS)[FileKind]>>>(`format=${kind}`, RENDERERS[kind]);
  } catch (error) {
    throw error instanceof MissingPackage ? new ProblemError(501, error.message, { cause: error }) : error;
  }
}
