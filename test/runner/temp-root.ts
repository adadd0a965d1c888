// One temporary folder for a whole run: everything that its tests make lies in it, and goes with it.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

export class TempRoot {
  /** TMPDIR of the tests. */
  readonly folder: string;
  /** Folder of the runner itself: what the processes of the tests say. */
  readonly reports: string;

  constructor() {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'varve-tests-')));
    this.reports = join(this.folder, 'reports');
    mkdirSync(this.reports);
    shareCompiledSources(this.folder);
  }

  /** The environment of the tests. */
  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, TMPDIR: this.folder, TEMP: this.folder, TMP: this.folder };
  }

  /** Also unmounts what a test that was ended has left mounted there. */
  remove(): void {
    for (const place of mountedBelow(this.folder)) spawnSync('umount', ['-l', place]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** tsx keeps what it has compiled in the temporary folder; without that each run would compile everything anew. */
function shareCompiledSources(folder: string): void {
  const name = `tsx-${process.geteuid?.() ?? ''}`;
  const compiled = join(tmpdir(), name);
  if (process.platform !== 'win32' && existsSync(compiled)) symlinkSync(compiled, join(folder, name));
}

/** Innermost first. */
function mountedBelow(folder: string): string[] {
  if (!existsSync('/proc/mounts')) return [];
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(folder + sep))
    .reverse();
}
