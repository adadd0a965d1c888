// Sends batches to the server, one after the other, and adds up its receipts. What may pass by itself is tried again: of a
// request that is sent twice nothing is stored twice.

import { setTimeout as delay } from 'node:timers/promises';
import type { PointBatch } from './point-batch.ts';

export interface ImportTarget {
  readonly url: URL;
  readonly dataset: string;
  readonly token: string | undefined;
}

/** As in the server's receipt. */
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

const TRY_LIMIT_MS = 60_000;
const PAUSE_MS = 1000;
const ANSWER_LIMIT_MS = 120_000;
const SHOWN_FAULTS = 20;

interface Problem {
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly { readonly path?: string; readonly message?: string }[];
}

export class PointSender {
  readonly receipt: Receipt = { written: 0, ignored: 0, repeated: 0, rejected: 0, expired: 0 };
  /** The last line whose points were all answered for. */
  line = 0;
  readonly #target: ImportTarget;
  readonly #stop: AbortSignal;
  readonly #say: (line: string) => void;

  constructor(target: ImportTarget, stop: AbortSignal, say: (line: string) => void) {
    this.#target = target;
    this.#stop = stop;
    this.#say = say;
  }

  async send(batch: PointBatch): Promise<void> {
    const body = batch.body();
    for (let failedMs: number | undefined; ; await delay(PAUSE_MS, undefined, { signal: this.#stop })) {
      const answer = await this.#post(body).catch((error: unknown) => {
        if (this.#stop.aborted) throw error;
        return reasonOf(error);
      });
      if (typeof answer !== 'string' && answer.status === 200) return this.#take(batch, answer.text);
      const passing = typeof answer === 'string' ? answer : passingReason(answer.status);
      if (passing === undefined) throw refusal(batch, answer as Answer);
      failedMs ??= this.#sayWaiting(passing);
      if (performance.now() - failedMs > TRY_LIMIT_MS)
        throw new ImportRefused(`${this.#target.url.origin}: ${passing}, for ${TRY_LIMIT_MS / 1000} s.`);
    }
  }

  #take(batch: PointBatch, text: string): void {
    const receipt = JSON.parse(text) as Receipt;
    for (const key of Object.keys(this.receipt) as (keyof Receipt)[]) this.receipt[key] += receipt[key] ?? 0;
    this.line = batch.lastLine;
  }

  #sayWaiting(reason: string): number {
    this.#say(`${this.#target.url.origin}: ${reason}; trying again.`);
    return performance.now();
  }

  async #post(body: string): Promise<Answer> {
    const { url, dataset, token } = this.#target;
    const path = `${url.pathname.replace(/\/$/, '')}/api/datasets/${encodeURIComponent(dataset)}/data`;
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        prefer: 'return=representation, handling=strict',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([this.#stop, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    return { status: response.status, text: await response.text() };
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function passingReason(status: number): string | undefined {
  if (status !== 429 && status < 500) return undefined;
  return `the server answered ${status}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as { code?: string; message?: string };
  return code === 'ECONNREFUSED' ? 'no server listens there' : `no answer (${code ?? message})`;
}

/** The server's own words, with lines of the file instead of pointers into the body. */
function refusal(batch: PointBatch, { status, text }: Answer): ImportRefused {
  const problem = readProblem(text);
  const errors = problem.errors ?? [];
  const faults = errors.slice(0, SHOWN_FAULTS).map(({ path = '', message = '' }) => {
    const line = batch.lineOf(path);
    return `\n  ${line === undefined ? path : `line ${line}`}: ${message}`;
  });
  const what = `lines ${batch.firstLine} to ${batch.lastLine}`;
  const detail = problem.detail ?? problem.title ?? text.slice(0, 300);
  return new ImportRefused(`The server refused ${what} with ${status}: ${detail}${faults.join('')}`);
}

function readProblem(text: string): Problem {
  try {
    return (JSON.parse(text) ?? {}) as Problem;
  } catch {
    return {};
  }
}
