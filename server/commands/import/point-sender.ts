// Sends batches to the server, one after the other, and adds up its receipts. What may pass by itself is tried again: of a
// request that is sent twice nothing is stored twice.

import { isPassing, readProblem } from '../../../client/answers.ts';
import { type HttpAnswer, type HttpAsked, HttpLink, plainBody } from '../../../client/http-link.ts';
import { sendPatiently, TRY_LIMIT_MS } from '../transfer/patient-request.ts';
import type { PointBatch } from './point-batch.ts';

export interface ImportTarget {
  readonly url: URL;
  readonly dataset: string;
  readonly token: string | undefined;
}

/** Counts as in the server's receipt. */
export interface Receipt {
  written: number;
  /** Earlier than what the tag had, and left out. */
  ignored: number;
  repeated: number;
  rejected: number;
  expired: number;
}

/** The server does not take a batch, or cannot be reached for too long. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

const LINK_OPTIONS = { connections: 1, limitMs: 120_000, program: 'Varve import' };
const SHOWN_FAULTS = 20;

export class PointSender {
  readonly receipt: Receipt = { written: 0, ignored: 0, repeated: 0, rejected: 0, expired: 0 };
  /** The last line whose points were all answered for. */
  line = 0;
  readonly #target: ImportTarget;
  readonly #link: HttpLink;
  readonly #stop: AbortSignal;
  readonly #say: (line: string) => void;

  constructor(target: ImportTarget, stop: AbortSignal, say: (line: string) => void) {
    this.#target = target;
    const { url: baseUrl, token } = target;
    this.#link = new HttpLink({ baseUrl, token }, LINK_OPTIONS);
    this.#stop = stop;
    this.#say = say;
  }

  /** Points that the server has answered for, whatever became of them. */
  get answeredCount(): number {
    return Object.values(this.receipt).reduce((sum, count) => sum + count, 0);
  }

  async send(batch: PointBatch): Promise<void> {
    const { origin } = this.#target.url;
    const asked = this.#request(batch.body());
    const answer = await sendPatiently(this.#link, asked, (failed) =>
      this.#say(`${origin}: ${passingText(failed)}; trying again.`),
    );
    if (typeof answer !== 'string' && answer.status === 200) return this.#take(batch, answer.text);
    if (typeof answer !== 'string' && !isPassing(answer.status)) throw refusal(batch, answer);
    throw new ImportRefused(`${origin}: ${passingText(answer)}, for ${TRY_LIMIT_MS / 1000} s.`);
  }

  #take(batch: PointBatch, text: string): void {
    const receipt = JSON.parse(text) as Receipt;
    for (const key of Object.keys(this.receipt) as (keyof Receipt)[]) this.receipt[key] += receipt[key] ?? 0;
    this.line = batch.lastLine;
  }

  #request(body: string): HttpAsked & { readonly signal: AbortSignal } {
    return {
      method: 'POST',
      path: `/api/datasets/${encodeURIComponent(this.#target.dataset)}/data`,
      body: plainBody(body),
      headers: { prefer: 'return=representation, handling=strict' },
      signal: this.#stop,
    };
  }
}

function passingText(answer: HttpAnswer | string): string {
  return typeof answer === 'string' ? answer : `the server answered ${answer.status}`;
}

/** The server's own words, with lines of the file instead of pointers into the body. */
function refusal(batch: PointBatch, { status, text }: HttpAnswer): ImportRefused {
  const { detail = '', faults } = readProblem(text);
  const shown = faults.slice(0, SHOWN_FAULTS).map(({ path, message }) => {
    const line = batch.lineOf(path);
    return `\n  ${line === undefined ? path : `line ${line}`}: ${message}`;
  });
  const what = `lines ${batch.firstLine} to ${batch.lastLine}`;
  return new ImportRefused(`The server refused ${what} with ${status}: ${detail}${shown.join('')}`);
}
