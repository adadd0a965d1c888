// A journal file whose writes are durable when they end. Room ahead of its records is zeros that are on the disk already, so
// that a record is one write that changes neither size nor blocks of the file, and the file system has nothing to commit of
// its own: less than half the processor time, and a third of the waiting. Benchmark: bench ingest.

import { isDiskFull } from '../io/system-errors.ts';
import type { VfsFile } from '../io/vfs.ts';

/** Room is made in steps as long as the file is, within these bounds: many datasets have short journals. */
const LEAST_STEP_BYTES = 64 * 1024;
const MOST_STEP_BYTES = 512 * 1024;

const zeros = new Uint8Array(MOST_STEP_BYTES);

/** One call at a time: of two writes that wait for the disk, the kernel may report a failure to only one (D11). */
export class DurableFile {
  readonly #file: VfsFile;
  /** The end of the records. */
  #usedBytes = 0;
  /** All bytes before it are on the disk. */
  #endBytes = 0;
  /** False from a failed write on, until `cut`: nobody knows what is behind the last record. */
  #isSound = true;

  /** @param file opened `write-through` */
  constructor(file: VfsFile) {
    this.#file = file;
  }

  /** Begins the file with its header; the first record makes room. */
  async begin(header: Uint8Array): Promise<void> {
    await this.#file.write(header, 0);
    this.#usedBytes = header.length;
    this.#endBytes = header.length;
  }

  /** Appends records; durable once resolved. Rejects with the system's error, and then wants `cut`, or is of no use any more. */
  async append(bytes: Uint8Array): Promise<void> {
    const endBytes = this.#usedBytes + bytes.length;
    this.#isSound = false;
    // A record above one step of room makes its own: nothing is gained by writing as many zeros first.
    if (endBytes > this.#endBytes && bytes.length < MOST_STEP_BYTES) await this.#extendTo(endBytes);
    await this.#file.write(bytes, this.#usedBytes);
    this.#isSound = true;
    this.#usedBytes = endBytes;
    this.#endBytes = Math.max(this.#endBytes, endBytes);
  }

  /** Takes back, durably, what follows the last record; room included. */
  async cut(): Promise<void> {
    this.#file.truncateSync(this.#usedBytes);
    await this.#file.sync();
    this.#endBytes = this.#usedBytes;
    this.#isSound = true;
  }

  /** Gives the room back, and closes. */
  close(): void {
    if (this.#isSound && this.#endBytes > this.#usedBytes) this.#file.truncateSync(this.#usedBytes);
    this.#file.closeSync();
  }

  /** By a step or, where the disk has not that much left, by what is needed. */
  async #extendTo(endBytes: number): Promise<void> {
    const stepBytes = Math.min(MOST_STEP_BYTES, Math.max(LEAST_STEP_BYTES, this.#endBytes));
    try {
      await this.#writeZeros(Math.max(this.#endBytes + stepBytes, endBytes));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.#writeZeros(endBytes);
    }
  }

  async #writeZeros(endBytes: number): Promise<void> {
    while (this.#endBytes < endBytes) {
      const sizeBytes = Math.min(zeros.length, endBytes - this.#endBytes);
      await this.#file.write(zeros.subarray(0, sizeBytes), this.#endBytes);
      this.#endBytes += sizeBytes;
    }
  }
}
