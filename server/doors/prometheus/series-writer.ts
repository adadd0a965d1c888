// Answers of Prometheus: data of any length, and what is said besides.

import type { HttpResponse } from '../../http/contract/http-server.ts';
import type { Pacer } from '../../process/pacer.ts';
import { AnswerSink } from '../../routes/answer/answer-sink.ts';
import { JSON_HEADER, sendJson } from '../../routes/answer/answers.ts';
import { paced } from '../../routes/answer/paced.ts';
import type { Series } from './evaluation/one-series.ts';
import { type StepGrid, stepTime } from './promql/steps.ts';

/** Values between two looks at the time. */
const VALUES_A_LOOK = 256;

export interface StreamedAnswer {
  readonly response: HttpResponse;
  readonly pacer: Pacer;
  readonly isAborted: () => boolean;
  /** Asked for when all data is there. */
  readonly warnings: () => readonly string[];
}

export function sendData(response: HttpResponse, data: unknown, warnings: readonly string[] = []): void {
  sendJson(response, 200, { status: 'success', data, ...(warnings.length > 0 && { warnings }) });
}

/** A vector has the values at the one step, a matrix those of all steps. */
export function streamSeries(
  all: AsyncIterable<Series>,
  steps: StepGrid,
  type: 'vector' | 'matrix',
  answer: StreamedAnswer,
): Promise<void> {
  const open = `{"resultType":"${type}","result":[`;
  return stream(answer, [open, ']}'], async (sink) => {
    let count = 0;
    for await (const series of all) {
      const { labels, present } = series;
      if (!present.includes(1)) continue;
      sink.out.utf8(
        `${count++ > 0 ? ',' : ''}{"metric":${JSON.stringify(labels)},"value${type === 'matrix' ? 's":[' : '":'}`,
      );
      await writeValues(sink, series, steps, answer);
      sink.out.ascii(type === 'matrix' ? ']}' : '}');
      const waiting = sink.drain();
      if (waiting !== undefined) await waiting;
      if (answer.isAborted()) return;
    }
  });
}

/** An array of the items. */
export function streamItems(items: AsyncIterable<unknown> | Iterable<unknown>, answer: StreamedAnswer): Promise<void> {
  return stream(answer, ['[', ']'], async (sink) => {
    let count = 0;
    for await (const item of items) {
      sink.out.utf8((count++ > 0 ? ',' : '') + JSON.stringify(item));
      const waiting = paced(sink, answer.pacer);
      if (waiting !== undefined) await waiting;
      if (answer.isAborted()) return;
    }
  });
}

async function stream(
  { response, isAborted, warnings }: StreamedAnswer,
  [open, close]: readonly [string, string],
  write: (sink: AnswerSink) => Promise<void>,
): Promise<void> {
  const sink = new AnswerSink(response, [JSON_HEADER]);
  try {
    sink.out.ascii(`{"status":"success","data":${open}`);
    await write(sink);
    if (isAborted()) return;
    const texts = warnings();
    sink.out.utf8(`${close}${texts.length > 0 ? `,"warnings":${JSON.stringify(texts)}` : ''}}`);
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

async function writeValues(
  sink: AnswerSink,
  { values, present }: Series,
  steps: StepGrid,
  { pacer }: StreamedAnswer,
): Promise<void> {
  let isFirst = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (i % VALUES_A_LOOK === VALUES_A_LOOK - 1 && pacer.isDue()) await pacer.yield();
    if (present[i] === 0) continue;
    sink.out.ascii(`${isFirst ? '' : ','}[${stepTime(steps, i) / 1000},"${formatSample(value)}"]`);
    isFirst = false;
  }
}

export function formatSample(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
