// Random input for everything that reads what others wrote: request bodies, queries, configurations, files. Only the
// errors that are declared come out, nothing hangs, and nothing allocates out of proportion.
//
// Command: npm run campaign fuzz -- [--seed <n>] [--count <n>] [--extent slice|full]
// [--only <part of a name>]

import { parseCount, parseExtent, parseOptions, parseSeed } from '../support/campaign.ts';
import { bodyTargets } from './body-targets.ts';
import { configurationTargets } from './configuration-targets.ts';
import { doorTargets } from './door-targets.ts';
import { makeFileTargets } from './file-targets.ts';
import { type FuzzTarget, fuzz } from './fuzz-target.ts';

/** Trials of each input: as many as the tests run at most, and the whole. */
export const COUNTS = { slice: 1500, full: 10_000 } as const;

export async function makeTargets(): Promise<FuzzTarget[]> {
  return [...bodyTargets, ...doorTargets, ...configurationTargets, ...(await makeFileTargets())];
}

async function main(): Promise<void> {
  const options = parseOptions(['seed', 'count', 'extent', 'only']);
  const seed = parseSeed(options.seed);
  const count = parseCount(options.count) ?? COUNTS[parseExtent(options.extent)];
  const targets = (await makeTargets()).filter(({ name }) => name.includes(options.only ?? ''));
  console.log(`seed ${seed}\n| Input | Trials | Failures | Refused | Longest (ms) |\n|---|---|---|---|---|`);
  for (const target of targets) {
    try {
      const { name, trials, refused, longestMs } = await fuzz(target, { seed, count });
      console.log(`| ${name} | ${trials} | 0 | ${refused} | ${longestMs.toFixed(0)} |`);
    } catch (error) {
      console.log(`| ${target.name} | ${count} | 1 | | |`);
      console.error((error as Error).message);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === import.meta.filename) await main();
