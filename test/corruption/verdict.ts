// Opens a damaged disk and judges what is read: nothing wrong, nothing missing that some intact byte still holds, and what
// is missing said in the gaps.

import { readCatalog } from '../../engine/files/catalog-file.ts';
import {
  type Engine,
  type EngineEvent,
  MAX_TIME_MS,
  MIN_TIME_MS,
  type ReadGap,
  type ReadRange,
  ValueType,
} from '../../engine/index.ts';
import { buildBatch, formatPoint, type Point, readPoints, type TagAnswer } from '../model/points.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import type { Damage } from './damages.ts';
import { type DiskImage, diskOf, keepFiles, takeImage, withFile } from './disk-image.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { DATASET, FOLDER, type OpenedPlant, openPlant, POINTS, START_MS, TUNABLES } from './plant.ts';

const EVERYTHING: ReadRange = {
  kind: 'range',
  start: { ms: MIN_TIME_MS, ticks: 0 },
  end: { ms: MAX_TIME_MS, ticks: 9999 },
};
const TEXTS = new Map([...POINTS].map(([name, points]) => [name, points.map(formatPoint)]));

/** A sound dataset, and where everything in it is. */
export class SoundPlant {
  readonly image: DiskImage;
  readonly pieces: readonly Piece[];
  readonly ids: ReadonlyMap<string, number>;
  /** By name, how many points the catalog knows of. */
  readonly known: ReadonlyMap<string, number>;

  /** `ids`: of the tags that the catalog does not have yet. */
  constructor(image: DiskImage, ids: ReadonlyMap<string, number>) {
    this.image = image;
    this.pieces = piecesOf(image);
    const tags = readCatalog(diskOf(image), FOLDER)?.tags ?? [];
    this.ids = ids;
    this.known = new Map(tags.map((tag) => [tag.definition.name, tag.nextOrdinal]));
  }

  /** Whether a damage leaves no trace: what is gone ended exactly where something whole begins. */
  isTraceless({ path, bytes }: Damage): boolean {
    const original = this.image.get(path) as Uint8Array;
    const pieces = this.pieces.filter((piece) => piece.path === path && isHarmed(piece, original, bytes));
    return pieces.every(({ from, to }) => bytes === undefined || bytes.subarray(from, to).every((byte) => byte === 0));
  }

  /** What is left after a damage. */
  after(damage: Damage): Remains {
    const original = this.image.get(damage.path) as Uint8Array;
    const harmed = new Set(
      this.pieces.filter((piece) => piece.path === damage.path && isHarmed(piece, original, damage.bytes)),
    );
    if ([...harmed].some((piece) => piece.isKey))
      for (const piece of this.pieces) if (piece.path === damage.path) harmed.add(piece);
    const isIntact = (piece: Piece): boolean => !harmed.has(piece);
    return new Remains(this, isIntact);
  }
}

function isHarmed({ from, to }: Piece, original: Uint8Array, damaged: Uint8Array | undefined): boolean {
  return damaged === undefined || Buffer.compare(original.subarray(from, to), damaged.subarray(from, to)) !== 0;
}

/** What the intact bytes still hold. */
export class Remains {
  readonly #plant: SoundPlant;
  readonly #hasCatalog: boolean;
  readonly #held = new Map<number, Set<number>>();
  readonly #defined = new Set<number>();

  constructor(plant: SoundPlant, isIntact: (piece: Piece) => boolean) {
    this.#plant = plant;
    this.#hasCatalog = plant.pieces.filter(({ path }) => path.endsWith('/catalog')).every(isIntact);
    for (const { points, defines } of plant.pieces.filter(isIntact)) {
      for (const id of defines) this.#defined.add(id);
      for (const { tagId, from, to } of points) {
        const held = this.#held.get(tagId) ?? new Set();
        for (let ordinal = from; ordinal < to; ordinal++) held.add(ordinal);
        this.#held.set(tagId, held);
      }
    }
  }

  /** What a tag is called of which all definitions are lost. */
  substituteFor(name: string): string {
    return this.#defined.has(this.#idOf(name)) ? name : `Recovered.${this.#idOf(name)}`;
  }

