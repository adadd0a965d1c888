// What tools that work on data folders from outside the server need of the engine: which datasets are in a folder, where
// a new one goes, which files a copy consists of. (The check is in check.ts.)

import { EngineError } from '../errors.ts';
import { CREATING_PREFIX } from '../filenames.ts';
import { readDatasetFile, writeDatasetFile } from '../files/dataset-file.ts';
import { chooseFolder, type FoundFolder, findFolderOf, findFolders } from '../files/dataset-folders.ts';
import { nodeVfs } from '../io/node-vfs.ts';
import { checkFolder } from './check.ts';
import type { CheckReport } from './check-log.ts';
import { type CopyPlan, planCopy } from './copy-plan.ts';

/** The datasets of a data folder, by folder name. */
export function listDatasetFolders(dataFolder: string): FoundFolder[] {
  return findFolders(nodeVfs, dataFolder).datasets;
}

export interface DatasetPlace {
  /** Path that the dataset's folder is to have. */
  readonly path: string;
  /** Path at which it is built; if that is interrupted, the next start of the server removes the leftovers. */
  readonly building: string;
}

/** Gives a place to a dataset of this name; undefined when there is one already. Throws BAD_NAME. */
export function placeForDataset(dataFolder: string, name: string): DatasetPlace | undefined {
  if (findFolderOf(nodeVfs, dataFolder, name) !== undefined) return undefined;
  const folder = chooseFolder(name, nodeVfs.listSync(dataFolder));
  return { path: `${dataFolder}/${folder}`, building: `${dataFolder}/${CREATING_PREFIX}restored-${process.pid}` };
}

/** What a copy of a dataset's folder needs right now; see copy-plan.ts. */
export function planDatasetCopy(datasetFolder: string): CopyPlan {
  return planCopy(nodeVfs, datasetFolder);
}

/** Checks a copy of a dataset that nobody but the caller uses: takes no lock. */
export function checkDatasetCopy(datasetFolder: string): CheckReport {
  return checkFolder(nodeVfs, datasetFolder);
}

/** Makes the folder of a dataset one that no copy elsewhere knows. A damaged dataset.json stays as it is. */
export async function forgetIdentity(folder: string): Promise<void> {
  try {
    const { identity, ...file } = readDatasetFile(nodeVfs, folder);
    if (identity !== undefined) await writeDatasetFile(nodeVfs, folder, file);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}
