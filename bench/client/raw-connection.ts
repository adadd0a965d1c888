// A bare socket that speaks HTTP/1.1: keep-alive, one request in flight, requests given as ready bytes. It exists so
// that the client is never what is measured: it takes a fraction of what Node's own client does.

import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

const RECEIVE_BYTES = 256 * 1024;
const CONNECT_LIMIT_MS = 5000;

export interface RawAnswer {
  readonly status: number;
  readonly bodyBytes: number;
  /** From handing the request to the system to the last byte of the answer; ms. */
  readonly elapsedMs: number;
  /** Empty unless it was asked for. */
  readonly body: Buffer;
}

interface Waiting {
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly startedMs: number;
}

/** The server does not know this kind of request. */
export class NotSupportedError extends Error {}

export class RawConnection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #waiting: Waiting | undefined;
  #isClosed = false;

  private constructor(url: URL) {
    const buffer = Buffer.allocUnsafe(RECEIVE_BYTES);
    const onread = {
      buffer,
      callback: (sizeBytes: number) => {
        this.#take(buffer.subarray(0, sizeBytes));
        return true;
      },
    };
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static open(address: string): Promise<RawConnection> {
    const connection = new RawConnection(new URL(address));
    const socket = connection.#socket;
    return new Promise((resolve, reject) => {
      socket.setTimeout(CONNECT_LIMIT_MS, () => socket.destroy(new Error('the server does not answer')));
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.setTimeout(0);
        resolve(connection);
      });
    });
  }

  /** Sends a request, head and body in one; rejects when the connection ends before the answer does. */
  send(request: Uint8Array, keep: 'nothing' | 'body' = 'nothing'): Promise<RawAnswer> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#reader.begin(keep === 'body');
      this.#waiting = { resolve, reject, startedMs: performance.now() };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      if (!this.#reader.take(bytes)) return;
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    const { status, bodyBytes, parts } = this.#reader;
    this.#waiting = undefined;
    const body = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    waiting.resolve({ status, bodyBytes, elapsedMs: performance.now() - waiting.startedMs, body });
  }

  #fail(error: Error): void {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}

/** Opens connections, hands them to `work` and closes them. */
export async function withConnections<T>(
  address: string,
  count: number,
  work: (connections: RawConnection[]) => Promise<T>,
): Promise<T> {
  const connections: RawConnection[] = [];
  try {
    for (let i = 0; i < count; i++) connections.push(await RawConnection.open(address));
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
