// `npm run bench -- [options]`: the suites of measurements. `npm run bench <name> [-- options]`: one of the programs beside them.
// `--help` lists both.

import { BENCH_PROGRAMS } from './bench-programs.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { listPrograms, runProgram, unknownProgram } from './named-programs.mjs';

const [name = '', ...words] = process.argv.slice(2);
if (Object.hasOwn(BENCH_PROGRAMS, name) && !words.includes('--help')) {
  ensureDependencies();
  process.exitCode = runProgram(BENCH_PROGRAMS, name, words);
} else if (name !== '' && !name.startsWith('-') && !Object.hasOwn(BENCH_PROGRAMS, name)) {
  console.error(unknownProgram('program of measurements', name, BENCH_PROGRAMS));
  process.exitCode = 2;
} else {
  const isHelp = process.argv.includes('--help');
  if (isHelp) console.log(`npm run bench <name> [-- options]\n\n${listPrograms(BENCH_PROGRAMS)}\n`);
  ensureDependencies();
  if (isHelp) process.argv.splice(2, process.argv.length, '--help');
  const { register } = await import('tsx/esm/api');
  register();
  await import('../bench/main.ts');
}
