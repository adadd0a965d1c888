// Facts about the machine and the tree that figures were measured on.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, type as systemType, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { MachineFacts } from './result.ts';

const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

export function readMachineFacts(): MachineFacts {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e8) / 10,
    system: `${systemType()} ${release()} ${arch()}`,
    node: process.version,
    fileSystem: fileSystemOf(tmpdir()),
  };
}

/** The commit that is checked out, and whether the tree differs from it. */
export function readCommit(): { commit: string; changed: boolean } {
  const commit = git('rev-parse', '--short=12', 'HEAD');
  if (commit === undefined) return { commit: 'unknown', changed: false };
  return { commit, changed: git('status', '--porcelain', '--untracked-files=no') !== '' };
}

function git(...words: string[]): string | undefined {
  const result = spawnSync('git', words, { cwd: PROJECT_FOLDER, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Type of the mount with the longest path above the folder, as Linux tells it. */
function fileSystemOf(folder: string): string {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return 'unknown';
  }
  let best = { path: '', type: 'unknown' };
  for (const line of mounts.split('\n')) {
    const [, path = '', type = ''] = line.split(' ');
    const isAbove = folder === path || folder.startsWith(path.endsWith('/') ? path : `${path}/`);
    if (path !== '' && isAbove && path.length >= best.path.length) best = { path, type };
  }
  return best.type;
}
