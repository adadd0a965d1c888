// The way that live events take: a stream of server-sent events or a WebSocket.

import { OutputBytes } from '../codec/write-json/output-bytes.ts';
import type { HttpSocket, HttpStream } from '../http/contract/http-server.ts';

export interface LiveEvent {
  readonly name: 'current' | 'points' | 'corrected' | 'skipped' | 'reset' | 'heartbeat';
  readonly id: string;
  /** JSON, without line ends. */
  readonly data: string;
}

export interface Outlet {
  format(event: LiveEvent): string;
  /** A promise means back-pressure; it rejects when the client has gone or takes nothing for too long. */
  write(events: readonly string[]): Promise<void> | undefined;
  /** Sends what keeps the connection open when there is nothing to say. */
  keepAlive(): void;
  end(): void;
}

/** Memory that an event of unusual length has taken is not kept. */
const MAX_SHARED_BYTES = 4_194_304;

const COMMENT = Buffer.from(':\n\n');

/**
 * Bytes that all streams share, as long as their clients take what is sent. Memory of its own for each write would be dear:
 * while V8 marks what lives, after much memory was taken at once, it marks for 5 to 10 ms more at each allocation of a buffer.
 */
let shared = new OutputBytes();

export class EventStreamOutlet implements Outlet {
  readonly #stream: HttpStream;

  constructor(stream: HttpStream) {
    this.#stream = stream;
  }

  format({ name, id, data }: LiveEvent): string {
    return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
  }

  write(events: readonly string[]): Promise<void> | undefined {
    const out = shared;
    out.clear();
    for (const event of events) out.utf8(event);
    const blocked = this.#stream.write(out.written());
    // The stream needs the bytes until its client has taken them.
    if (blocked !== undefined || out.bytes.length > MAX_SHARED_BYTES) shared = new OutputBytes();
    return blocked;
  }

  keepAlive(): void {
    this.#stream.write(COMMENT)?.catch(() => {}); // The abort of the request tells that the client has gone.
  }

  end(): void {
    this.#stream.end();
  }
}

/** The server goes away, or what it speaks of does. */
const GOING_AWAY = 1001;

export class WebSocketOutlet implements Outlet {
  readonly #socket: HttpSocket;

  constructor(socket: HttpSocket) {
    this.#socket = socket;
  }

  format({ name, id, data }: LiveEvent): string {
    return `{"event":"${name}","id":"${id}","data":${data}}`;
  }

  write(events: readonly string[]): Promise<void> | undefined {
    return this.#socket.send(events);
  }

  keepAlive(): void {
    this.#socket.ping();
  }

  end(): void {
    this.#socket.close(GOING_AWAY, 'There is nothing more to come.');
  }
}
