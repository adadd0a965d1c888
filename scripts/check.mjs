// `npm run check`: every static check, one after the other; all of them run, also after a failure.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureDependencies, projectFolder } from './dependencies.mjs';

const CHECKS = [
  ['types', 'typescript/bin/tsc', ['-p', '.']],
  ['types of the page', 'typescript/bin/tsc', ['-p', 'server/explorer']],
  ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['promises and switches', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']],
  ['dead code', 'knip/bin/knip.js', []],
];

ensureDependencies();
const failed = CHECKS.filter(([title, program, programArguments]) => !passes(title, program, programArguments));
if (failed.length > 0) console.error(`Failed: ${failed.map(([title]) => title).join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

function passes(title, program, programArguments) {
  const startMs = performance.now();
  const path = join(projectFolder, 'node_modules', program);
  const result = spawnSync(process.execPath, [path, ...programArguments], { cwd: projectFolder, stdio: 'inherit' });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.error(`${result.status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  return result.status === 0;
}
