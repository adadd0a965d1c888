// A dataset of any size with every kind of file, as bytes, now and as it was half-way; and each file opened by itself.

import { CATALOG_FILE, DATASET_FILE, parseFileNumber, parseTagFile } from '../../engine/filenames.ts';
import type { BlockEntry } from '../../engine/format/block-index.ts';
import { EngineError, PointColumns, ValueType } from '../../engine/index.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import { readCatalog } from '../../engine/store/catalog-file.ts';
import { readDatasetFile } from '../../engine/store/dataset-file.ts';
import { openSpill } from '../../engine/store/spill.ts';
import { loadTagFileIndex, readBlock } from '../../engine/store/tag-file-reader.ts';
import { buildBatch, type PlainValue, type Point } from '../model/points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';
import { type DiskImage, takeImage } from './disk-image.ts';

export const DATASET = 'rot';
export const FOLDER = `data/${DATASET}`;
export const START_MS = Date.UTC(2026, 0, 1);
const REQUEST_POINTS = 500;
export const TUNABLES = {
  blockPoints: 512,
  journalFileBytes: 32_768,
  tagFileBytes: 24_576,
  retiredJournalMs: 1e12,
  retiredJournalBytes: 1e12,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
  sliceMs: 60_000,
};

const VALUES: Readonly<Record<string, { type: ValueType; value: (i: number) => PlainValue }>> = {
  Temp: { type: ValueType.Double, value: (i) => Math.sin(i) * 1e6 },
  Text: { type: ValueType.String, value: (i) => (i % 7 === 3 ? null : `state ${i % 5}`) },
  Count: { type: ValueType.Int64, value: (i) => 9_007_199_254_740_993n + BigInt(i * i) },
  Valve: { type: ValueType.Boolean, value: (i) => (i >> 3) % 2 },
};
export const TAG_NAMES: readonly string[] = Object.keys(VALUES);

export function pointAt(name: string, i: number): Point {
  const { type, value } = VALUES[name] as (typeof VALUES)[string];
  return { ms: START_MS + i * 100, ticks: 0, type, value: value(i), quality: i % 11 === 5 ? 64 : 192 };
}

export interface RottenPlant {
  readonly image: DiskImage;
  /** The same files at an earlier time, for blocks that went back to what they were. */
  readonly earlier: DiskImage;
  readonly pointCount: number;
}

/** Writes until the files hold at least so many bytes, then stops cleanly; the journals are kept. */
export async function makeRottenPlant(fewestBytes: number): Promise<RottenPlant> {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('data');
  const clock = new ManualClock(START_MS + 3_600_000);
  const engine = await openTestEngine({ vfs, clock, random: new SeededRandom(1), tunables: TUNABLES });
  let earlier: DiskImage = new Map();
  let pointCount = 0;
  while (sizeOf(takeImage(vfs)) < fewestBytes || pointCount < 20 * REQUEST_POINTS) {
    if (earlier.size === 0 && sizeOf(takeImage(vfs)) >= fewestBytes / 2) earlier = takeImage(vfs);
    for (let i = 0; i < 10; i++, pointCount += REQUEST_POINTS) {
      const runs = TAG_NAMES.map((name) => ({
        name,
        type: (VALUES[name] as (typeof VALUES)[string]).type,
        points: Array.from({ length: REQUEST_POINTS }, (_, j) => pointAt(name, pointCount + j)),
      }));
      await engine.append(DATASET, buildBatch(engine, DATASET, runs));
    }
    await engine.purge();
  }
  await engine.close();
  return { image: takeImage(vfs), earlier, pointCount };
}

export function sizeOf(image: DiskImage): number {
  return [...image.values()].reduce((sum, bytes) => sum + bytes.length, 0);
}

/** What a file gives when it is opened. */
export interface Opened {
  /** Everything read from it, each piece as text: a record, a definition, a block of points with its ordinals. */
  readonly facts: readonly string[];
  /** Whether it says that something could not be read. */
  readonly isDamageSaid: boolean;
}

/** Opens one file by the readers of the engine and reads all of it. */
export function openFile(vfs: MemoryVfs, path: string): Opened {
  const [part, ...rest] = path.slice(FOLDER.length + 1).split('/');
  const name = rest.at(-1) ?? '';
  if (part === DATASET_FILE) return openRules(vfs);
  if (part === CATALOG_FILE) return openCatalog(vfs);
  if (part === 'journal') return openJournal(vfs, parseFileNumber(name) as number);
  if (part === 'spill') {
    const { index, damages } = openSpill(vfs, FOLDER, parseFileNumber(name) as number);
    const entries = Array.from({ length: index.count }, (_, i) => index.entry(i));
    return readBlocks(vfs, path, entries, damages.length > 0);
  }
  const tagId = parseTagFile(name)?.tagId as number;
  const { entries, damages } = loadTagFileIndex(vfs, path, tagId, vfs.statSync(path)?.sizeBytes as number);
  return readBlocks(vfs, path, entries, damages.length > 0);
}

function openRules(vfs: MemoryVfs): Opened {
  try {
    return { facts: [JSON.stringify(readDatasetFile(vfs, FOLDER))], isDamageSaid: false };
  } catch (error) {
    expectDamage(error);
    return { facts: [], isDamageSaid: true };
  }
}

function openCatalog(vfs: MemoryVfs): Opened {
  const content = readCatalog(vfs, FOLDER);
  if (content === undefined) return { facts: [], isDamageSaid: true };
  const facts = content.tags.map((tag) => `${tag.id} ${JSON.stringify(tag, replaceBigInt)}`);
  const meta = content.meta === undefined ? [] : [`meta ${JSON.stringify(content.meta)}`];
  return { facts: [...facts, ...meta], isDamageSaid: content.damage !== undefined };
}

function openJournal(vfs: MemoryVfs, number: number): Opened {
  const { frames, bytes, damages } = readJournal(vfs, `${FOLDER}/journal`, number);
  const facts = frames.map(
    ({ sequence, payloadStart, payloadEnd }) =>
      `${sequence} ${Buffer.from(bytes.subarray(payloadStart, payloadEnd)).toString('latin1')}`,
  );
  return { facts, isDamageSaid: damages.length > 0 };
}

const scratch = new PointColumns(8192);

function readBlocks(vfs: MemoryVfs, path: string, entries: readonly BlockEntry[], hasDamages: boolean): Opened {
  const facts: string[] = [];
  let isDamageSaid = hasDamages;
  const file = vfs.openSync(path, 'read');
  for (const entry of entries) {
    try {
      const { bytes, header } = readBlock(file, entry, scratch);
      if (header.pointCount !== scratch.count) throw new Error(`a block of ${scratch.count} points says otherwise`);
      facts.push(`${header.tagId} ${header.firstOrdinal} ${Buffer.from(bytes).toString('latin1')}`);
    } catch (error) {
      expectDamage(error);
      isDamageSaid = true;
    }
  }
  file.closeSync();
  return { facts, isDamageSaid };
}

function expectDamage(error: unknown): void {
  if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
}

function replaceBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
