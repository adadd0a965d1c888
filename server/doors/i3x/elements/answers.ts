// Answers of i3X: envelopes, written piece by piece, and gzip also where an answer is short, as the standard wants it.

import { gzipSync } from 'node:zlib';
import type { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import { toProblem } from '../../../engine-status.ts';
import type { HeaderList, HttpResponse, ProblemForm } from '../../../http/contract/http-server.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import { statusTitle } from '../../../http/status-titles.ts';
import { ProblemError, type ProblemFault } from '../../../problem.ts';
import { createPacer } from '../../../process/pacer.ts';
import { AnswerSink } from '../../../routes/answer/answer-sink.ts';
import { JSON_HEADER } from '../../../routes/answer/answers.ts';
import { paced } from '../../../routes/answer/paced.ts';

/** Longer ones are compressed as answers are everywhere. */
const SHORT_BYTES = 1024;

export interface Detail {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

export function detailOf(status: number, detail: string): Detail {
  return { title: statusTitle(status), status, detail };
}

export function renderI3xProblem(problem: ProblemError): ReturnType<ProblemForm['render']> {
  const faults = untoldFaults(problem, 10).map(({ path, message }) => ` ${path} ${message}`);
  const responseDetail = detailOf(problem.status, problem.message + faults.join(''));
  const body = JSON.stringify({ success: false, responseDetail });
  return { status: problem.status, headers: [JSON_HEADER, ...problem.headers], body };
}

/** What failed for one entry of a request; throws what is no fault of the entry. */
export function detailOfError(error: unknown): Detail {
  const problem = toProblem(error);
  if (!(problem instanceof ProblemError) || problem.status === 500) throw error;
  const faults = untoldFaults(problem, 3).map(({ message }) => ` ${message}`);
  return detailOf(problem.status, problem.message + faults.join(''));
}

/** The first faults, without those that are a part of the message already, as a single one is. */
function untoldFaults({ message: told, errors }: ProblemError, most: number): readonly ProblemFault[] {
  return errors.slice(0, most).filter(({ message }) => !told.includes(message));
}

export function sendResult(call: RouteContext, result: unknown): void {
  const body = Buffer.from(JSON.stringify({ success: true, result }));
  shortlyGzipped(call).lend(200, [JSON_HEADER], body);
}

/** One more piece of an answer; a promise when others are to have their turn first. */
export type Breathe = () => Promise<void> | undefined;

/** An answer that is written piece by piece, with `{"success":true,"result":[` or the like around it. */
export async function sendPieces(
  call: RouteContext,
  write: (out: OutputBytes, breathe: Breathe) => Promise<void>,
  status = 200,
): Promise<void> {
  const sink = new AnswerSink(withStatus(shortlyGzipped(call), status), [JSON_HEADER]);
  const pacer = createPacer();
  try {
    await write(sink.out, () => paced(sink, pacer));
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** What becomes of one entry of a bulk request. */
export type Outcome = { readonly detail: Detail } | ((out: OutputBytes) => Promise<void> | void);

export type Answer = (id: string, index: number, breathe: Breathe) => Promise<Outcome> | Outcome;

export const NOTHING: Outcome = (out) => out.ascii('null');
export const NOT_FOUND: Outcome = { detail: detailOf(404, 'There is no such element.') };

/** A bulk answer: an entry for each id, in order. That one failed is known, and told, at the end. */
export async function sendBulk(
  call: RouteContext,
  ids: readonly string[],
  answer: Answer,
  key: 'elementId' | 'subscriptionId' = 'elementId',
): Promise<void> {
  await sendPieces(call, async (out, breathe) => {
    let isWhole = true;
    out.ascii('{"results":[');
    for (const [index, id] of ids.entries()) {
      const outcome = await outcomeOf(answer, id, index, breathe);
      const isDone = !('detail' in outcome);
      isWhole &&= isDone;
      out.utf8(`${index === 0 ? '' : ','}{"success":${isDone},"${key}":${JSON.stringify(id)},`);
      if (isDone) {
        out.ascii('"result":');
        await outcome(out);
      } else out.utf8(`"responseDetail":${JSON.stringify(outcome.detail)}`);
      out.ascii('}');
      const waiting = breathe();
      if (waiting !== undefined) await waiting;
      if (call.request.aborted) return;
    }
    out.ascii(`],"success":${isWhole}}`);
  });
}

async function outcomeOf(answer: Answer, id: string, index: number, breathe: Breathe): Promise<Outcome> {
  try {
    return await answer(id, index, breathe);
  } catch (error) {
    return { detail: detailOfError(error) };
  }
}

/** The response, which compresses short answers, too, for who takes gzip. */
function shortlyGzipped({ request, response }: RouteContext): HttpResponse {
  const accepted = request.header('accept-encoding') ?? '';
  if (!/(?:^|[\s,])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(accepted)) return response;
  const lend = (status: number, headers: HeaderList, body: Uint8Array): boolean => {
    if (body.length >= SHORT_BYTES) return response.lend(status, headers, body);
    response.send(status, [...headers, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']], gzipSync(body));
    return true;
  };
  return forwarding(response, { lend });
}

function withStatus(response: HttpResponse, status: number): HttpResponse {
  if (status === 200) return response;
  return forwarding(response, {
    lend: (_status, headers, body) => response.lend(status, headers, body),
    stream: (_status, headers, heldBytes) => response.stream(status, headers, heldBytes),
  });
}

function forwarding(response: HttpResponse, changes: Partial<HttpResponse>): HttpResponse {
  return {
    send: (status, headers, body) => response.send(status, headers, body),
    lend: (status, headers, body) => response.lend(status, headers, body),
    stream: (status, headers, heldBytes) => response.stream(status, headers, heldBytes),
    openSocket: () => response.openSocket(),
    ...changes,
  };
}
