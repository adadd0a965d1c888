// Bit rot over a dataset of megabytes: bytes flipped, and blocks of 4 KiB zeroed, swapped, stale or repeated, in every
// file. What the touched file still gives is what was written, and what it no longer gives is said; now and then the
// whole dataset is opened and read.
//
// As a program: node --import tsx test/corruption/bit-rot.ts --seed <n> --count <trials; 0: every byte and block>

import { CATALOG_FILE, DATASET_FILE } from '../../engine/filenames.ts';
import { checkFolder } from '../../engine/index.ts';
import { formatPoint, readPoints } from '../model/points.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { EVERYTHING } from '../support/engine-points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';
import { type DiskImage, diskOf, withFile } from './disk-image.ts';
import {
  DATASET,
  makeRottenPlant,
  openFile,
  pointAt,
  type RottenPlant,
  START_MS,
  TAG_NAMES,
  TUNABLES,
} from './rotten-plant.ts';

const DISK_BLOCK_BYTES = 4096;
/** One damage of so many is looked at by opening and reading the whole dataset. */
const WHOLE_STEP = 1000;
const MOST_FAILURES = 5;

export interface BitRotRun extends CampaignRun {
  readonly fewestBytes: number;
  /** `ignored`: as if no reader had noticed anything; the negative control. */
  readonly reports: 'heeded' | 'ignored';
}

interface Rot {
  readonly path: string;
  readonly what: string;
  readonly bytes: Uint8Array;
}

/** Blocks of a file that is replaced as a whole are sound by themselves when stale: that shows only beside the other files. */
function showsOnlyBesideOthers({ path, what }: Rot): boolean {
  const isReplacedWhole = path.endsWith(`/${CATALOG_FILE}`) || path.endsWith(`/${DATASET_FILE}`);
  return isReplacedWhole && what.endsWith('stale');
}

export async function rot({ seed, count, fewestBytes, reports }: BitRotRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const plant = await makeRottenPlant(fewestBytes);
  const sound = new Map(
    [...plant.image.keys()].map((path) => [path, new Set(openFile(diskOf(plant.image), path).facts)]),
  );
  const failures: string[] = [];
  let trials = 0;
  for (const damage of count === 0 ? everyRot(plant, random) : someRot(plant, random, count)) {
    try {
      const isStale = showsOnlyBesideOthers(damage);
      if (!isStale) judgeFile(damage, sound.get(damage.path) as ReadonlySet<string>, reports);
      if (isStale || trials % WHOLE_STEP === 0) await judgeWhole(plant, damage);
    } catch (error) {
      failures.push(`seed ${seed}: ${damage.path}, ${damage.what}: ${(error as Error).message}`);
    }
    trials++;
    if (failures.length >= MOST_FAILURES) break;
  }
  return { trials, failures };
}

function* everyRot(plant: RottenPlant, random: SeededRandom): Generator<Rot> {
  for (const [path, bytes] of plant.image) {
    for (let offset = 0; offset < bytes.length; offset++) yield flip(path, bytes, offset, random);
    for (let from = 0; from < bytes.length; from += DISK_BLOCK_BYTES) yield* blockRots(plant, path, from, random);
  }
}

/** Nine bytes for each block; files by their size, and each file at least now and then. */
function* someRot(plant: RottenPlant, random: SeededRandom, count: number): Generator<Rot> {
  const paths = [...plant.image.keys()];
  for (let trials = 0; trials < count; ) {
    const path = random.pick(paths);
    const bytes = plant.image.get(path) as Uint8Array;
    const offset = random.below(bytes.length);
    const from = offset - (offset % DISK_BLOCK_BYTES);
    const rots = random.chance(0.9) ? [flip(path, bytes, offset, random)] : [...blockRots(plant, path, from, random)];
    for (const damage of rots) {
      yield damage;
      trials++;
    }
  }
}

