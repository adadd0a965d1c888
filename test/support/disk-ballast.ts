// Files that fill the disk that they lie on, and make room again when they go. They take their room without being written.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PIECE = new Uint8Array(512).fill(1);
const LEAST_BYTES = 65_536;

export class DiskBallast {
  readonly #folder: string;
  readonly #taken: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Fills the disk to its last byte, then leaves about so much room. */
  fill(leaveBytes: number): void {
    this.makeRoom();
    // A file system keeps some of its room: what it does not give whole is taken by halves.
    let wantedBytes = freeBytes(this.#folder);
    while (wantedBytes >= LEAST_BYTES) {
      if (!this.#allocate(wantedBytes)) wantedBytes = Math.floor(wantedBytes / 2);
      else wantedBytes = Math.min(wantedBytes, freeBytes(this.#folder));
    }
    this.#writeToTheEnd();
    const [largest] = this.#taken;
    if (largest !== undefined) truncateSync(largest, Math.max(0, statSync(largest).size - leaveBytes));
  }

  makeRoom(): void {
    for (const path of this.#taken.splice(0)) rmSync(path, { force: true });
  }

  #allocate(bytes: number): boolean {
    const path = this.#nextPath();
    return spawnSync('fallocate', ['-l', String(bytes), path]).status === 0;
  }

  #writeToTheEnd(): void {
    let file: number | undefined;
    try {
      // XFS has no room for a new file either when it is full.
      file = openSync(this.#nextPath(), 'w');
      for (;;) writeSync(file, PIECE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #nextPath(): string {
    const path = join(this.#folder, `ballast-${this.#taken.length}`);
    this.#taken.push(path);
    return path;
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
