// `npm test`: installs when needed, builds the page and the program, then every static check, then the tests of the first
// tier (test/runner/tiers.ts). `npm run test:all` runs all tests; with `-- --rest` only what `npm test` leaves out, without the
// static checks. `npm test -- <part of a path>…` runs only the test files with that in their path, without the static checks.
// `--verbose` prints every test, and what the files print. The tests are run by this very process, so that signals reach
// their runner.

import { ensureBuilt } from './clone-build.mjs';
import { ensureDependencies, runNode } from './dependencies.mjs';
import { endWithLauncher } from './launcher.mjs';

ensureDependencies();
const buildCode = runNode(['scripts/build-explorer.mjs']);
const words = process.argv.slice(2);
const isChecked = words.every((word) => word.startsWith('-')) && !words.includes('--rest');
const checkCode = isChecked ? runNode(['scripts/check.mjs']) : 0;
if (buildCode || checkCode) process.exitCode = 1;
// Before a test starts a server, whose lines are to be its own.
ensureBuilt();
endWithLauncher();
await import('tsx');
await import('../test/run.ts');
