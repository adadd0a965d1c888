// The plain server in a process of its own, for measurements beside ours.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { driveWrites } from '../client/write-driver.ts';
import { atEnd } from '../support/clean-up.ts';
import { withinLimit } from '../support/time-limit.ts';
import type { WriteLoad } from '../workloads/write-load.ts';

const PROGRAM = fileURLToPath(new URL('plain-server.ts', import.meta.url));
const START_LIMIT_MS = 60_000;
const READY = /Listening on (http:\/\/\S+)/;

/** Points a second. */
export function measurePlain(load: WriteLoad): Promise<number> {
  return withPlainServer(async (url) => {
    const { elapsedMs } = await driveWrites(url, load);
    return (load.points / elapsedMs) * 1000;
  });
}

/** Starts it, hands its address to `work`, and sees that it ends. */
export async function withPlainServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const callOff = atEnd(() => child.kill('SIGKILL'));
  try {
    const url = await withinLimit(addressOf(child), START_LIMIT_MS, 'the plain server');
    return await work(url);
  } finally {
    child.kill('SIGKILL');
    callOff();
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the plain server ended with code ${code}`)));
    let output = '';
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
      const url = READY.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
