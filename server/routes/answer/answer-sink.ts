// The way of an answer of unknown length: small ones are sent whole (with a length, compressed when it pays), larger
// ones are streamed with back-pressure. A stream that was begun is either completed or aborted, never ended incomplete.

import { Pool } from '../../../engine/index.ts';
import { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeaderList, HttpResponse, HttpStream } from '../../http/contract/http-server.ts';

/** Answers up to here are sent whole. */
const SMALL_ANSWER_BYTES = 256 * 1024;
/** Larger ones go out in chunks of about this size. */
const CHUNK_BYTES = 64 * 1024;
/** Buffers that answers take turns with, and the largest one that is kept. */
const MAX_SPARE = 8;
const MAX_SPARE_BYTES = 1024 * 1024;
const FIRST_BYTES = 16 * 1024;
/** About what a streamed answer holds: its bytes, the block that it reads, a compressor. */
const STREAM_BYTES = 1024 * 1024;

const pool = new Pool(MAX_SPARE, () => new OutputBytes(FIRST_BYTES));

export class AnswerSink {
  /** Append here; call `drain` now and then. */
  readonly out: OutputBytes = pool.take();
  readonly #response: HttpResponse;
  readonly #headers: HeaderList;
  #stream: HttpStream | undefined;

  constructor(response: HttpResponse, headers: HeaderList) {
    this.#response = response;
    this.#headers = headers;
  }

  /** Whether `drain` would send what is there. */
  get isMuch(): boolean {
    return this.out.length > (this.#stream === undefined ? SMALL_ANSWER_BYTES : CHUNK_BYTES);
  }

  /** Sends what is there when it has become much. Await the promise, if there is one, before appending more. */
  drain(): Promise<void> | undefined {
    return this.isMuch ? this.#flush() : undefined;
  }

  /** Ends the answer as complete. */
  async end(): Promise<void> {
    if (this.#stream === undefined && this.out.length <= SMALL_ANSWER_BYTES) {
      if (this.#response.lend(200, this.#headers, this.out.written())) this.#release();
      return;
    }
    const flushing = this.#flush();
    if (flushing !== undefined) await flushing;
    this.#stream?.end();
    this.#release();
  }

  /** Nothing looks at the bytes any more, and nothing is to be appended. */
  #release(): void {
    if (this.out.bytes.length > MAX_SPARE_BYTES) return;
    this.out.clear();
    pool.release(this.out);
  }

  /** Aborts a stream that was begun; before that the error can still be answered. */
  abandon(): void {
    this.#stream?.destroy();
  }

  /** Without a promise when the client takes all of it at once: then it is for the caller to let others have a turn. */
  #flush(): Promise<void> | undefined {
    this.#stream ??= this.#response.stream(200, this.#headers, STREAM_BYTES);
    const taking = this.#stream.write(this.out.written());
    if (taking !== undefined) return taking.then(() => this.out.clear());
    this.out.clear();
    return undefined;
  }
}
