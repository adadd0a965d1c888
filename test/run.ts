// Runs the tests: collects `test/**/*.test.ts` itself, because the runner's own search can find nothing and pass.
// Without arguments the first tier runs (runner/tiers.ts), with --all both, with --rest the second. Arguments are parts of
// paths; with any, only files with one of them in their path run, of either tier. --verbose (or VERBOSE=1) prints every
// test and all that files print. For tests of the runner itself: --folder is another folder whose tests are meant,
// --file-limit how many seconds a file has, or the files that share a process.
// Fails when it finds no file, when a test fails, and when a file holds no test. Interrupted, it leaves nothing behind.

import { constants } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectTestFiles, divideIntoBatches } from './runner/test-files.ts';
import { TestRun } from './runner/test-run.ts';
import type { Tier } from './runner/tiers.ts';

/** More than the two cores that CI has: many files wait more than they work, those of the second tier most of all. */
const PROCESSES_AT_ONCE = 3;
const PROCESSES_OF_SECOND_TIER = 4;
/** Bounds a file that hangs, not one that a busy machine starves. */
const FILE_LIMIT_S = 2400;
/** What a process returns that a signal has ended: 128 and the signal's number. */
const ENDED_BY_SIGNAL = 128;

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean' },
    all: { type: 'boolean' },
    rest: { type: 'boolean' },
    folder: { type: 'string', default: projectFolder },
    'file-limit': { type: 'string', default: String(FILE_LIMIT_S) },
  },
});
const folder = resolve(values.folder);
const files = collectTestFiles(folder, { parts: positionals, tiers: chosenTiers() });
const run = new TestRun({
  folder,
  batches: divideIntoBatches(files),
  processesAtOnce: values.rest ? PROCESSES_OF_SECOND_TIER : PROCESSES_AT_ONCE,
  limitMs: Number(values['file-limit']) * 1000,
  detail: values.verbose || process.env.VERBOSE === '1' ? 'verbose' : 'quiet',
  print: (text) => process.stdout.write(`${text}\n`),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.exitCode = ENDED_BY_SIGNAL + constants.signals[signal];
    void run.interrupt();
  });
}
// Nobody reads it any more.
process.stdout.on('error', () => void run.interrupt());
const verdict = await run.run();
process.exitCode ??= verdict === 'passed' ? 0 : 1;

function chosenTiers(): readonly Tier[] {
  if (values.rest) return ['second'];
  return values.all || positionals.length > 0 ? ['first', 'second'] : ['first'];
}
