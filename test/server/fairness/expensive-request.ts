// One row of the table of expensive requests, and what it works with.

import assert from 'node:assert/strict';
import { get, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Extent } from '../../support/campaign.ts';
import type { HttpAnswer, HttpClient } from '../../support/http-client.ts';
import type { Transport } from '../../support/server-process.ts';

export interface FairnessContext {
  readonly transport: Transport;
  readonly port: number;
  readonly http: HttpClient;
  /** `slice`: what runs with every test run; `full`: by hand. */
  readonly extent: Extent;
  /** Does what rows share once per server: the first who asks for a name has it done. */
  once(name: string, work: () => Promise<void>): Promise<void>;
}

export interface ExpensiveRequest {
  readonly name: string;
  /** Runs with every test run, too; the others by hand only. */
  readonly isInSlice?: true;
  /** At the limit of what is taken at all, and such as nobody sends in earnest: it may hold others for longer. */
  readonly isOdd?: true;
  /** Before each round, while nobody measures. */
  setUp?(context: FairnessContext): Promise<void>;
  /** What is measured, until the last answer is there. */
  send(context: FairnessContext): Promise<void>;
}

/** Marks a row that runs with every test run, too. */
export function inSlice(row: ExpensiveRequest): ExpensiveRequest {
  return { ...row, isInSlice: true };
}

/** Marks a row whose request nobody sends in earnest. */
export function odd(row: ExpensiveRequest): ExpensiveRequest {
  return { ...row, isOdd: true };
}

/** Size for the extent: the first in a slice, the second in full. */
export function sized({ extent }: FairnessContext, slice: number, full: number): number {
  return extent === 'full' ? full : slice;
}

export function assertStatus(answer: Pick<HttpAnswer, 'status' | 'text'>, wanted: number, what: string): void {
  assert.equal(answer.status, wanted, `${what}: ${answer.text.slice(0, 300)}`);
}

/** At a time: more than wait for the disk would be refused. */
const SENDERS = 32;

/** Sends something for each of them, a bounded number at a time. */
export async function sendEach(items: Iterable<number>, send: (item: number) => Promise<unknown>): Promise<void> {
  const left = [...items].values();
  const senders = Array.from({ length: SENDERS }, async () => {
    for (const item of left) await send(item);
  });
  await Promise.all(senders);
}

const TAKE_LIMIT_MS = 300_000;

export interface Taken {
  readonly status: number;
  readonly sizeBytes: number;
}

/** Sends a request and takes the answer as fast as it comes, without keeping it. */
export function take(
  { port }: Pick<FairnessContext, 'port'>,
  method: string,
  path: string,
  options: { readonly headers?: OutgoingHttpHeaders; readonly body?: string | Uint8Array } = {},
): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const length = options.body === undefined ? {} : { 'content-length': Buffer.byteLength(options.body) };
    const headers = { ...length, ...options.headers };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false, timeout: TAKE_LIMIT_MS });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path.slice(0, 200)}`)));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let sizeBytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, sizeBytes }));
    });
    outgoing.end(options.body);
  });
}

/** The same, and the answer must be a 200 of at least so many bytes. */
export async function takeAll(
  context: FairnessContext,
  path: string,
  options: { readonly headers?: OutgoingHttpHeaders; readonly body?: string; readonly minBytes?: number } = {},
): Promise<void> {
  const { minBytes = 1, ...sent } = options;
  const { status, sizeBytes } = await take(context, sent.body === undefined ? 'GET' : 'POST', path, sent);
  assert.equal(status, 200, path.slice(0, 200));
  assert.ok(sizeBytes >= minBytes, `${path.slice(0, 200)}: got ${sizeBytes} bytes; want ${minBytes}`);
}

const FAST_BUFFER_BYTES = 4 * 2 ** 20;
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** Takes a streamed answer faster than any server makes it: without looking at more than its end. */
export function takeFast({ port }: Pick<FairnessContext, 'port'>, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    const buffer = Buffer.alloc(FAST_BUFFER_BYTES);
    const callback = (count: number): boolean => {
      sizeBytes += count;
      if (buffer.subarray(0, count).includes(LAST_CHUNK, Math.max(0, count - LAST_CHUNK.length))) socket.destroy();
      return true;
    };
    const socket = connect({ host: '127.0.0.1', port, onread: { buffer, callback } });
    socket.setTimeout(TAKE_LIMIT_MS, () => socket.destroy(new Error(`no answer to ${path.slice(0, 200)}`)));
    socket.on('error', reject);
    socket.on('close', () => resolve(sizeBytes));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  });
}

/** Takes all that comes of a dataset's live data, until the server ends; resolves with the first of it. */
export function listen({ port }: Pick<FairnessContext, 'port'>, dataset: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get({ host: '127.0.0.1', port, path: `/api/datasets/${dataset}/live`, agent: false }, (answer) => {
      answer.on('error', () => {});
      answer.once('data', () => resolve());
      answer.resume();
    });
    asked.on('error', reject);
  });
}
