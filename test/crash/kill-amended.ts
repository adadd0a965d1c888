// kill -9 of the real server at random moments while clients write late, correct, remove, delete and make again, and change
// rules and types, with a purge every two seconds and limits under which everything turns over; in a folder, on disks that
// are full or nearly so, and with the power of the disk cut. After each restart every dataset shows what was acknowledged.
//
// Command: npm run campaign kill-amended -- [--seed <n>] [--count <n>] [--extent slice|full] [--place <name>]

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CampaignReport, type CampaignRun, type OwnOptions, runAsProgram } from '../support/campaign.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { KillAmender } from './kill-amender.ts';
import { drawLimits } from './kill-limits.ts';
import { openPlace, PLACES, type PlaceName, whyNoPlace } from './kill-places.ts';
import { type KillPlace, KillRounds } from './kill-rounds.ts';

export const DATASETS = ['Amended 1', 'Amended 2', 'Amended 3'];
const LOAD = { least: 10, most: 250 };
/** Every check looks through all that was done before: after so many rounds the campaign goes on with empty datasets. */
const ROUNDS_OF_FOLDER = 12;

export interface AmendedKillRun extends CampaignRun {
  readonly place: PlaceName;
  /** Holds the data, and of a round that failed `before`, what its server started on, and `failed`, what it left. */
  readonly folder: string;
  /** Does to the data folder after a kill what a negative control must notice. */
  readonly afterKill?: (dataFolder: string) => void;
}

/** A trial is a round. Ends at the first failure. */
export async function runAmendedKills(run: AmendedKillRun): Promise<CampaignReport> {
  const { seed, count, place, onProgress } = run;
  const random = new SeededRandom(seed);
  let trials = 0;
  while (trials < count) {
    const to = Math.min(count, trials + ROUNDS_OF_FOLDER);
    const { rounds, dataFolder, remove } = roundsAt(run, random);
    try {
      await rounds.run(trials, to);
    } catch (error) {
      keep(dataFolder, join(run.folder, 'failed'));
      const failure = `${place}, seed ${seed}, round ${rounds.checkedRounds}, ${run.folder}: ${(error as Error).message}`;
      return { trials: rounds.checkedRounds + 1, failures: [failure] };
    } finally {
      remove();
    }
    trials = to;
    onProgress?.(trials, count);
  }
  return { trials, failures: [] };
}

interface Opened {
  readonly rounds: KillRounds;
  readonly dataFolder: string;
  readonly remove: () => void;
}

function roundsAt(run: AmendedKillRun, random: SeededRandom): Opened {
  const { place, remove } = openPlace(run.place, run.folder, random.fork());
  const full = run.place.startsWith('full') ? 'perhaps' : 'never';
  const clients = DATASETS.map((dataset) => new KillAmender({ dataset, random: random.fork(), full }));
  const durabilities = run.place.startsWith('cut') ? ['group'] : ['group', 'interval', 'os'];
  const serverOf = (round: number) => ({
    flags: ['--durability', durabilities[round % durabilities.length] as string],
    limits: drawLimits(random),
  });
  const ending: KillPlace = {
    ...place,
    async end(server, power) {
      await place.end(server, power);
      run.afterKill?.(place.dataFolder);
      keep(place.dataFolder, join(run.folder, 'before'));
    },
  };
  const rounds = new KillRounds({
    random,
    place: ending,
    clients,
    load: LOAD,
    serverOf,
  });
  return { rounds, dataFolder: place.dataFolder, remove };
}

/** A copy to be looked at: a disk of its own goes with the campaign. */
function keep(dataFolder: string, copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(dataFolder)) cpSync(dataFolder, copy, { recursive: true });
}

/** Rounds: what the tests run, and the whole of a folder; of each other place it is a fifth. */
export const COUNTS = { slice: 5, full: 300 } as const;

async function killAsProgram(run: CampaignRun, { place }: OwnOptions): Promise<CampaignReport> {
  if (place !== undefined && !PLACES.some((name) => name === place))
    throw new Error(`--place ${place}: want one of ${PLACES.join(', ')}`);
  const reports: CampaignReport[] = [];
  for (const name of PLACES.filter((one) => place === undefined || one === place)) {
    const folder = mkdtempSync(join(tmpdir(), 'varve-kill-'));
    const count = place !== undefined || name === 'folder' ? run.count : Math.ceil(run.count / 5);
    const reason = whyNoPlace(name, folder);
    const report =
      reason === false
        ? await runAmendedKills({ ...run, count, place: name, folder })
        : { trials: 0, failures: [`${name}: ${reason}`] };
    console.log(`${name}: ${report.trials} rounds, ${report.failures.length} failures`);
    reports.push(report);
    // What failed is kept to be looked at.
    if (report.failures.length === 0) rmSync(folder, { recursive: true, force: true });
  }
  return {
    trials: reports.reduce((sum, { trials }) => sum + trials, 0),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'kills under amendments', counts: COUNTS, own: ['place'] }, killAsProgram);
