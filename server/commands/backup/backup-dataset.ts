// The backup of one dataset: what its plan names is brought into the target's folder, copying only what has grown.
//
// Until the new manifest is written nothing that the old one names changes: files grow after the bytes that it
// counts, and those that take another's place wait beside it under `<name>.new`.

import { existsSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolderSync } from '../../../disk/folders.ts';
import { UNFINISHED } from '../../../disk/whole-files.ts';
import { type CopyPlan, type GrowingFile, planDatasetCopy, type ReplacedFile } from '../../../engine/index.ts';
import { checksumOf, copyRange, makeFolder, readEnds, ShortFile, syncFoldersOf, writeSynced } from './durable-files.ts';
import type { Hold } from './hold.ts';
import type { BackedUpFile } from './manifest.ts';

/** A file may vanish or shrink between plan and copy, when the server was at it already; then all begins anew. */
const MOST_PASSES = 5;
/** What is compared to know that a file has only grown: a tail that was torn and written anew differs there. */
const COMPARED_BYTES = 4096;
const HOLD_RENEWAL_MS = 600_000;

export interface DatasetBackup {
  readonly source: string;
  readonly target: string;
  /** Files of the run before. */
  readonly known: ReadonlyMap<string, BackedUpFile>;
  readonly hold: Hold;
  readonly progress: BackupProgress;
}

/** What was done so far; others look at it. */
export interface BackupProgress {
  files: number;
  bytes: number;
  copiedBytes: number;
  /** Called after each file; throws to end the run. */
  readonly step: () => Promise<void>;
}

/** Copies everything into the target except for the last renames, which `settle` does once the manifest is written. */
export async function copyDataset(backup: DatasetBackup): Promise<BackedUpFile[]> {
  const before = { ...backup.progress };
  for (let pass = 1; ; pass++) {
    try {
      return await copyOnce(backup);
    } catch (error) {
      if (pass === MOST_PASSES || !isMoved(error) || !existsSync(backup.source)) throw error;
      Object.assign(backup.progress, { files: before.files, bytes: before.bytes });
    }
  }
}

/** The source has changed under the copy: a file was removed, or truncated. */
function isMoved(error: unknown): boolean {
  return error instanceof ShortFile || (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function copyOnce(backup: DatasetBackup): Promise<BackedUpFile[]> {
  const { progress, hold, source } = backup;
  const plan: CopyPlan = planDatasetCopy(source);
  const copied: BackedUpFile[] = [];
  let renewedMs = performance.now();
  const note = async (file: BackedUpFile): Promise<void> => {
    copied.push(file);
    progress.files++;
    progress.bytes += file.bytes;
    await progress.step();
  };
  for (const file of plan.growing) {
    await note(copyGrowing(backup, file));
    if (performance.now() - renewedMs < HOLD_RENEWAL_MS) continue;
    if (!hold.renew()) throw new ShortFile('the HOLD file was removed');
    renewedMs = performance.now();
  }
  if (!hold.renew()) throw new ShortFile('the HOLD file was removed');
  for (const file of plan.replaced) await note(copyReplaced(backup, file));
  syncFoldersOf(backup.target, copied);
  return copied;
}

function copyGrowing({ source, target, known, progress }: DatasetBackup, file: GrowingFile): BackedUpFile {
  const { path, sizeBytes } = file;
  const stat = statSync(`${source}/${path}`);
  const about = { path, bytes: sizeBytes, inode: stat.ino, modifiedMs: stat.mtimeMs };
  const old = known.get(path);
  const same = old !== undefined && stat.ino === old.inode ? old : undefined;
  if (same?.bytes === sizeBytes && same.modifiedMs === stat.mtimeMs && sizeOf(`${target}/${path}`) >= sizeBytes)
    return { ...about, crc: same.crc };
  const isGrown = same !== undefined && hasGrown(`${source}/${path}`, `${target}/${path}`, same.bytes, sizeBytes);
  const from = isGrown ? same.bytes : 0;
  const copyPath = old !== undefined && !isGrown ? `${target}/${path}${UNFINISHED}` : `${target}/${path}`;
  const crc = copyRange(`${source}/${path}`, copyPath, { from, to: sizeBytes, crc: isGrown ? same.crc : 0 });
  progress.copiedBytes += sizeBytes - from;
  return { ...about, crc };
}

/** Whether the target's first `bytes` are still the source's. */
function hasGrown(source: string, target: string, bytes: number, sizeBytes: number): boolean {
  if (sizeBytes < bytes || sizeOf(target) < bytes) return false;
  return readEnds(source, bytes, COMPARED_BYTES).equals(readEnds(target, bytes, COMPARED_BYTES));
}

function copyReplaced({ source, target, known, progress }: DatasetBackup, file: ReplacedFile): BackedUpFile {
  const { path, bytes } = file;
  const { ino, mtimeMs } = statSync(`${source}/${path}`);
  const copied = { path, bytes: bytes.length, crc: crc32(bytes), inode: ino, modifiedMs: mtimeMs };
  const old = known.get(path);
  if (old?.crc === copied.crc && sizeOf(`${target}/${path}`) === bytes.length) return copied;
  makeFolder(target);
  writeSynced(old === undefined ? `${target}/${path}` : `${target}/${path}${UNFINISHED}`, bytes);
  progress.copiedBytes += bytes.length;
  return copied;
}

/**
 * Finishes what a manifest says: files that waited beside are renamed, and those that it does not name are removed.
 * Repeatable; also the first thing of the next run, should this one be interrupted.
 */
export function settle(target: string, files: readonly BackedUpFile[], present: readonly string[]): void {
  const named = new Map(files.map((file) => [file.path, file]));
  const folders = new Set<string>();
  for (const path of present.filter((name) => name.endsWith(UNFINISHED))) {
    const file = named.get(path.slice(0, -UNFINISHED.length));
    if (file && isFile(`${target}/${path}`, file)) renameSync(`${target}/${path}`, `${target}/${file.path}`);
    else unlinkSync(`${target}/${path}`);
    folders.add(dirname(`${target}/${path}`));
  }
  for (const path of present) {
    if (path.endsWith(UNFINISHED) || named.has(path)) continue;
    rmSync(`${target}/${path}`, { force: true });
    folders.add(dirname(`${target}/${path}`));
  }
  for (const folder of folders) syncFolderSync(folder);
}

/** Whether a file holds exactly what the manifest says. */
function isFile(path: string, { bytes, crc }: BackedUpFile): boolean {
  return sizeOf(path) === bytes && checksumOf(path, bytes) === crc;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
