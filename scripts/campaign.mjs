// `npm run campaign <name> [-- options]`: long runs of random faults, of which the tests run slices.

import { CAMPAIGNS } from './campaigns.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { listPrograms, runProgram, unknownProgram } from './named-programs.mjs';

const USAGE = `npm run campaign <name> [-- --extent slice|full] [--seed <n>] [--count <n>] [--transport uws|node] …

${listPrograms(CAMPAIGNS)}

--extent says how much runs: full by itself, a slice is what the tests run. --count is another number of trials, rounds or
minutes. The seed is chosen by chance by itself, and printed. Tables of rows (access, attack, conformance, fairness) have --only and
--transport instead of a seed and a count.`;

const [name = '--help', ...words] = process.argv.slice(2);
if (name === '--help' || words.includes('--help')) {
  console.log(USAGE);
} else if (Object.hasOwn(CAMPAIGNS, name)) {
  ensureDependencies();
  process.exitCode = runProgram(CAMPAIGNS, name, words);
} else {
  console.error(unknownProgram('campaign', name, CAMPAIGNS));
  process.exitCode = 2;
}
