// The page as it is built from the sources that are here now.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from './server-process.ts';

/** Builds the page when its sources have changed. */
export function buildExplorer(): void {
  execFileSync(process.execPath, [join(projectFolder, 'scripts', 'build-explorer.mjs')], { stdio: 'pipe' });
}
