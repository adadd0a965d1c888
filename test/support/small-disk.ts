// A small disk in memory that can be full: a file system of its own, for root only.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE = new Uint8Array(65_536).fill(1);

/** Why none can be made; false when it can. */
export function whyNoSmallDisk(): string | false {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk';
  try {
    new SmallDisk('1m').remove();
    return false;
  } catch (error) {
    return String(error);
  }
}

export class SmallDisk {
  readonly path: string;

  /** @param size as `mount` takes it, such as `64m` */
  constructor(size: string) {
    this.path = mkdtempSync(join(tmpdir(), 'varve-disk-'));
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', this.path]);
    if (status !== 0) throw new Error(`no small disk can be mounted: ${String(stderr)}`);
  }

  /** To the last page. */
  fill(): void {
    const file = openSync(this.#ballast, 'w');
    try {
      for (;;) writeSync(file, PAGE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    spawnSync('umount', ['-l', this.path]);
    rmdirSync(this.path);
  }

  get #ballast(): string {
    return join(this.path, 'ballast');
  }
}
