// docs/annotations.md: its commands give what stands below them, but for the time at which they are run.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { MAX_ANNOTATION_BYTES, MAX_ANNOTATION_TEXT, MAX_ANNOTATIONS } from '../../engine/index.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const SERVER_ON_PAGE = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 60_000;

const page = readFileSync(join(projectFolder, 'docs/annotations.md'), 'utf8');
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

function withoutTimesOfWriting(text: string): unknown {
  return JSON.parse(text.replace(/"(created|changed)": ?"[^"]+"/g, '"$1":"now"'));
}

test('each command of the page gives the answer that stands below it', { skip }, async () => {
  const commands = [...page.matchAll(/```sh\n(.*?)```(?:\n+```json\n(.*?)```)?/gs)];
  assert.ok(commands.length >= 4, `${commands.length} commands`);
  const server = await ServerProcess.start();
  try {
    for (const [, command, answer] of commands) {
      const script = (command as string).replaceAll(SERVER_ON_PAGE, server.url);
      const { stdout } = await promisify(execFile)('sh', ['-c', `export NO_PROXY=127.0.0.1; ${script}`], {
        timeout: COMMAND_LIMIT_MS,
      });
      if (answer === undefined) assert.equal(stdout, '', command);
      else assert.deepEqual(withoutTimesOfWriting(stdout), withoutTimesOfWriting(answer), command);
    }
  } finally {
    await server.stop();
  }
});

test('the page has the limits of the code', () => {
  const named = (count: number): string => count.toLocaleString('en-US');
  const limits = `holds ${named(MAX_ANNOTATIONS)} annotations, and ${MAX_ANNOTATION_BYTES / 2 ** 20} MiB of them; a text ${named(MAX_ANNOTATION_TEXT)} characters`;
  assert.ok(page.replace(/\s+/g, ' ').includes(limits), limits);
});
