// Rounds of faults of edge, centre and the line between them, with every kind of change going on: after each, edge and centre
// answer the same, byte by byte.
//
// Command: npm run campaign centre -- [--seed <n>] [--count <n>] [--extent slice|full]

import { type CampaignReport, type CampaignRun, runAsProgram } from '../../support/campaign.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { FaultPlant } from './fault-plant.ts';
import { FAULTS } from './faults.ts';
import { PlantLoad } from './plant-load.ts';

export interface FaultRun extends CampaignRun {
  /** Called in the end, before the last comparison, with a limit for that: for the negative control. */
  readonly spoil?: { readonly how: (plant: FaultPlant) => Promise<void>; readonly limitMs: number };
  /** Told which fault a round has, and how long it took to come to the same. */
  readonly onRound?: (text: string) => void;
}

export async function runFaultRounds({ seed, count, onProgress, onRound, spoil }: FaultRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const plant = await FaultPlant.start();
  const failures: string[] = [];
  let trials = 0;
  try {
    const load = new PlantLoad(random.fork(), () => plant.edgeUrl);
    await load.begin();
    // Each of them comes as often as the others.
    let order: typeof FAULTS = [];
    for (; trials < count && failures.length === 0; trials++) {
      if (order.length === 0) order = random.shuffled([...FAULTS]);
      const [fault, ...rest] = order as [(typeof FAULTS)[number], ...typeof FAULTS];
      order = rest;
      await fault.run({ plant, load, random });
      const startMs = performance.now();
      const difference = await plant.difference();
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      onRound?.(`${fault.name}: the same after ${seconds} s, ${load.requests} requests so far`);
      if (difference !== undefined) failures.push(`seed ${seed}, round ${trials}, ${fault.name}: ${difference}`);
      onProgress?.(trials + 1, count);
    }
    if (spoil) {
      await spoil.how(plant);
      const difference = await plant.difference(spoil.limitMs);
      if (difference !== undefined) failures.push(`spoilt: ${difference}`);
    }
  } finally {
    await plant.stop();
  }
  return { trials, failures };
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 4, full: 200 } as const;

if (process.argv[1] === import.meta.filename) {
  const onRound = (text: string): void => console.log(text);
  await runAsProgram({ name: 'centre', counts: COUNTS }, (run) => runFaultRounds({ ...run, onRound }));
}
