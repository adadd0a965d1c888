// Runs CESMII's conformance suite, whose folder `conformance-tests` is given, against a server with a few tags of its own.
// The suite is not part of the project. Ends as the suite does: 0 for every verdict but "Not Compliant".

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from '../../../support/server-process.ts';

const TIME_LIMIT_MS = 300_000;

const [folder, ...options] = process.argv.slice(2);
const program = join(folder ?? '', 'bin', 'i3x-test.js');
if (folder === undefined || !existsSync(program)) {
  console.error('usage: npm run campaign i3x -- <folder of the suite> [options of its `run`]');
  process.exit(2);
}
const server = await ServerProcess.start();
try {
  await writePoints(server.url);
  const args = [program, 'run', `${server.url}/i3x/v1`, ...options];
  const suite = spawn(process.execPath, args, { stdio: 'inherit', timeout: TIME_LIMIT_MS });
  const [code] = await once(suite, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  await server.stop();
}

async function writePoints(url: string): Promise<void> {
  const nowMs = Date.now();
  const points = (value: (i: number) => unknown): unknown[] =>
    Array.from({ length: 60 }, (_, i) => ({ t: new Date(nowMs - (60 - i) * 60_000).toISOString(), v: value(i) }));
  const body = {
    'line 1/Flow': points((i) => i / 4),
    'line 1/pump/Running': points((i) => i % 2 === 0),
    'line 1/pump/State': points((i) => `step ${i % 5}`),
    Level: points((i) => 50 + i),
  };
  const answer = await fetch(`${url}/api/datasets/Plant/data`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The points were not stored: ${answer.status} ${await answer.text()}`);
}
