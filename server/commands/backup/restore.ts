// One run of `varve restore`: datasets of a backup are copied into a data folder under a temporary name, verified, and
// renamed. What was there is never touched.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { syncFolderSync } from '../../../disk/folders.ts';
import { UNFINISHED } from '../../../disk/whole-files.ts';
import { forgetIdentity, lockFolder, placeForDataset } from '../../../engine/index.ts';
import { ExitCode } from '../../exit-codes.ts';
import { BackupFailure } from './backup-failure.ts';
import { restoreViews } from './backup-views.ts';
import { checksumOf, copyRange, makeFolder, ShortFile, syncFoldersOf } from './durable-files.ts';
import { type BackedUpDataset, type BackedUpFile, MANIFEST_NAME, readManifest } from './manifest.ts';
import { verifyCopy } from './verify.ts';

export interface RestoreOptions {
  readonly backup: string;
  readonly dataFolder: string;
  /** Names; undefined: all. */
  readonly datasets: readonly string[] | undefined;
  /** Another name for the one dataset that is restored. */
  readonly as: string | undefined;
  readonly say: (line: string) => void;
  /** Looked at after every file; throws to end the run. */
  readonly checkpoint: () => Promise<void>;
}

/** Parts that every dataset's folder has, also when no file is in them. */
const PARTS = ['journal', 'spill', 'tags'] as const;

/** Restores; the data folder must not be in use. Throws a `BackupFailure`, LOCKED, BAD_NAME, or the system's error. */
export async function restore(options: RestoreOptions): Promise<number> {
  const wanted = chooseDatasets(options);
  makeFolder(options.dataFolder);
  const lock = await lockFolder(options.dataFolder);
  try {
    refuseTaken(options, wanted);
    for (const dataset of wanted) await restoreDataset(options, dataset);
    if (options.datasets === undefined && options.as === undefined) sayViews(options);
    return wanted.length;
  } finally {
    await lock.release();
  }
}

function sayViews({ backup, dataFolder, say }: RestoreOptions): void {
  const { count, kept, faults } = restoreViews(backup, dataFolder);
  for (const fault of faults) say(`error ${fault}`);
  if (count + kept > 0) say(`Saved views: ${count}${kept > 0 ? `; ${kept} were there and are left as they are` : ''}.`);
}

function chooseDatasets({ backup, datasets, as }: RestoreOptions): readonly BackedUpDataset[] {
  const manifest = readManifest(backup);
  if (manifest === undefined)
    throw new BackupFailure(ExitCode.Failed, `${backup} is no backup: it has no ${MANIFEST_NAME}.`);
  const missing = datasets?.find((name) => !manifest.datasets.some((other) => other.name === name));
  if (missing !== undefined) {
    const names = manifest.datasets.map(({ name }) => `'${name}'`).join(', ');
    throw new BackupFailure(ExitCode.Failed, `There is no dataset '${missing}' in ${backup}; it has ${names}.`);
  }
  const wanted = manifest.datasets.filter(({ name }) => datasets?.includes(name) ?? true);
  if (as !== undefined && wanted.length !== 1)
    throw new BackupFailure(ExitCode.Usage, '--as is for one dataset: name it with --dataset.');
  return wanted;
}

/** Before anything is copied. */
function refuseTaken({ dataFolder, as }: RestoreOptions, wanted: readonly BackedUpDataset[]): void {
  for (const { name } of wanted) {
    const wantedName = as ?? name;
    if (placeForDataset(dataFolder, wantedName) === undefined)
      throw new BackupFailure(
        ExitCode.Failed,
        `${dataFolder} has a dataset '${wantedName}' already, which a restore does not replace. Restore it under another name with --as, or delete the dataset first.`,
      );
  }
}

async function restoreDataset(options: RestoreOptions, dataset: BackedUpDataset): Promise<void> {
  const { backup, dataFolder, as, say } = options;
  const name = as ?? dataset.name;
  const target = placeForDataset(dataFolder, name);
  if (target === undefined) throw new BackupFailure(ExitCode.Failed, `The backup holds '${name}' twice.`);
  rmSync(target.building, { recursive: true, force: true });
  try {
    await copyFiles(options, `${backup}/${dataset.folder}`, target.building, dataset.files);
    const { faults, pointCount } = verifyCopy(target.building, dataset);
    if (faults.length > 0) throw new BackupFailure(ExitCode.Failed, describeFaults(dataset.name, faults));
    // Points may have come since the backup: a centre must not take what comes now for them.
    await forgetIdentity(target.building);
    renameSync(target.building, target.path);
    syncFolderSync(dataFolder);
    say(`${name}: ${dataset.files.length} files, ${pointCount} points, as of ${dataset.startedAt}.`);
  } finally {
    if (existsSync(target.building)) rmSync(target.building, { recursive: true, force: true });
  }
}

async function copyFiles(
  { checkpoint }: RestoreOptions,
  source: string,
  target: string,
  files: readonly BackedUpFile[],
): Promise<void> {
  for (const part of PARTS) makeFolder(`${target}/${part}`);
  for (const file of files) {
    copyFile(source, target, file);
    await checkpoint();
  }
  syncFoldersOf(target, files);
}

function copyFile(source: string, target: string, file: BackedUpFile): void {
  const from = placeInBackup(source, file);
  try {
    const crc = copyRange(from, `${target}/${file.path}`, { from: 0, to: file.bytes, crc: 0 });
    if (crc !== file.crc) throw damagedBackup(from, 'it fails its checksum');
  } catch (error) {
    if (error instanceof ShortFile) throw damagedBackup(from, error.message);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw damagedBackup(from, 'it is missing');
    throw error;
  }
}

/** A run that was interrupted between its manifest and its last renames has left the file under its unfinished name. */
function placeInBackup(source: string, { path, bytes, crc }: BackedUpFile): string {
  const beside = `${source}/${path}${UNFINISHED}`;
  try {
    return checksumOf(beside, bytes) === crc ? beside : `${source}/${path}`;
  } catch (error) {
    if (error instanceof ShortFile || (error as NodeJS.ErrnoException).code === 'ENOENT') return `${source}/${path}`;
    throw error;
  }
}

function damagedBackup(path: string, reason: string): BackupFailure {
  const advice =
    'To save what is left, copy the folder of the dataset into the data folder by hand: the server steps over damage.';
  return new BackupFailure(ExitCode.Failed, `The backup is damaged: ${path}: ${reason}. ${advice}`);
}

function describeFaults(name: string, faults: readonly string[]): string {
  return [`The copy of '${name}' has faults; nothing was restored:`, ...faults.slice(0, 20)].join('\n');
}
