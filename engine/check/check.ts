// The offline check: verifies every invariant of a data folder, or of one dataset folder, and writes nothing.

import { CATALOG_FILE, DATASET_FILE, DELETIONS_FILE, JOURNAL_FOLDER, TAGS_FOLDER, UNFINISHED } from '../filenames.ts';
import { findFolders } from '../files/dataset-folders.ts';
import { LOCK_FILE_NAME, lockForReading } from '../io/folder-lock.ts';
import { nodeVfs } from '../io/node-vfs.ts';
import type { Vfs } from '../io/vfs.ts';
import { checkDataset } from './check-dataset.ts';
import { CheckLog, type CheckReport, UNFINISHED_MESSAGE } from './check-log.ts';

/** Checks a folder that no process is writing to. Throws the system's error when a file cannot be read at all. */
export function checkFolder(vfs: Vfs, folder: string): CheckReport {
  const log = new CheckLog();
  if (!vfs.statSync(folder)?.isDirectory) log.report('error', '', 'is not a folder');
  else if (isDatasetFolder(vfs, folder)) checkDataset(log, vfs, folder, '');
  else checkDataFolder(log, vfs, folder);
  return log.toReport();
}

/** Checks on the real file system. Throws LOCKED while a server has the folder open, or the data folder that contains it. */
export async function checkUnusedFolder(folder: string): Promise<CheckReport> {
  const dataFolder = isDatasetFolder(nodeVfs, folder) ? `${folder}/..` : folder;
  if (!nodeVfs.statSync(dataFolder)?.isDirectory) return checkFolder(nodeVfs, folder);
  const lock = await lockForReading(dataFolder);
  try {
    return checkFolder(nodeVfs, folder);
  } finally {
    await lock.release();
  }
}

function isDatasetFolder(vfs: Vfs, folder: string): boolean {
  const isFile = (name: string): boolean => vfs.statSync(`${folder}/${name}`)?.isDirectory === false;
  if (isFile(DATASET_FILE) || isFile(CATALOG_FILE)) return true;
  // The two files that mark a dataset folder may be missing; and datasets may be named `journal` and `tags`.
  const names = vfs.listSync(folder);
  return (
    names.includes(JOURNAL_FOLDER) &&
    names.includes(TAGS_FOLDER) &&
    !vfs.listSync(`${folder}/${JOURNAL_FOLDER}`).includes(JOURNAL_FOLDER)
  );
}

function checkDataFolder(log: CheckLog, vfs: Vfs, folder: string): void {
  const { datasets, unknown, leftovers } = findFolders(vfs, folder);
  for (const name of leftovers)
    log.report(
      'info',
      name,
      'is what is left of a dataset that was being created or deleted; the next start removes it',
    );
  for (const { folder: name, reason } of unknown) log.report('warn', name, `is no dataset: ${reason}`);
  for (const name of vfs.listSync(folder)) {
    if (name === LOCK_FILE_NAME || name === DELETIONS_FILE || vfs.statSync(`${folder}/${name}`)?.isDirectory) continue;
    if (name === `${DELETIONS_FILE}${UNFINISHED}`) log.report('info', name, UNFINISHED_MESSAGE);
    else log.report('warn', name, 'is not a file of Varve');
  }
  for (const dataset of datasets) checkDataset(log, vfs, `${folder}/${dataset.folder}`, `${dataset.folder}/`);
  if (datasets.length === 0) log.report('info', '', 'holds no dataset');
}
