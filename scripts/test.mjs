// `npm test`: installs when needed, then every static check, then all tests.
// `npm test -- <part of a path>…` runs only the test files with that in their path, without the static checks.

import { ensureDependencies, runNode } from './dependencies.mjs';

ensureDependencies();
const buildCode = runNode(['scripts/build-explorer.mjs']);
const filters = process.argv.slice(2);
const checkCode = filters.length === 0 ? runNode(['scripts/check.mjs']) : 0;
const testCode = runNode(['--import', 'tsx', 'test/run.ts', ...filters]);
process.exit(buildCode || checkCode || testCode);
