// A connection to PostgreSQL (protocol 3.0) that can do what is measured: simple queries, and COPY from the client. The
// server must trust whoever comes.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const PROTOCOL = 3 << 16;
const HEAD_BYTES = 5;

/** Types of messages from the server, as the bytes they begin with. */
const Message = { dataRow: 68, error: 69, copyIn: 71, ready: 90 } as const;

/** A row as text, a null as an empty one. */
export type TextRow = readonly string[];

interface Waiting {
  readonly rows: TextRow[];
  readonly copyBody: Uint8Array | undefined;
  readonly resolve: (rows: TextRow[]) => void;
  readonly reject: (error: Error) => void;
  failure: Error | undefined;
}

export class PostgresConnection {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #waiting: Waiting | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('PostgreSQL closed the connection')));
  }

  /** Rejects when the server is not there or does not let us in. */
  static async open(port: number, user: string): Promise<PostgresConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    const connection = new PostgresConnection(socket);
    try {
      await connection.#send(startupMessage(user));
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Rejects with the server's words. */
  query(sql: string): Promise<TextRow[]> {
    return this.#send(message('Q', Buffer.from(`${sql}\0`)));
  }

  /** A `COPY … FROM STDIN` with all its bytes. */
  async copyIn(sql: string, body: Uint8Array): Promise<void> {
    await this.#send(message('Q', Buffer.from(`${sql}\0`)), body);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Resolves when the server is ready for the next query; one is under way at a time. */
  #send(bytes: Buffer, copyBody?: Uint8Array): Promise<TextRow[]> {
    return new Promise((resolve, reject) => {
      this.#waiting = { rows: [], copyBody, resolve, reject, failure: undefined };
      this.#socket.write(bytes);
    });
  }

  #take(arrived: Buffer): void {
    const bytes = this.#pending.length === 0 ? arrived : Buffer.concat([this.#pending, arrived]);
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      this.#takeMessage(bytes[at] as number, bytes, at + HEAD_BYTES);
      at = end;
    }
    this.#pending = bytes.subarray(at);
  }

  #takeMessage(type: number, bytes: Buffer, at: number): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    if (type === Message.dataRow) waiting.rows.push(readRow(bytes, at));
    else if (type === Message.error) waiting.failure = new Error(readError(bytes, at));
    else if (type === Message.copyIn) this.#sendCopy(waiting.copyBody);
    else if (type === Message.ready) this.#finish(waiting);
  }

  #sendCopy(body: Uint8Array = new Uint8Array(0)): void {
    this.#socket.cork();
    this.#socket.write(messageHead('d', body.length));
    this.#socket.write(body);
    this.#socket.write(message('c', Buffer.alloc(0)));
    this.#socket.uncork();
  }

  #finish({ failure, resolve, reject, rows }: Waiting): void {
    this.#waiting = undefined;
    if (failure) reject(failure);
    else resolve(rows);
  }

  /** A server that ends a connection says why first. */
  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(waiting.failure ?? error);
  }
}

function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length);
  head.writeInt32BE(PROTOCOL, 4);
  return Buffer.concat([head, parameters]);
}

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([messageHead(type, content.length), content]);
}

/** The length counts itself, and not the type. */
function messageHead(type: string, contentBytes: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(type, 'latin1');
  head.writeInt32BE(contentBytes + 4, 1);
  return head;
}

function readRow(bytes: Buffer, start: number): TextRow {
  const row: string[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const length = bytes.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? '' : bytes.toString('latin1', at, at + length));
    at += Math.max(0, length);
  }
  return row;
}

/** Fields of a letter and a text; M is the message for people. */
function readError(bytes: Buffer, start: number): string {
  for (let at = start; bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at);
    if (bytes[at] === 'M'.charCodeAt(0)) return `PostgreSQL: ${bytes.toString('utf8', at + 1, end)}`;
    at = end + 1;
  }
  return 'PostgreSQL: an error without a message';
}
