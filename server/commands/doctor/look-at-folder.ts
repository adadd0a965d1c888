// The doctor's look at the data folder: whether it can be used, who has it, what is in it, and how much room is left.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EngineError, HOLD_FILE, listDatasetFolders, lockForReading } from '../../../engine/index.ts';
import type { Settings } from '../../settings/settings.ts';
import { error, type Finding, ok, warn } from './finding.ts';

/** Numbers that Linux gives file systems, as `stat -f` shows them. */
const UNSUITED_FILE_SYSTEMS = new Map([
  [0x01021994, 'tmpfs, which is memory: nothing outlasts a restart of the machine'],
  [0x6969, 'NFS: neither its locks nor its syncs can be relied on'],
  [0xff534d42, 'a Windows share: neither its locks nor its syncs can be relied on'],
  [0xfe534d42, 'a Windows share: neither its locks nor its syncs can be relied on'],
]);
const HOLD_MS = 86_400_000;

export interface FolderLook {
  readonly findings: readonly Finding[];
  /** The process that has the folder; undefined when nobody has. */
  readonly holderPid: number | undefined;
}

export async function lookAtFolder(settings: Settings, nowMs: number): Promise<FolderLook> {
  const folder = resolve(settings.data);
  const refused = lookAtAccess(folder);
  if (refused !== undefined) return { findings: [refused], holderPid: undefined };
  const lock = await lookAtLock(folder);
  const findings = [lock.finding, ...lookAtDisk(folder, settings['disk-reserve'])];
  if (existsSync(folder)) findings.push(...lookAtDatasets(folder, nowMs));
  return { findings, holderPid: lock.holderPid };
}

/** Undefined when the folder can be used, or made. */
function lookAtAccess(folder: string): Finding | undefined {
  const nearest = nearestFolder(folder);
  if (!statSync(nearest).isDirectory()) return error(`${nearest} is not a folder`, 'Choose another with --data.');
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return error(`${nearest} is mounted read-only`, 'Mount it for writing, or choose another with --data.');
    return error(
      `this account may not read and write ${nearest}`,
      `Run as its owner, or give it to this account: chown -R ${process.getuid?.() ?? ''} ${nearest}.`,
    );
  }
}

function nearestFolder(folder: string): string {
  let nearest = folder;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  return nearest;
}

async function lookAtLock(folder: string): Promise<{ finding: Finding; holderPid: number | undefined }> {
  if (!existsSync(folder))
    return { finding: ok(`${folder} is not there yet; the server makes it`), holderPid: undefined };
  try {
    const lock = await lockForReading(folder);
    await lock.release();
    return { finding: ok(`${folder} can be used, and nobody uses it`), holderPid: undefined };
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code !== 'LOCKED') throw cause;
    const { pid } = cause.details;
    const fix = `If you want to start another server, end that one first (kill ${String(pid ?? '<its pid>')}), or give this one another --data.`;
    return { finding: warn(cause.message, fix), holderPid: typeof pid === 'number' ? pid : undefined };
  }
}

function lookAtDisk(folder: string, reserveBytes: number): Finding[] {
  const { bavail, bsize, type } = statfsSync(nearestFolder(folder));
  const freeBytes = bavail * bsize;
  const free = `${(freeBytes / 1e9).toFixed(1)} GB free`;
  const fix = 'Make room, or give datasets a purge age or size; --disk-reserve sets the limit.';
  const findings = [roomFinding(freeBytes, reserveBytes, free, fix)];
  const unsuited = UNSUITED_FILE_SYSTEMS.get(type);
  if (unsuited !== undefined)
    findings.push(warn(`${folder} is on ${unsuited}`, 'Put the data folder on a local disk.'));
  return findings;
}

function roomFinding(freeBytes: number, reserveBytes: number, free: string, fix: string): Finding {
  if (freeBytes < reserveBytes) return error(`${free}: below the reserve, so writes are refused`, fix);
  if (freeBytes < 4 * reserveBytes) return warn(`${free}: near the reserve of ${reserveBytes / 1e6} MB`, fix);
  return ok(free);
}

function lookAtDatasets(folder: string, nowMs: number): Finding[] {
  const datasets = listDatasetFolders(folder);
  const held = datasets.flatMap(({ folder: name }) => holdFinding(`${folder}/${name}/${HOLD_FILE}`, nowMs));
  return [ok(`${datasets.length} datasets (varve check looks into them while no server runs)`), ...held];
}

function holdFinding(path: string, nowMs: number): Finding[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const isOver = nowMs - stat.mtimeMs > HOLD_MS;
  const effect = isOver ? 'is more than a day old, and no longer counts' : 'keeps everything from being removed';
  return [warn(`${path} ${effect}`, 'Remove it when no copy or backup is under way.')];
}
