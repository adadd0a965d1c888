// Opens a dataset's folder, at a start or later: recovery, and the checkpoint that may be needed before it accepts writes.

import { Dataset, type EngineContext } from '../dataset/dataset.ts';
import type { StoredCutoffs } from '../dataset/retention-cutoffs.ts';
import { EngineError } from '../errors.ts';
import { DATASET_FILE } from '../filenames.ts';
import { type DatasetFile, readDatasetFile, rulesOf } from '../files/dataset-file.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { isPassing } from '../io/system-errors.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { DatasetRules } from '../types.ts';
import { readCorrections } from './correction-recovery.ts';
import { type RecoveryProgress, recover } from './recovery.ts';

/** Rules of a dataset whose dataset.json is damaged or missing. */
const NO_RULES: DatasetRules = { purgeAgeDays: 0, purgeSizeGb: 0 };

/**
 * Recovers a dataset. Returns the passing fault for which it is readable but not writable; undefined when it is writable.
 * Throws POISONED, or the system's error when it cannot be read either.
 */
export async function openDataset(dataset: Dataset, progress: RecoveryProgress): Promise<unknown> {
  try {
    const state = await recover(dataset, progress);
    await readCorrections(dataset);
    if (state === 'ready') return undefined;
    progress('checkpoint');
    return await saveRecovered(dataset);
  } catch (error) {
    const journal = dataset.writing.journal as JournalWriter | undefined;
    await journal?.close();
    throw error;
  }
}

/** Saves the state that recovery rebuilt (D8). Returns the passing fault that prevented it. Throws POISONED. */
export async function saveRecovered(dataset: Dataset): Promise<unknown> {
  try {
    await dataset.maintain(() => checkpoint(dataset, { mode: 'spill' }));
    return undefined;
  } catch (error) {
    if (isPassing(error)) return error;
    throw error;
  }
}

/** The dataset of a folder, with the rules and cutoffs of its dataset.json, not recovered yet. Throws the system's error. */
export function datasetOf(context: EngineContext, path: string, name: string): Dataset {
  const file = readRules(context, path, name);
  const rules = file === undefined ? NO_RULES : rulesOf(file);
  const dataset = new Dataset(context, path, { name, ...rules });
  if (file !== undefined) dataset.cutoffs.putInForce(storedCutoffs(file));
  dataset.identity = file?.identity;
  return dataset;
}

function storedCutoffs(file: DatasetFile): StoredCutoffs {
  const { purgedBeforeMs, systemPurgedBeforeMs, sizePurgedBeforeMs, liftedBeforeMs, liftedSequence } = file;
  // Version 1 does not tell which of two rules has made the cutoff.
  const sizeMs = sizePurgedBeforeMs === undefined && file.purgeSizeGb > 0 ? purgedBeforeMs : sizePurgedBeforeMs;
  const isLifted = liftedBeforeMs !== undefined && liftedSequence !== undefined;
  return {
    userMs: purgedBeforeMs ?? Number.NEGATIVE_INFINITY,
    systemMs: systemPurgedBeforeMs ?? Number.NEGATIVE_INFINITY,
    sizeMs: sizeMs ?? Number.NEGATIVE_INFINITY,
    lifted: isLifted ? { beforeMs: liftedBeforeMs, sequence: liftedSequence } : undefined,
  };
}

/** Undefined, and said, when the file is damaged. */
function readRules({ vfs, listener }: EngineContext, path: string, name: string): DatasetFile | undefined {
  try {
    return readDatasetFile(vfs, path);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `${error.message}. The dataset has no purge limits until they are set again.`;
    listener({ level: 'error', event: 'dataset-file.damaged', message, dataset: name, path: DATASET_FILE });
    return undefined;
  }
}
