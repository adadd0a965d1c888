// Verifies dataset folders that were copied: every byte against the manifest, then by the engine's own check.

import { type CheckReport, checkDatasetCopy } from '../../../engine/index.ts';
import { checksumOf, ShortFile } from './durable-files.ts';
import type { BackedUpDataset } from './manifest.ts';

export interface Verdict {
  /** In words, one a line; empty when all is well. */
  readonly faults: readonly string[];
  readonly pointCount: number;
}

/** `folder` is the copy of the dataset. Throws the system's error when a file cannot be read. */
export function verifyCopy(folder: string, dataset: BackedUpDataset): Verdict {
  const rotten = dataset.files.flatMap(({ path, bytes, crc }) => checksumFault(`${folder}/${path}`, bytes, crc));
  const report = checkDatasetCopy(folder);
  return { faults: [...rotten, ...errorsOf(report)], pointCount: report.counts.points };
}

function checksumFault(path: string, bytes: number, crc: number): string[] {
  try {
    return checksumOf(path, bytes) === crc ? [] : [`${path}: its bytes are not those that were copied`];
  } catch (error) {
    if (error instanceof ShortFile) return [`${path}: ${error.message}`];
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [`${path}: is missing`];
    throw error;
  }
}

function errorsOf({ findings }: CheckReport): string[] {
  return findings
    .filter(({ level }) => level === 'error')
    .map(({ path, offset, message }) => `${path}${offset === undefined ? '' : `, byte ${offset}`}: ${message}`);
}
