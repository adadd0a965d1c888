// The package of this state of the project, packed by `npm pack` in a copy of the sources, as from a clean clone: tests
// that pack at the same time do not meet.

import { execFile } from 'node:child_process';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from './server-process.ts';

const COMMAND_LIMIT_MS = 400_000;
const MOST_OUTPUT = 16 * 2 ** 20;
/** What is no part of a clone; other tests may be building the page. */
const NOT_CLONED = /^(\.git|\.engines|node_modules|data|program.*|results|dist|dist-.*)$/;

/** Runs a command, without settings of a npm that this process may run under. Throws with what it said when it fails. */
export async function runCommand(cwd: string, command: string, ...words: readonly string[]): Promise<string> {
  const environment = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_TEST_CONTEXT)/.test(name));
  const { stdout } = await promisify(execFile)(command, words, {
    cwd,
    env: Object.fromEntries(environment),
    timeout: COMMAND_LIMIT_MS,
    maxBuffer: MOST_OUTPUT,
  });
  return stdout;
}

/** Gives the path of the copy, inside `folder`; its packages are those of this project. */
export function cloneVarve(folder: string): string {
  const clone = join(folder, 'clone');
  cpSync(projectFolder, clone, {
    recursive: true,
    filter: (source) => !NOT_CLONED.test(source.split('/').at(-1) ?? ''),
  });
  symlinkSync(join(projectFolder, 'node_modules'), join(clone, 'node_modules'));
  return clone;
}

/** Gives the path of the `.tgz`, inside `folder`. */
export async function packVarve(folder: string): Promise<string> {
  await runCommand(cloneVarve(folder), 'npm', 'pack', '--pack-destination', folder);
  const name = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack left no .tgz in ${folder}`);
  return join(folder, name);
}
