// dataset.json: the rules of a dataset and the retention cutoff in force, human-readable, with a checksum.

import { EngineError } from '../errors.ts';
import { DATASET_FILE } from '../filenames.ts';
import { crc32 } from '../format/bytes/crc.ts';
import { FORMAT_VERSION, isKnownVersion } from '../format/bytes/file-headers.ts';
import type { Vfs } from '../io/vfs.ts';
import { readWholeFile, replaceFile } from '../io/whole-file.ts';
import type { DatasetRules } from '../types.ts';

export interface DatasetFile extends DatasetRules {
  /** 32 hexadecimal digits, by which a copy elsewhere knows the dataset; absent until it is copied first. */
  readonly identity?: string;
  /** The retention cutoff: earlier points are purged; ms, null for none. */
  readonly purgedBeforeMs: number | null;
  readonly systemPurgedBeforeMs: number | null;
  /** The cutoff that purge by size has set; absent in files of version 1. */
  readonly sizePurgedBeforeMs?: number | null;
  /** The cutoff that was lifted last, and the journal record from which on the catalog knows the points it hid. */
  readonly liftedBeforeMs?: number;
  readonly liftedSequence?: number;
}

/** The rules of a definition or file, in the order in which the file has them; those that were never set are left out. */
export function rulesOf({ purgeAgeDays, purgeSizeGb, late, lateToleranceMs, lateAgeDays }: DatasetRules): DatasetRules {
  return {
    purgeAgeDays,
    purgeSizeGb,
    ...(late === undefined ? {} : { late }),
    ...(lateToleranceMs === undefined ? {} : { lateToleranceMs }),
    ...(lateAgeDays === undefined ? {} : { lateAgeDays }),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function formatDatasetFile(file: DatasetFile): Uint8Array {
  const fields = { format: FORMAT_VERSION, ...file };
  const crc = crc32(encoder.encode(JSON.stringify(fields)));
  return encoder.encode(`${JSON.stringify({ ...fields, crc }, null, 2)}\n`);
}

export function writeDatasetFile(vfs: Vfs, folder: string, file: DatasetFile): Promise<void> {
  return replaceFile(vfs, folder, DATASET_FILE, formatDatasetFile(file));
}

/** Throws CORRUPT when the file is missing, damaged or of a version this program does not know. */
export function readDatasetFile(vfs: Vfs, folder: string): DatasetFile {
  const path = `${folder}/${DATASET_FILE}`;
  if (!vfs.statSync(path)) throw new EngineError('CORRUPT', `${DATASET_FILE} is missing`, { path });
  try {
    const { crc, ...fields } = JSON.parse(decoder.decode(readWholeFile(vfs, path))) as Record<string, unknown>;
    if (crc !== crc32(encoder.encode(JSON.stringify(fields)))) throw new Error('it fails its checksum');
    if (!isKnownVersion(fields.format))
      throw new Error(`got version ${String(fields.format)}; want 1 to ${FORMAT_VERSION}`);
    return fields as unknown as DatasetFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new EngineError('CORRUPT', `${DATASET_FILE} is damaged: ${(error as Error).message}`, { path }, error);
  }
}
