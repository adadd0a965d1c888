// Saved views in backups: each is one small file, so those that differ are copied whole.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { syncFolderSync } from '../../../disk/folders.ts';
import { parseViewFile, VIEWS_FOLDER, ViewFileFault } from '../../views/view-file.ts';
import { makeFolder, replaceSynced } from './durable-files.ts';

const ENDING = '.json';

export interface CopiedViews {
  /** Views that the copy has now. */
  readonly count: number;
  /** In words: files that hold no whole view. */
  readonly faults: readonly string[];
}

/** Makes the backup's views those of the data folder; a file that is damaged there leaves the older copy as it is. */
export function backUpViews(dataFolder: string, target: string): CopiedViews {
  const [from, into] = [`${dataFolder}/${VIEWS_FOLDER}`, `${target}/${VIEWS_FOLDER}`];
  const ids = idsIn(from);
  const faults = ids.flatMap((id) => copyView(from, into, id));
  const gone = idsIn(into).filter((id) => !ids.includes(id));
  for (const id of gone) rmSync(`${into}/${id}${ENDING}`, { force: true });
  if (gone.length > 0) syncFolderSync(into);
  return { count: idsIn(into).length, faults };
}

/** Brings views of a backup into a data folder that is not in use. What is there already is never touched. */
export function restoreViews(backup: string, dataFolder: string): CopiedViews & { readonly kept: number } {
  const [from, into] = [`${backup}/${VIEWS_FOLDER}`, `${dataFolder}/${VIEWS_FOLDER}`];
  const ids = idsIn(from);
  const wanted = ids.filter((id) => !existsSync(`${into}/${id}${ENDING}`));
  const faults = wanted.flatMap((id) => copyView(from, into, id));
  return { count: wanted.length - faults.length, faults, kept: ids.length - wanted.length };
}

/** Gives the fault of a file that is no whole view, and then copies nothing. */
function copyView(from: string, into: string, id: string): string[] {
  const name = `${id}${ENDING}`;
  const bytes = readIfThere(`${from}/${name}`);
  if (bytes === undefined) return []; // Deleted meanwhile.
  try {
    parseViewFile(bytes, id);
  } catch (error) {
    if (error instanceof ViewFileFault) return [`${VIEWS_FOLDER}/${name}: ${error.message}`];
    throw error;
  }
  if (readIfThere(`${into}/${name}`)?.equals(bytes)) return [];
  makeFolder(into);
  replaceSynced(`${into}/${name}`, bytes);
  return [];
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function idsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length));
}
