// A stream that compresses what is written to it and hands it to the stream below, keeping that one's back-pressure.

import zlib from 'node:zlib';
import { ClientGoneError } from '../contract/client-gone.ts';
import type { HttpStream } from '../contract/http-server.ts';

/** Speed over size: a large read must not become slower than the network it goes over. */
const GZIP_LEVEL = 1;
const OUTPUT_STEP_BYTES = 65_536;

export class GzipStream implements HttpStream {
  readonly #below: HttpStream;
  readonly #gzip: zlib.Gzip;
  #failure: unknown;
  #rejectWrite: ((error: unknown) => void) | undefined;

  constructor(below: HttpStream) {
    this.#below = below;
    this.#gzip = zlib.createGzip({ level: GZIP_LEVEL, chunkSize: OUTPUT_STEP_BYTES });
    this.#gzip.on('data', (chunk: Buffer) => this.#handOver(chunk));
    this.#gzip.on('end', () => this.#below.end());
    this.#gzip.on('error', (error) => this.#fail(error));
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (chunk.length === 0) return undefined;
    return new Promise((resolve, reject) => {
      this.#rejectWrite = reject;
      this.#gzip.write(chunk, () => resolve());
    });
  }

  end(): void {
    if (this.#failure === undefined) this.#gzip.end();
  }

  destroy(): void {
    this.#fail(new ClientGoneError());
  }

  #handOver(chunk: Buffer): void {
    try {
      const pressure = this.#below.write(chunk);
      if (pressure === undefined) return;
      this.#gzip.pause();
      pressure.then(
        () => this.#gzip.resume(),
        (error) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is half compressed cannot be finished, so the answer is aborted. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#gzip.removeAllListeners('data');
    this.#gzip.destroy();
    this.#below.destroy();
    this.#rejectWrite?.(error);
  }
}
