// The response to a request with a token: what it opens for long is closed when the token no longer holds.

import type { HeaderList, HttpRequest, HttpResponse, HttpSocket, HttpStream } from '../http/contract/http-server.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';
import type { Grant } from './tokens/token-store.ts';

/** RFC 6455: the other end breaks a rule of this one. */
const POLICY_VIOLATION = 1008;

export interface HeldParts {
  readonly streams: OpenStreams;
  readonly grant: Grant;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Throws a 401 when the grant has ended meanwhile. */
  readonly recheck: () => void;
}

export class HeldResponse implements HttpResponse {
  readonly #parts: HeldParts;

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  send(status: number, headers: HeaderList, body?: Uint8Array | string): void {
    this.#parts.response.send(status, headers, body);
  }

  lend(status: number, headers: HeaderList, body: Uint8Array): boolean {
    return this.#parts.response.lend(status, headers, body);
  }

  /** Aborted when the token ends, so that nobody takes what came for the complete answer. */
  stream(status: number, headers: HeaderList, heldBytes?: number): HttpStream {
    this.#parts.recheck();
    const stream = this.#parts.response.stream(status, headers, heldBytes);
    const release = this.#hold(() => stream.destroy());
    return {
      write: (chunk) => stream.write(chunk),
      end() {
        release();
        stream.end();
      },
      destroy() {
        release();
        stream.destroy();
      },
    };
  }

  openSocket(): HttpSocket {
    this.#parts.recheck();
    const socket = this.#parts.response.openSocket();
    this.#hold(() => socket.close(POLICY_VIOLATION, 'The token is no longer valid.'));
    return socket;
  }

  /** Gives what ends the hold. */
  #hold(close: () => void): () => void {
    const { streams, grant, request } = this.#parts;
    const held: OpenStream = { grant, close };
    const release = (): void => streams.delete(held);
    if (request.aborted) return release;
    streams.add(held);
    request.onAbort(release);
    return release;
  }
}