  /** A tag may only be gone when nothing intact defines it or holds points of it. Returns how many are lost. */
  checkGone(name: string): number {
    if (this.#defined.has(this.#idOf(name))) throw new Error(`tag ${name} is gone, though its definition is intact`);
    if (this.#held.has(this.#idOf(name))) throw new Error(`tag ${name} is gone, though some of its points are intact`);
    return (POINTS.get(name) as Point[]).length;
  }

  holds(name: string, ordinal: number): boolean {
    return this.#held.get(this.#idOf(name))?.has(ordinal) ?? false;
  }

  #idOf(name: string): number {
    return this.#plant.ids.get(name) as number;
  }

  /** Points that are known to have been there: lost ones below are gaps. */
  knownCount(name: string, found: ReadonlySet<number>): number {
    const byCatalog = this.#hasCatalog ? (this.#plant.known.get(name) ?? 0) : 0;
    return Math.max(byCatalog, ...[...found].map((ordinal) => ordinal + 1));
  }
}

export interface Verdict {
  readonly events: readonly EngineEvent[];
  /** Points that could not be read, in all. */
  readonly lost: number;
}

/** Opens the damaged disk and reads all of it. Throws at the first thing that is not as it must be. */
export async function judge(plant: SoundPlant, damage: Damage): Promise<Verdict> {
  const vfs = diskOf(withFile(plant.image, damage.path, damage.bytes));
  const opened = await openPlant(vfs);
  const verdict = await judgeOpened(opened, plant.after(damage));
  if (vfs.openPaths().length > 1) throw new Error(`files left open: ${vfs.openPaths().join(', ')}`);
  const isSaid = verdict.events.some(({ level }) => level !== 'info');
  if (!isSaid && verdict.lost > 0 && !(damage.path.includes('/journal/') && plant.isTraceless(damage))) {
    throw new Error(`${verdict.lost} points are lost, and no event says so`);
  }
  return verdict;
}

/** Opens a disk on which the pieces that `isIntact` names are whole, and judges it. */
export async function judgeImage(
  disk: DiskImage | MemoryVfs,
  plant: SoundPlant,
  isIntact: (piece: Piece) => boolean,
): Promise<Verdict> {
  const vfs = disk instanceof MemoryVfs ? disk : diskOf(disk);
  return judgeOpened(await openPlant(vfs), new Remains(plant, isIntact));
}

/** The same once more after all that follows: spills moved into tag files, a clean stop, journals gone, a new tag. */
export async function judgeAfterlife(plant: SoundPlant, damage: Damage): Promise<void> {
  const vfs = diskOf(withFile(plant.image, damage.path, damage.bytes));
  const first = await openPlant(vfs, { ...TUNABLES, spillAgeMs: 1000, retiredFileMs: 1000 });
  const { lost } = await judgeOpened(first, plant.after(damage));
  await writeNew(first.engine);
  for (let i = 0; i < 5; i++) {
    first.clock.advance(2000);
    await first.engine.purge(); // what the clock has started comes before it
  }
  await first.engine.close();
  const rest = keepFiles(takeImage(vfs), (path) => !path.includes('/journal/'));
  const again = await openPlant(diskOf(rest));
  const verdict = await judgeOpened(again, plant.after(damage));
  if (verdict.lost !== lost) throw new Error(`${lost} points were lost at first, then ${verdict.lost}`);
}

const NEW_TAG = 'New';

async function writeNew(engine: Engine): Promise<void> {
  const points = [1, 2, 3].map((i) => ({ ms: START_MS + i, ticks: 0, type: ValueType.Double, value: i, quality: 192 }));
  await engine.append(DATASET, buildBatch(engine, DATASET, [{ name: NEW_TAG, type: ValueType.Double, points }]));
}

/** A tag made after the damage has its own points and no others: no id is used again. */
async function judgeNew(engine: Engine): Promise<void> {
  const { points } = await reader(engine, NEW_TAG)(EVERYTHING);
  const values = points.map((point) => point.value).join();
  if (values !== '1,2,3') throw new Error(`the new tag has the values ${values}`);
}

export async function judgeOpened({ engine, events }: OpenedPlant, remains: Remains): Promise<Verdict> {
  if (!engine.hasDataset(DATASET)) throw new Error('the dataset did not open');
  let lost = 0;
  const names = new Set([...(await engine.tags(DATASET)).user].map((tag) => tag.name));
  for (const [name, points] of POINTS) {
    const found = names.has(name) ? name : remains.substituteFor(name);
    if (names.delete(found)) lost += await judgeTag(reader(engine, found), name, points, remains);
    else lost += remains.checkGone(name);
  }
  if (names.delete(NEW_TAG)) await judgeNew(engine);
  if (names.size > 0) throw new Error(`tags from nowhere: ${[...names].join()}`);
  return { events, lost };
}

/** Reads one tag. */
type ReadTag = (range: ReadRange) => Promise<{ points: Point[]; gaps: readonly ReadGap[] }>;

function reader(engine: Engine, name: string): ReadTag {
  return async (range) => {
    const request = { tags: [name], range, carryIn: false, skipMissing: false, limit: undefined, after: [] };
    const [answer] = await readPoints(engine, DATASET, request);
    return answer as TagAnswer;
  };
}

async function judgeTag(read: ReadTag, name: string, written: readonly Point[], remains: Remains): Promise<number> {
  const { points, gaps } = await read(EVERYTHING);
  const found = placesOf(name, points);
  const known = remains.knownCount(name, found);
  const missing = [...written.keys()].filter((ordinal) => !found.has(ordinal));
  for (const ordinal of missing) {
    if (remains.holds(name, ordinal)) throw new Error(`${name}: point ${ordinal} is intact and was not read`);
    if (ordinal < known && !isInGap(gaps, written[ordinal] as Point))
      throw new Error(`${name}: point ${ordinal} is missing and in no gap`);
  }
  const said = gaps.reduce((sum, gap) => sum + gap.points, 0);
  const wanted = missing.filter((ordinal) => ordinal < known).length;
  if (said !== wanted) throw new Error(`${name}: gaps say ${said} points; ${wanted} are known to be lost`);
  if (missing.length > 0) await judgeNarrowReads(read, name, written, found, known);
  await judgeNewest(read, name, found);
  return missing.length;
}

/** Reads of one moment: right, or with a gap that says that it cannot be known. */
async function judgeNarrowReads(
  read: ReadTag,
  name: string,
  written: readonly Point[],
  found: ReadonlySet<number>,
  known: number,
): Promise<void> {
  for (let ordinal = 0; ordinal < known; ordinal += 7) {
    const { ms, ticks } = written[ordinal] as Point;
    const exact = await read({ kind: 'range', start: { ms, ticks }, end: { ms, ticks } });
    placesOf(name, exact.points);
    if (!found.has(ordinal) && exact.gaps.length === 0)
      throw new Error(`${name}: a read of the lost point ${ordinal} alone says no gap`);
    const newest = written.findLastIndex(
      (point, i) => i < known && (point.ms < ms || (point.ms === ms && point.ticks <= ticks)),
    );
    const at = await read({ kind: 'at', end: { ms, ticks } });
    const got = [...placesOf(name, at.points)];
    if (got.some((place) => place === newest)) continue;
    if (at.gaps.length === 0)
      throw new Error(`${name}: the value at point ${newest} is point ${got.join()}, without a gap`);
  }
}

async function judgeNewest(read: ReadTag, name: string, found: ReadonlySet<number>): Promise<void> {
  const newest = [...placesOf(name, (await read({ kind: 'newest' })).points)];
  if (newest.length !== 1 || (newest[0] as number) < Math.max(-1, ...found))
    throw new Error(`${name}: the newest point is ${newest.join()}; ${Math.max(...found)} can be read`);
}

function isInGap(gaps: readonly ReadGap[], { ms, ticks }: Point): boolean {
  return gaps.some(
    ({ start, end }) => (start.ms - ms || start.ticks - ticks) <= 0 && (end.ms - ms || end.ticks - ticks) >= 0,
  );
}

/** The ordinals of points that were read. Throws when one was never written, or is out of order, or comes twice. */
function placesOf(name: string, points: readonly Point[]): Set<number> {
  const texts = TEXTS.get(name) as string[];
  const places = new Set<number>();
  let last = -1;
  for (const point of points) {
    const place = texts.indexOf(formatPoint(point));
    if (place < 0) throw new Error(`${name}: read ${formatPoint(point)}, which was never written`);
    if (place <= last) throw new Error(`${name}: read point ${place} behind point ${last}`);
    last = place;
    places.add(place);
  }
  return places;
}
