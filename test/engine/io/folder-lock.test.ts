// The lock on a data folder: one holder at a time, freed with the process, whatever the LOCK file says.

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../../engine/errors.ts';
import { LOCK_FILE_NAME, lockFolder, lockFolderByFile } from '../../../engine/io/folder-lock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const HOLDER = fileURLToPath(new URL('lock-holder.ts', import.meta.url));
/** Above the kernel's largest pid. */
const DEAD_PID = 2 ** 22 + 1;

interface Holder {
  readonly child: ChildProcessWithoutNullStreams;
  readonly firstLine: string;
}

async function startHolder(context: TestContext, folder: string, way: 'default' | 'file'): Promise<Holder> {
  const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, folder, way]);
  context.after(() => child.kill('SIGKILL'));
  let output = '';
  while (!output.includes('\n')) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    output += chunk.toString();
  }
  return { child, firstLine: output.split('\n')[0] as string };
}

async function kill(holder: Holder): Promise<void> {
  const exited = once(holder.child, 'exit');
  holder.child.kill('SIGKILL');
  await exited;
}

const ways = [
  { title: 'default lock', way: 'default', take: lockFolder },
  { title: 'file lock', way: 'file', take: lockFolderByFile },
] as const;

for (const { title, way, take } of ways) {
  test(`${title}: a second holder in the same process is refused until the first releases`, async (context) => {
    const folder = makeTempFolder(context);
    const first = await take(folder);
    await assert.rejects(take(folder), { name: 'EngineError', code: 'LOCKED' });
    await first.release();
    await first.release();
    const second = await take(folder);
    await second.release();
    assert.equal(existsSync(join(folder, LOCK_FILE_NAME)), false);
  });

  test(`${title}: the loser in another process learns who holds the folder`, async (context) => {
    const folder = makeTempFolder(context);
    const lock = await take(folder);
    const loser = await startHolder(context, folder, way);
    const answer = JSON.parse(loser.firstLine) as { code: string; message: string };
    assert.equal(answer.code, 'LOCKED');
    assert.match(answer.message, new RegExp(`in use by process ${process.pid} on .+ since \\d{4}-\\d\\d-\\d\\dT`));
    assert.match(readFileSync(join(folder, LOCK_FILE_NAME), 'utf8'), new RegExp(`^pid ${process.pid}\n`));
    await lock.release();
  });

  test(`${title}: kill -9 of the holder frees the folder`, async (context) => {
    const folder = makeTempFolder(context);
    const holder = await startHolder(context, folder, way);
    assert.equal(holder.firstLine, 'locked');
    await assert.rejects(take(folder), (error: unknown) => {
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, 'LOCKED');
      assert.equal(error.details.pid, holder.child.pid);
      assert.equal(error.details.path, folder);
      return true;
    });
    await kill(holder);
    assert.ok(existsSync(join(folder, LOCK_FILE_NAME)), 'a killed process leaves its LOCK file');
    const lock = await take(folder);
    await lock.release();
  });

  test(`${title}: a LOCK file of a dead process does not block`, async (context) => {
    const folder = makeTempFolder(context);
    writeFileSync(
      join(folder, LOCK_FILE_NAME),
      `pid ${DEAD_PID}\nhost ${hostname()}\nsince 2020-01-01T00:00:00.000Z\n`,
    );
    const lock = await take(folder);
    assert.match(readFileSync(join(folder, LOCK_FILE_NAME), 'utf8'), new RegExp(`^pid ${process.pid}\n`));
    await lock.release();
  });
}

test('default lock: a forged LOCK file of a living process does not block', {
  skip: process.platform === 'linux' ? false : 'abstract sockets are Linux only',
}, async (context) => {
  const folder = makeTempFolder(context);
  for (const forged of [`pid 1\nhost ${hostname()}\nsince now\n`, 'no such form', '']) {
    writeFileSync(join(folder, LOCK_FILE_NAME), forged);
    const lock = await lockFolder(folder);
    await lock.release();
  }
});

test('two folders are two locks', async (context) => {
  const first = await lockFolder(makeTempFolder(context));
  const second = await lockFolder(makeTempFolder(context));
  await first.release();
  await second.release();
});
