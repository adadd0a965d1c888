// What ends the server: a sentence for a person at a terminal, a line of JSON for programs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ExitCode } from '../../server/exit-codes.ts';
import { lineForPerson } from '../../server/log.ts';
import { VERSION } from '../../server/version.ts';
import {
  BUILT_PROGRAM,
  projectFolder,
  runServerToEnd,
  ServerProcess,
  temporaryFolder,
} from '../support/server-process.ts';

const LIMIT_MS = 120_000;
const hasTerminal = spawnSync('script', ['--version']).status === 0;
const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a start that fails prints at a terminal, and its exit code. */
function startAtTerminal(flags: readonly string[]): { status: number | null; screen: string } {
  const command = [process.execPath, BUILT_PROGRAM, ...flags].join(' ');
  const { status, stdout } = spawnSync('script', ['--quiet', '--return', '--command', command, join(folder, 'typed')], {
    cwd: projectFolder,
    encoding: 'utf8',
    input: '',
    timeout: LIMIT_MS,
  });
  return { status, screen: stdout.replaceAll('\r', '') };
}

test('a port in use is told in a sentence at a terminal, in JSON elsewhere', {
  skip: hasTerminal ? false : 'script (util-linux) is not installed',
}, async () => {
  const server = await ServerProcess.start({ transport: 'node' });
  try {
    const flags = ['--port', String(server.port), '--data', join(folder, 'data')];
    const sentence = `127.0.0.1:${server.port} is in use by Varve/${VERSION}. Stop it, or choose another port with --port.`;
    const { status, screen } = startAtTerminal(flags);
    assert.equal(status, ExitCode.InUse, screen);
    assert.equal(screen.split('\n')[0]?.startsWith(`varve: ${sentence}`), true, screen);
    assert.doesNotMatch(screen, /[{}]/);
    const { code, stderr } = await runServerToEnd(flags);
    assert.equal(code, ExitCode.InUse);
    assert.equal((JSON.parse(stderr) as { msg: string }).msg, sentence);
  } finally {
    await server.stop();
  }
});

const fatal = (members: object): string => `${JSON.stringify({ level: 'fatal', time: 'now', pid: 1, ...members })}\n`;

test('the cause is told once, and no line but the last one is changed', () => {
  const cause = 'Error: EACCES: permission denied';
  assert.equal(lineForPerson(fatal({ msg: 'No folder.', cause })), `varve: No folder. (${cause})\n`);
  assert.equal(
    lineForPerson(fatal({ msg: 'No folder: EACCES: permission denied.', cause })),
    'varve: No folder: EACCES: permission denied.\n',
  );
  const other = '{"level":"error","msg":"A request failed."}\n';
  assert.equal(lineForPerson(other), other);
});

test('a fault of the program brings its trace, and asks to be reported', () => {
  const told = lineForPerson(fatal({ msg: 'The server failed.', err: { stack: 'Error: BUG\n    at a.ts:1' } }));
  assert.match(
    told,
    /^varve: The server failed\.\nError: BUG\n {4}at a\.ts:1\nThis is a fault of Varve; please report/,
  );
});

test('what a terminal takes for a command does not reach it', () => {
  const told = lineForPerson(fatal({ msg: 'Folder \u001b[31m\u009b2J\u202ex.' }));
  assert.equal(told, 'varve: Folder  [31m\\u009b2J\\u202ex.\n');
});
