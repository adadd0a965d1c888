// `npm run campaign <name> [-- options]`: long runs of random faults, of which the tests run slices.

import { CAMPAIGNS } from './campaigns.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { listPrograms, runProgram, unknownProgram } from './named-programs.mjs';

const USAGE = `npm run campaign <name> [-- --seed <n>] [--extent <n>|slice|full] and what the campaign has besides

${listPrograms(CAMPAIGNS)}

The seed is chosen by chance by itself, and printed. The extent is a number of trials where the line says nothing else; full by
itself, slice is what a test would run. attack and fairness have their rows instead of a seed, and no numbers as extent.`;

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