function flip(path: string, bytes: Uint8Array, offset: number, random: SeededRandom): Rot {
  const mask = random.between(1, 255);
  const changed = bytes.slice();
  changed[offset] = (changed[offset] as number) ^ mask;
  return { path, what: `byte ${offset} flipped by ${mask}`, bytes: changed };
}

/** One block zeroed, as it was earlier, a repetition of another, and swapped with another, where that changes it. */
function* blockRots({ image, earlier }: RottenPlant, path: string, from: number, random: SeededRandom): Generator<Rot> {
  const bytes = image.get(path) as Uint8Array;
  const to = Math.min(bytes.length, from + DISK_BLOCK_BYTES);
  const otherFrom = DISK_BLOCK_BYTES * random.below(Math.ceil(bytes.length / DISK_BLOCK_BYTES));
  const other = bytes.slice(otherFrom, Math.min(bytes.length, otherFrom + (to - from)));
  const stale = earlier.get(path)?.slice(from, to) ?? new Uint8Array();
  const whole = new Uint8Array(to - from);
  whole.set(stale);
  const replace = (what: string, ...parts: readonly [Uint8Array, number][]): Rot => {
    const changed = bytes.slice();
    for (const [part, at] of parts) changed.set(part.subarray(0, changed.length - at), at);
    return { path, what: `block at ${from} ${what}`, bytes: changed };
  };
  const rots = [
    replace('zeroed', [new Uint8Array(to - from), from]),
    replace('stale', [whole, from]),
    replace(`repeats ${otherFrom}`, [other, from]),
    replace(`swapped with ${otherFrom}`, [other, from], [bytes.slice(from, from + other.length), otherFrom]),
  ];
  for (const damage of rots) if (Buffer.compare(damage.bytes, bytes) !== 0) yield damage;
}

/** Opens the touched file alone. */
function judgeFile({ path, bytes }: Rot, sound: ReadonlySet<string>, reports: BitRotRun['reports']): void {
  const { facts, isDamageSaid } = openFile(diskOf(new Map([[path, bytes]])), path);
  const wrong = facts.find((fact) => !sound.has(fact));
  if (wrong !== undefined) throw new Error(`gives what was never written: ${wrong.slice(0, 60)}`);
  const lost = sound.size - new Set(facts).size;
  const isHeeded = isDamageSaid && reports === 'heeded';
  if (lost > 0 && !isHeeded) throw new Error(`${lost} of ${sound.size} pieces are missing, and nothing says so`);
}

/** Opens the dataset and reads everything: only what was written, in order, and gaps where some of it is missing. */
async function judgeWhole({ image, pointCount }: RottenPlant, { path, bytes }: Rot): Promise<void> {
  const disk: DiskImage = withFile(image, path, bytes);
  const clock = new ManualClock(START_MS + 7_200_000);
  const isNoticed = !checkFolder(diskOf(disk), 'data').clean;
  const engine = await openTestEngine({ vfs: diskOf(disk), clock, random: new SeededRandom(1), tunables: TUNABLES });
  const request = { range: EVERYTHING, carryIn: false, skipMissing: false, limit: undefined, after: [] };
  for (const name of TAG_NAMES) {
    const [answer] = await readPoints(engine, DATASET, { ...request, tags: [name] });
    const { points, gaps } = answer as NonNullable<typeof answer>;
    const said = gaps.reduce((sum, gap) => sum + gap.points, 0);
    if (points.length + said !== pointCount)
      throw new Error(`${name}: ${points.length} points and gaps of ${said}; ${pointCount} were written`);
    if (said > 0 && !isNoticed) throw new Error(`${name} has gaps, and the check of the folder finds nothing`);
    for (const point of points) {
      const place = (point.ms - START_MS) / 100;
      if (formatPoint(point) !== formatPoint(pointAt(name, place)))
        throw new Error(`${name}: read ${formatPoint(point)}`);
    }
  }
  await engine.close();
}

if (process.argv[1] === import.meta.filename) {
  await runAsProgram('bit rot', 20_000, (run) => rot({ ...run, fewestBytes: 10_000_000, reports: 'heeded' }));
}
