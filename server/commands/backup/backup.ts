// One run of `varve backup`: dataset by dataset, each held while it is copied, committed and verified by itself.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { listDatasetFolders } from '../../../engine/index.ts';
import { ExitCode } from '../../exit-codes.ts';
import { type BackupProgress, copyDataset, settle } from './backup-dataset.ts';
import { BackupFailure } from './backup-failure.ts';
import { backUpViews } from './backup-views.ts';
import { makeFolder } from './durable-files.ts';
import { holdDataset } from './hold.ts';
import { type BackedUpDataset, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { verifyCopy } from './verify.ts';

export interface BackupOptions {
  readonly dataFolder: string;
  readonly target: string;
  /** Names; undefined: all. */
  readonly datasets: readonly string[] | undefined;
  /** `none`: the copy is not read back. */
  readonly verify: 'all' | 'none';
  readonly say: (line: string) => void;
  /** Looked at after every file; throws to end the run. */
  readonly checkpoint: () => Promise<void>;
}

export interface BackupSummary {
  readonly datasetCount: number;
  readonly fileCount: number;
  readonly bytes: number;
  readonly copiedBytes: number;
  /** What verification found, in words. */
  readonly faults: readonly string[];
}

/** Brings a backup up to date with a data folder. Throws a `BackupFailure`, or the system's error. */
export async function backUp(options: BackupOptions): Promise<BackupSummary> {
  const { dataFolder, target } = options;
  refuseNested(dataFolder, target);
  const wanted = chooseDatasets(options);
  let manifest = readManifest(target) ?? beginBackup(target);
  const progress: BackupProgress = { files: 0, bytes: 0, copiedBytes: 0, step: options.checkpoint };
  const faults: string[] = [];
  for (const { folder, name } of wanted) {
    const startedAt = new Date().toISOString();
    const done = await backUpDataset(options, { folder, name, startedAt, files: [] }, manifest, progress);
    if (done === undefined) continue;
    manifest = done.manifest;
    faults.push(...done.faults);
  }
  sayKept(options, manifest);
  if (options.datasets === undefined) {
    const views = backUpViews(dataFolder, target);
    if (views.count > 0) options.say(`Saved views: ${views.count}.`);
    faults.push(...views.faults);
  }
  return {
    datasetCount: wanted.length,
    fileCount: progress.files,
    bytes: progress.bytes,
    copiedBytes: progress.copiedBytes,
    faults,
  };
}

interface DatasetDone {
  readonly manifest: Manifest;
  readonly faults: readonly string[];
}

/** Undefined when the dataset was deleted meanwhile. */
async function backUpDataset(
  { dataFolder, target, verify, say }: BackupOptions,
  wanted: BackedUpDataset,
  manifest: Manifest,
  progress: BackupProgress,
): Promise<DatasetDone | undefined> {
  const { folder, name } = wanted;
  const source = `${dataFolder}/${folder}`;
  const copy = `${target}/${folder}`;
  const known = manifest.datasets.find((other) => other.folder === folder);
  const before = { ...progress };
  settle(copy, known?.files ?? [], filesIn(copy));
  let dataset: BackedUpDataset;
  try {
    const files = await copyHeld(source, copy, known, progress);
    dataset = { ...wanted, files };
  } catch (error) {
    if (existsSync(source)) throw error;
    say(`${name}: was deleted meanwhile; left out.`);
    return undefined;
  }
  const others = manifest.datasets.filter((other) => other.folder !== folder);
  const next = { datasets: [...others, dataset] };
  writeManifest(target, next);
  settle(copy, dataset.files, filesIn(copy));
  const { faults, pointCount } = verify === 'all' ? verifyCopy(copy, dataset) : { faults: [], pointCount: 0 };
  const counts = `${progress.files - before.files} files, ${progress.bytes - before.bytes} bytes`;
  const verified = verify === 'all' ? `, ${pointCount} points verified` : '';
  say(`${name}: ${counts}, ${progress.copiedBytes - before.copiedBytes} of them copied${verified}.`);
  return { manifest: next, faults: faults.map((fault) => `${name}: ${fault}`) };
}

async function copyHeld(
  source: string,
  target: string,
  known: BackedUpDataset | undefined,
  progress: BackupProgress,
): Promise<BackedUpDataset['files']> {
  const hold = holdDataset(source);
  try {
    const files = new Map(known?.files.map((file) => [file.path, file]));
    return await copyDataset({ source, target, known: files, hold, progress });
  } finally {
    hold.release();
  }
}

function chooseDatasets({ dataFolder, datasets }: BackupOptions): { folder: string; name: string }[] {
  if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BackupFailure(ExitCode.Failed, `There is no data folder ${dataFolder}.`);
  const found = listDatasetFolders(dataFolder);
  const missing = datasets?.find((name) => !found.some((other) => other.name === name));
  if (missing !== undefined)
    throw new BackupFailure(ExitCode.Failed, `There is no dataset '${missing}' in ${dataFolder}.`);
  if (found.length === 0) throw new BackupFailure(ExitCode.Failed, `${dataFolder} holds no dataset.`);
  return datasets === undefined ? found : found.filter(({ name }) => datasets.includes(name));
}

function refuseNested(dataFolder: string, target: string): void {
  const [source, into] = [`${resolve(dataFolder)}${sep}`, `${resolve(target)}${sep}`];
  if (source.startsWith(into) || into.startsWith(source))
    throw new BackupFailure(ExitCode.Usage, `The backup ${target} and the data folder ${dataFolder} must lie apart.`);
}

/** What a backup does not name it removes from its folder: so it begins in a folder of its own. */
function beginBackup(target: string): Manifest {
  const [stranger] = existsSync(target) ? readdirSync(target) : [];
  if (stranger !== undefined)
    throw new BackupFailure(
      ExitCode.Usage,
      `${target} holds '${stranger}' and no backup. Want a new or an empty folder, or one of an earlier backup.`,
    );
  makeFolder(target);
  const manifest = { datasets: [] };
  writeManifest(target, manifest);
  return manifest;
}

function sayKept({ dataFolder, datasets, say }: BackupOptions, manifest: Manifest): void {
  if (datasets !== undefined) return;
  const present = new Set(listDatasetFolders(dataFolder).map(({ folder }) => folder));
  for (const { name, folder, startedAt } of manifest.datasets)
    if (!present.has(folder)) say(`${name}: is not in the data folder any more; the backup of ${startedAt} is kept.`);
}

/** Paths of all files in a folder, with `/`; none when it is missing. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'));
  return paths.filter((path) => statSync(`${folder}/${path}`).isFile());
}
