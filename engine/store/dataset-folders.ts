// Dataset folders as a whole: created, found, and removed so that a crash leaves one either there or not.

import {
  CREATING_PREFIX,
  DATASET_FILE,
  DELETED_PREFIX,
  decodeDatasetFolder,
  encodeDatasetFolder,
  encodeDatasetFolderByCase,
  JOURNAL_FOLDER,
  SPILL_FOLDER,
  TAGS_FOLDER,
} from '../filenames.ts';
import type { Random } from '../io/random.ts';
import type { Vfs } from '../io/vfs.ts';
import { type DatasetFile, formatDatasetFile } from './dataset-file.ts';

export interface FoundFolder {
  readonly folder: string;
  readonly name: string;
}

/** The folders of a data folder: datasets by name, those that are none of ours, and what a crash has left to remove. */
export function findFolders(
  vfs: Vfs,
  dataFolder: string,
): { datasets: FoundFolder[]; unknown: string[]; leftovers: string[] } {
  const datasets: FoundFolder[] = [];
  const unknown: string[] = [];
  const leftovers: string[] = [];
  for (const folder of vfs.listSync(dataFolder).sort()) {
    if (folder.startsWith(CREATING_PREFIX) || folder.startsWith(DELETED_PREFIX)) {
      leftovers.push(folder);
      continue;
    }
    if (!vfs.statSync(`${dataFolder}/${folder}`)?.isDirectory || folder.startsWith('.')) continue;
    const name = decodeDatasetFolder(folder);
    if (name === undefined || datasets.some((other) => other.name === name)) unknown.push(folder);
    else datasets.push({ folder, name });
  }
  return { datasets, unknown, leftovers };
}

/** The folder for a new dataset: by case only when another one differs from it in nothing else. Throws BAD_NAME. */
export function chooseFolder(name: string, taken: readonly string[]): string {
  const plain = encodeDatasetFolder(name);
  const clash = taken.some((other) => other.toLowerCase() === plain.toLowerCase());
  return clash ? encodeDatasetFolderByCase(name) : plain;
}

/** Creates a dataset's folder with its fixed file; durable once resolved. */
export async function createFolder(
  vfs: Vfs,
  random: Random,
  dataFolder: string,
  folder: string,
  file: DatasetFile,
): Promise<void> {
  const building = `${dataFolder}/${CREATING_PREFIX}${random.uint32().toString(16)}`;
  for (const part of [JOURNAL_FOLDER, SPILL_FOLDER, TAGS_FOLDER]) vfs.makeDirectorySync(`${building}/${part}`);
  const opened = vfs.openSync(`${building}/${DATASET_FILE}`, 'write');
  try {
    await opened.write(formatDatasetFile(file), 0);
    await opened.sync();
  } finally {
    opened.closeSync();
  }
  for (const part of [JOURNAL_FOLDER, SPILL_FOLDER, TAGS_FOLDER]) await vfs.syncDirectory(`${building}/${part}`);
  await vfs.syncDirectory(building);
  vfs.renameSync(building, `${dataFolder}/${folder}`);
  await vfs.syncDirectory(dataFolder);
}

/**
 * Takes a dataset's folder out of the way: durable once `dataFolder` is synced. Returns where it is until it is removed;
 * at once, because reads that are open go on there.
 */
export function setAside(vfs: Vfs, random: Random, dataFolder: string, folder: string): string {
  const aside = `${dataFolder}/${DELETED_PREFIX}${random.uint32().toString(16)}`;
  vfs.renameSync(`${dataFolder}/${folder}`, aside);
  return aside;
}

/** Removes a folder with all that is in it, giving others a turn in between. */
export async function removeFolder(vfs: Vfs, path: string, pause: () => Promise<void> | undefined): Promise<void> {
  for (const name of vfs.listSync(path)) {
    const inner = `${path}/${name}`;
    if (vfs.statSync(inner)?.isDirectory) await removeFolder(vfs, inner, pause);
    else vfs.removeSync(inner);
    await pause();
  }
  vfs.removeDirectorySync(path);
}
