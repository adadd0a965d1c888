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

export interface UnknownFolder {
  readonly folder: string;
  /** Why it is not a dataset: the words that follow its name in a message. */
  readonly reason: string;
}

export interface FoundFolders {
  readonly datasets: FoundFolder[];
  readonly unknown: UnknownFolder[];
  /** Leftovers of a crash, to be removed. */
  readonly leftovers: string[];
}

/** Node's replacement for bytes of a name that are not UTF-8. */
const UNREADABLE = '\uFFFD';

/** The folders of a data folder: datasets by name, unknown folders, and leftovers of a crash. */
export function findFolders(vfs: Vfs, dataFolder: string): FoundFolders {
  const datasets = new Map<string, FoundFolder>();
  const unknown: UnknownFolder[] = [];
  const leftovers: string[] = [];
  for (const folder of vfs.listSync(dataFolder).sort()) {
    if (folder.startsWith(CREATING_PREFIX) || folder.startsWith(DELETED_PREFIX)) leftovers.push(folder);
    if (folder.startsWith('.')) continue;
    const name = decodeDatasetFolder(folder);
    const kind = kindOf(vfs, dataFolder, folder);
    if (kind === 'other') continue;
    const same = name === undefined ? undefined : datasets.get(name);
    if (kind !== 'folder') unknown.push({ folder, reason: kind.reason });
    else if (name === undefined) unknown.push({ folder, reason: "its name is not written as a dataset's is" });
    else if (same) unknown.push({ folder, reason: `the folder '${same.folder}' has the same name, '${name}'` });
    else datasets.set(name, { folder, name });
  }
  return { datasets: [...datasets.values()], unknown, leftovers };
}

/** A folder with a dataset's name that cannot be inspected is a dataset that cannot be opened. */
function kindOf(vfs: Vfs, dataFolder: string, folder: string): 'folder' | 'other' | { readonly reason: string } {
  try {
    const stat = vfs.statSync(`${dataFolder}/${folder}`);
    if (!stat && folder.includes(UNREADABLE)) return { reason: 'its name is not UTF-8' };
    return stat?.isDirectory ? 'folder' : 'other';
  } catch (error) {
    const isDataset = decodeDatasetFolder(folder) !== undefined;
    return isDataset ? 'folder' : { reason: `it cannot be looked at (${String(error)})` };
  }
}

/** The folder of the data folder that is the dataset of a name; undefined when there is none. */
export function findFolderOf(vfs: Vfs, dataFolder: string, name: string): string | undefined {
  const isOfName = (folder: string): boolean =>
    decodeDatasetFolder(folder) === name && kindOf(vfs, dataFolder, folder) === 'folder';
  return vfs.listSync(dataFolder).find(isOfName);
}

/** The folder for a new dataset; capitals are escaped only when another folder differs from it in case. Throws BAD_NAME. */
export function chooseFolder(name: string, taken: readonly string[]): string {
  const plain = encodeDatasetFolder(name);
  const clash = taken.some((other) => other.toLowerCase() === plain.toLowerCase());
  return clash ? encodeDatasetFolderByCase(name) : plain;
}

export interface NewFolder {
  readonly dataFolder: string;
  /** Its name in the data folder. */
  readonly folder: string;
  readonly file: DatasetFile;
}

/** Creates a dataset's folder with its fixed file; durable once resolved. */
export async function createFolder(vfs: Vfs, random: Random, { dataFolder, folder, file }: NewFolder): Promise<void> {
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
 * Moves a dataset's folder aside: durable once `dataFolder` is synced. Returns the new path, where it stays until it is
 * removed; synchronous, because open reads continue there.
 */
export function moveAside(vfs: Vfs, random: Random, dataFolder: string, folder: string): string {
  const aside = `${dataFolder}/${DELETED_PREFIX}${random.uint32().toString(16)}`;
  vfs.renameSync(`${dataFolder}/${folder}`, aside);
  return aside;
}

/** Removes a folder and its contents, pausing for others in between. */
export async function removeFolder(vfs: Vfs, path: string, pause: () => Promise<void> | undefined): Promise<void> {
  for (const name of vfs.listSync(path)) {
    const inner = `${path}/${name}`;
    if (vfs.statSync(inner)?.isDirectory) await removeFolder(vfs, inner, pause);
    else vfs.removeSync(inner);
    await pause();
  }
  vfs.removeDirectorySync(path);
}
