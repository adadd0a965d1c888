// docs/aggregates.md: its commands give what stands below them, and its tables are those of the code.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { AGGREGATE_NAMES } from '../../engine/index.ts';
import { AGGREGATE_ALIASES, AGGREGATE_PARAMETER_NAMES } from '../../server/routes/request/aggregate-parameters.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const SERVER_ON_PAGE = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 60_000;

const page = readFileSync(join(projectFolder, 'docs/aggregates.md'), 'utf8');
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

/** First cells of the rows of a table, or second ones. */
function cellsBelow(head: string, column: number): string[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head));
  assert.ok(start >= 0, `no table ${head}`);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => line.split('|')[column] ?? '');
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

test('each command of the page gives the answer that stands below it', { skip }, async () => {
  const commands = [...page.matchAll(/```sh\n(.*?)```(?:\n+```json\n(.*?)```)?/gs)];
  assert.ok(commands.length >= 5, `${commands.length} commands`);
  const server = await ServerProcess.start();
  try {
    for (const [, command, answer] of commands) {
      const script = (command as string).replaceAll(SERVER_ON_PAGE, server.url);
      const { stdout } = await promisify(execFile)('sh', ['-c', `NO_PROXY=127.0.0.1 ${script}`], {
        timeout: COMMAND_LIMIT_MS,
      });
      if (answer === undefined) assert.equal(stdout, '', command);
      else assert.deepEqual(JSON.parse(stdout), JSON.parse(answer), command);
    }
  } finally {
    await server.stop();
  }
});

test('the page has every function, parameter and alias, and no others', () => {
  const functions = cellsBelow('| Function | Result |', 1).flatMap(codeIn);
  assert.deepEqual(functions.toSorted(), [...AGGREGATE_NAMES].sort());
  const parameters = cellsBelow('| Parameter | Meaning |', 1).flatMap(codeIn);
  assert.deepEqual(parameters.toSorted(), [...AGGREGATE_PARAMETER_NAMES, 'tz'].sort());
  const names = cellsBelow('| Name | Function |', 1).flatMap(codeIn);
  const meant = cellsBelow('| Name | Function |', 2).flatMap(codeIn);
  assert.deepEqual(
    names.map((name, i) => [name.toLowerCase(), meant[i]]),
    [...AGGREGATE_ALIASES],
  );
});
