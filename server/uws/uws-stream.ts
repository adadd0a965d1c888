// A streamed answer over uWebSockets. Its `write` keeps whatever the kernel does not take, without bound and without
// saying how much, so a chunk is handed on in parts, and after a part that did not go through only single bytes are tried
// until one does: the buffer is empty then. The last byte of every larger chunk is held back for that purpose.

import { ClientGoneError } from '../http/contract/client-gone.ts';
import type { HttpStream } from '../http/contract/http-server.ts';
import type { UwsResponse } from './uws-api.ts';

const PART_BYTES = 262_144;
/** Not worth a second chunk: this much may wait in the buffer without a byte held back. */
const SMALL_CHUNK_BYTES = 4096;

/** The answer's side of the connection, as its stream uses it. */
export interface StreamWire {
  readonly isOver: boolean;
  /** Ends the connection at once. */
  destroy(): void;
  /** Hands one chunk on. False when not all of it went to the kernel. */
  writeChunk(chunk: Uint8Array): boolean;
  /** The answer is whole. */
  endStream(): void;
  /** The client has taken something. */
  noteProgress(): void;
  /** The kernel takes no more: retries when it does, and closes the connection when it does not for too long. */
  waitForReader(): void;
}

export class UwsStream implements HttpStream {
  readonly #wire: StreamWire;
  readonly #response: UwsResponse;
  #rest: Uint8Array | undefined;
  #isBlocked = false;
  #isEnding = false;
  #isEnded = false;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  constructor(wire: StreamWire, response: UwsResponse) {
    this.#wire = wire;
    this.#response = response;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#wire.isOver) return Promise.reject(new ClientGoneError());
    if (this.#isEnding || this.#resolve !== undefined)
      throw new Error('BUG: write after end or before the last write was done');
    if (chunk.length === 0) return undefined;
    this.#rest = chunk;
    this.#pump();
    if (!this.#isBlocked) return undefined;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  end(): void {
    this.#isEnding = true;
    if (this.#rest === undefined) this.#end();
  }

  destroy(): void {
    if (!this.#isEnded) this.#wire.destroy();
  }

  /** From the wire: the client has gone. */
  abort(error: ClientGoneError): void {
    this.#rest = undefined;
    const reject = this.#reject;
    this.#settled();
    reject?.(error);
  }

  /** From the wire: the kernel takes bytes again, or it is time to try. */
  retry(isWritable: boolean): void {
    if (!this.#isBlocked) return;
    if (this.#rest === undefined) this.#flush(isWritable);
    else this.#pump();
    if (this.#rest !== undefined) return;
    const resolve = this.#resolve;
    this.#settled();
    resolve?.();
    if (this.#isEnding) this.#end();
  }

  /**
   * No byte is held back to probe with, and at most a small chunk is in the buffer: the next chunk may come, and its first
   * byte is the probe.
   */
  #flush(isWritable: boolean): void {
    // Corking and uncorking sends what uWebSockets holds.
    this.#response.cork(() => {});
    if (!isWritable) return;
    this.#isBlocked = false;
    this.#wire.noteProgress();
  }

  #settled(): void {
    this.#resolve = undefined;
    this.#reject = undefined;
  }

  #pump(): void {
    while (this.#rest !== undefined) {
      const rest: Uint8Array = this.#rest;
      const sizeBytes = this.#isBlocked ? 1 : partBytes(rest.length);
      this.#rest = sizeBytes < rest.length ? rest.subarray(sizeBytes) : undefined;
      const hasGone = this.#wire.writeChunk(rest.subarray(0, sizeBytes));
      this.#isBlocked = !hasGone;
      if (!hasGone) {
        this.#wire.waitForReader();
        return;
      }
      this.#wire.noteProgress();
    }
  }

  #end(): void {
    if (this.#isEnded || this.#wire.isOver) return;
    this.#isEnded = true;
    this.#wire.endStream();
  }
}

function partBytes(restBytes: number): number {
  return restBytes <= SMALL_CHUNK_BYTES ? restBytes : Math.min(PART_BYTES, restBytes - 1);
}
