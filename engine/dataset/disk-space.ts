// Room on the disk: writes are refused while less than the reserve is free, and accepted again without a restart (D10).

import { EngineError } from '../errors.ts';
import type { Clock } from '../io/clock.ts';
import type { Vfs } from '../io/vfs.ts';

/** How long a measurement of the free space is used; ms. */
const FRESH_MS = 250;

export class DiskSpace {
  readonly #vfs: Vfs;
  readonly #clock: Clock;
  readonly #folder: string;
  readonly #reserveBytes: number;
  #freeBytes = Number.POSITIVE_INFINITY;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Set when a write failed on a full disk, whatever the file system reports as free. */
  #refusedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(vfs: Vfs, clock: Clock, folder: string, reserveBytes: number) {
    this.#vfs = vfs;
    this.#clock = clock;
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  get freeBytes(): number {
    const now = this.#clock.monotonicMs();
    if (now - this.#lookedAtMs >= FRESH_MS) {
      this.#freeBytes = this.#vfs.freeBytesSync(this.#folder);
      this.#lookedAtMs = now;
    }
    return this.#freeBytes;
  }

  get full(): boolean {
    return this.freeBytes < this.#reserveBytes || this.#clock.monotonicMs() < this.#refusedUntilMs;
  }

  /** Call it when a write has failed on a full disk. */
  noteFull(): void {
    this.#refusedUntilMs = this.#clock.monotonicMs() + FRESH_MS;
    this.#lookedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Throws DISK_FULL. */
  checkRoom(): void {
    if (!this.full) return;
    throw new EngineError(
      'DISK_FULL',
      `Writes are refused: ${Math.round(this.#freeBytes / 1e6)} MB are free on the disk, and ${Math.round(this.#reserveBytes / 1e6)} MB are kept in reserve. Reading and purging go on; writing resumes by itself.`,
      { freeBytes: this.#freeBytes, reserveBytes: this.#reserveBytes },
    );
  }
}
