// What a finished backup consists of: the file `backup.json` of its folder, guarded by a checksum, replaced as a whole.
// A run that is interrupted leaves the previous manifest, and everything that it names.

import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ExitCode } from '../../exit-codes.ts';
import { BackupFailure } from './backup-failure.ts';
import { replaceSynced } from './durable-files.ts';

export const MANIFEST_NAME = 'backup.json';
const FORMAT = 1;

export interface BackedUpFile {
  /** Inside the dataset's folder. */
  readonly path: string;
  /** The file's first bytes count; an interrupted run may have left more. */
  readonly bytes: number;
  readonly crc: number;
  /** The source as it was, to know it again: number of its inode and time of its last change, ms since 1970. */
  readonly inode: number;
  readonly modifiedMs: number;
}

export interface BackedUpDataset {
  readonly name: string;
  /** Its folder, in the backup as in the data folder. */
  readonly folder: string;
  /** Everything that was acknowledged before is in the backup; ISO 8601. */
  readonly startedAt: string;
  readonly files: readonly BackedUpFile[];
}

export interface Manifest {
  readonly datasets: readonly BackedUpDataset[];
}

/** Undefined when the folder holds no backup yet. Throws a `BackupFailure` for one that cannot be relied on. */
export function readManifest(target: string): Manifest | undefined {
  const path = `${target}/${MANIFEST_NAME}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return parseManifest(text, path);
}

/** Durable when it returns. */
export function writeManifest(target: string, manifest: Manifest): void {
  replaceSynced(`${target}/${MANIFEST_NAME}`, Buffer.from(formatManifest(manifest)));
}

function formatManifest({ datasets }: Manifest): string {
  const fields = { format: FORMAT, datasets };
  return `${JSON.stringify({ ...fields, crc: crc32(JSON.stringify(fields)) })}\n`;
}

function parseManifest(text: string, path: string): Manifest {
  let content: { format?: unknown; datasets?: unknown; crc?: unknown };
  try {
    content = JSON.parse(text) as typeof content;
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
  const { format, datasets, crc } = content;
  if (crc !== crc32(JSON.stringify({ format, datasets }))) throw damaged(path, 'it fails its checksum');
  if (format !== FORMAT)
    throw new BackupFailure(ExitCode.Failed, `${path} has format ${String(format)}; this program knows ${FORMAT}.`);
  return { datasets: datasets as BackedUpDataset[] };
}

function damaged(path: string, reason: string): BackupFailure {
  const advice = 'Its dataset folders can still be checked with varve check; back up into another folder.';
  return new BackupFailure(ExitCode.Failed, `${path} is damaged: ${reason}. ${advice}`);
}
