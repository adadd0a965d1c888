// The program of the process in which test files run. Arguments: the file to leave the CPU time in, then the test files.
// Asked to end, or without the runner that has started it, it ends at once as a process does by itself, so that what its
// tests have started is ended, too.

import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { usedCpuMs } from './cpu-time.ts';

const ENDED_BY_SIGTERM = 143;
const RUNNER_LOOK_MS = 500;

const [cpuFile = '', ...testFiles] = process.argv.slice(2);
process.on('SIGTERM', () => process.exit(ENDED_BY_SIGTERM));
process.on('exit', () => writeFileSync(cpuFile, String(Math.round(usedCpuMs()))));
const runner = process.ppid;
setInterval(() => {
  if (process.ppid === runner) return;
  // It leads a group, which nobody else is left to end.
  process.on('exit', () => process.kill(-process.pid, 'SIGKILL'));
  process.exit(ENDED_BY_SIGTERM);
}, RUNNER_LOOK_MS).unref();
for (const testFile of testFiles) await import(pathToFileURL(testFile).href);
