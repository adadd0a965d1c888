// Bit rot over a dataset of megabytes: bytes flipped, and blocks of 4 KiB zeroed, swapped, stale or repeated, in every
// file. What the touched file still gives is what was written, and what it no longer gives is said; now and then the
// whole dataset is opened and read.
//
// Command: npm run campaign rot -- [--seed <n>] [--count <n; 0: every byte and block>]
// [--extent slice|full] [--part 1/2: every second of them, from the first]

import { CATALOG_FILE, DATASET_FILE } from '../../engine/filenames.ts';
import { checkFolder, type Engine } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { EVERYTHING } from '../support/engine-points.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { lentDiskOf } from './disk-image.ts';
import { damage, everyRot, type Rot, type RotChanges, someRot } from './rots.ts';
import { DATASET, FOLDER, makeRottenPlant, openPlant, type RottenPlant, sizeOf } from './rotten-plant.ts';
import { SoundFile } from './sound-file.ts';
import type { WrittenPoints } from './written-points.ts';

const JOURNALS = `${FOLDER}/journal/`;
const PLANT_BYTES = 10_000_000;
/** One damage of so many is looked at by opening and reading the whole dataset. */
const WHOLE_STEP = 1000;
const MOST_FAILURES = 5;

export interface BitRotRun extends CampaignRun {
  readonly fewestBytes: number;
  readonly wholeStep: number;
  /** `ignored`: as if no reader had noticed anything; a negative control. */
  readonly reports: 'heeded' | 'ignored';
  readonly changes: RotChanges;
}

export async function rot(run: BitRotRun): Promise<CampaignReport> {
  const { seed, count, wholeStep, part = { number: 1, of: 1 } } = run;
  const random = new SeededRandom(seed);
  const plant = await makeRottenPlant(run.fewestBytes);
  const judge = new RotJudge(plant, run.reports);
  const rots = count === 0 ? everyRot(plant, random, run.changes) : someRot(plant, random, run.changes);
  const total = Math.ceil((count === 0 ? sizeOf(plant.image) : count) / part.of);
  const failures: string[] = [];
  let trials = 0;
  let place = 0;
  for (const each of rots) {
    if (count > 0 && place === count) break;
    if (place++ % part.of !== part.number - 1) continue;
    const found = await judge.judge(each, trials % wholeStep === 0 ? 'also whole' : 'file');
    for (const failure of found) failures.push(`seed ${seed}: ${each.path}, ${each.what}: ${failure}`);
    trials++;
    run.onProgress?.(trials, total);
    if (failures.length >= MOST_FAILURES) break;
  }
  return { trials, failures };
}

/** Blocks of a file that is replaced as a whole are sound by themselves when stale: that shows only beside the other files. */
function showsOnlyBesideOthers({ path, what }: Rot): boolean {
  const isReplacedWhole = path.endsWith(`/${CATALOG_FILE}`) || path.endsWith(`/${DATASET_FILE}`);
  return isReplacedWhole && what.endsWith('stale');
}

/** Damages the bytes of the plant where they are, looks at what can be read, and takes the damage back. */
class RotJudge {
  readonly #plant: RottenPlant;
  readonly #reports: BitRotRun['reports'];
  readonly #disk;
  readonly #files: ReadonlyMap<string, SoundFile>;

  constructor(plant: RottenPlant, reports: BitRotRun['reports']) {
    this.#plant = plant;
    this.#reports = reports;
    this.#disk = lentDiskOf(plant.image);
    this.#files = new Map(
      [...plant.image.keys()].map((path) => [path, new SoundFile(this.#disk, FOLDER, path, plant.written)]),
    );
  }

  /** What was wrong with what could be read. */
  async judge(each: Rot, extent: 'file' | 'also whole'): Promise<string[]> {
    const isStale = showsOnlyBesideOthers(each);
    const takeBack = damage(this.#plant.image.get(each.path) as Uint8Array, each);
    const failures: string[] = [];
    try {
      if (!isStale) this.#judgeFile(each.path);
    } catch (error) {
      failures.push((error as Error).message);
    }
    try {
      if (isStale || extent === 'also whole') await judgeWhole(this.#plant);
    } catch (error) {
      failures.push(`the whole: ${(error as Error).message}`);
    }
    takeBack();
    return failures;
  }

  /**
   * Opens the touched file alone. Zeros to the end of a journal are room made ahead of its records: whether there were some
   * shows by the number of the first record of the journal behind it.
   */
  #judgeFile(path: string): void {
    const { pieceCount, lostCount, isDamageSaid } = (this.#files.get(path) as SoundFile).judge(this.#disk);
    if (lostCount === 0) return;
    const isSaid = isDamageSaid || (path.startsWith(JOURNALS) && !checkFolder(this.#disk, 'data').clean);
    if (!isSaid || this.#reports === 'ignored')
      throw new Error(`${lostCount} of ${pieceCount} pieces are missing, and nothing says so`);
  }
}

/** Opens the dataset and reads everything: only what was written, in order, and gaps where some of it is missing. */
async function judgeWhole({ image, written }: RottenPlant): Promise<void> {
  const isNoticed = !checkFolder(lentDiskOf(image), 'data').clean;
  const engine = await openPlant(lentDiskOf(image));
  for (const tag of written.values()) {
    const lost = await countLost(engine, tag);
    if (lost > 0 && !isNoticed) throw new Error(`${tag.name} has gaps, and the check of the folder finds nothing`);
  }
  await engine.close();
}

/** Reads all of a tag; returns how many points it says are missing. */
async function countLost(engine: Engine, tag: WrittenPoints): Promise<number> {
  const request = { range: EVERYTHING, carryIn: false, skipMissing: false, limit: undefined, after: [] };
  const cursor = engine.read(DATASET, { ...request, tags: [tag.name] }).open(0);
  let place = 0;
  let count = 0;
  for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
    place = tag.follow(chunk.type, chunk.points, chunk.start, chunk.end, place);
    count += chunk.end - chunk.start;
  }
  const lost = cursor.outcome().gaps.reduce((sum, gap) => sum + gap.points, 0);
  cursor.close();
  if (count + lost !== tag.count)
    throw new Error(`${tag.name}: ${count} points and gaps of ${lost}; ${tag.count} were written`);
  return lost;
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 2000, full: 20000 } as const;

if (process.argv[1] === import.meta.filename) {
  Error.stackTraceLimit = 0; // every damage is an error or two, and nobody asks where they were thrown
  const fixed = { fewestBytes: PLANT_BYTES, wholeStep: WHOLE_STEP, reports: 'heeded', changes: 'any' } as const;
  await runAsProgram({ name: 'bit rot', counts: COUNTS, division: 'parts' }, (run) => rot({ ...run, ...fixed }));
}
