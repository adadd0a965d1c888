// `npm start` as a service manager or a script uses it: by the process id of npm.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { projectFolder, temporaryFolder } from '../support/server-process.ts';

const READY_LIMIT_MS = 120_000;
const END_LIMIT_MS = 90_000;
const POLL_MS = 50;

interface Started {
  readonly npm: ChildProcess;
  readonly serverPid: number;
  /** Resolves to all that was logged once npm and everything that it has started are gone. */
  readonly ended: Promise<string>;
}

/** Resolves once the server is ready. */
async function startByNpm(context: TestContext): Promise<Started> {
  const folder = temporaryFolder();
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const flags = ['--port', '0', '--data', join(folder, 'data'), '--no-demo'];
  const npm = spawn('npm', ['start', '--', ...flags], {
    cwd: projectFolder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const npmPid = npm.pid as number;
  context.after(() => {
    endGroup(npmPid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  let log = '';
  // The pipe is closed when the last process that holds it has ended.
  const ended = new Promise<string>((resolve) => npm.once('close', () => resolve(log)));
  const ready = new Promise<number>((resolve) => {
    npm.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const found = /^\{.*"pid":(\d+).*"msg":"Ready\."\}$/m.exec(log);
      if (found !== null) resolve(Number(found[1]));
    });
  });
  return { npm, serverPid: await within(READY_LIMIT_MS, ready, () => log), ended };
}

/** Resolves once there is no such process; one that has ended may still wait for its exit code to be asked for. */
async function gone(pid: number): Promise<void> {
  for (let round = 0; round < END_LIMIT_MS / POLL_MS; round++) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
      return;
    }
    await delay(POLL_MS);
  }
  throw new Error(`process ${pid} is still there`);
}

function endGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function within<T>(limitMs: number, awaited: Promise<T>, explain: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${explain()}`)), limitMs);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}

const stoppings = [
  ['SIGTERM to npm alone', (npm: ChildProcess) => npm.kill('SIGTERM')],
  ['Ctrl-C, SIGINT to all', (npm: ChildProcess) => process.kill(-(npm.pid as number), 'SIGINT')],
] as const;

for (const [title, stop] of stoppings) {
  test(`${title} stops the server in order, and nothing is left running`, async (context) => {
    const { npm, serverPid, ended } = await startByNpm(context);
    assert.notEqual(serverPid, npm.pid);
    stop(npm);
    const log = await within(END_LIMIT_MS, ended, () => `npm ${npm.pid}, server ${serverPid}`);
    assert.match(log, /"msg":"Stopped in [\d.]+ s\."/);
    for (const pid of [serverPid, npm.pid as number]) await within(END_LIMIT_MS, gone(pid), () => `process ${pid}`);
  });
}
