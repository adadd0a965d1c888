// The commands of a page of the docs, tried from top to bottom against a server of its own.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const SERVER_ON_PAGE = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 60_000;

/** For `skip` of a test: false where the commands can be tried. */
export const lacksCurl = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

export function readPage(name: string): string {
  return readFileSync(join(projectFolder, 'docs', name), 'utf8');
}

/** Fails unless each command prints the JSON that stands below it, or nothing where none does; members called `at` may differ. */
export async function tryCommands(page: string, least: number): Promise<void> {
  const commands = [...page.matchAll(/```sh\n(.*?)```(?:\n+```json\n(.*?)```)?/gs)];
  assert.ok(commands.length >= least, `${commands.length} commands`);
  const server = await ServerProcess.start();
  try {
    for (const [, command, answer] of commands) {
      const script = (command as string).replaceAll(SERVER_ON_PAGE, server.url);
      const { stdout } = await promisify(execFile)('sh', ['-c', `NO_PROXY=127.0.0.1 ${script}`], {
        timeout: COMMAND_LIMIT_MS,
      });
      if (answer === undefined) assert.equal(stdout, '', command);
      else assert.deepEqual(withoutTimes(stdout), withoutTimes(answer), command);
    }
  } finally {
    await server.stop();
  }
}

/** When something was done is another time each time. */
function withoutTimes(json: string): unknown {
  return JSON.parse(json, (key, value) => (key === 'at' ? 'some time' : value));
}
