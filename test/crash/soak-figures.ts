// What the soak watches of the server: memory, descriptors and files; and whether they stay flat.

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SoakRow {
  readonly requests: number;
  readonly points: number;
  readonly reads: number;
  /** From the start of the process to its ready line, and until everything new was compared. */
  readonly recoveryMs: number;
  /** Resident memory in the second half of the round, the middle of its samples. */
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly files: number;
  readonly dataMb: number;
}

/** A few descriptors come and go with connections and files under way. */
const DESCRIPTOR_LEEWAY = 24;
const FILE_LEEWAY = 24;
const MEMORY_LEEWAY = 0.1;
/** Minutes that are compared from minute 5 on, and before the end. */
const COMPARED_ROWS = 5;
const SETTLED_ROW = 4;
/** Fewer rows say nothing about growth. */
const FEWEST_ROWS = SETTLED_ROW + COMPARED_ROWS;

/** What has grown between minute 5 and the end; each figure as the middle of five rows at each end. */
export function findGrowth(rows: readonly SoakRow[]): string[] {
  if (rows.length < FEWEST_ROWS) return [];
  const settled = rows.slice(SETTLED_ROW, SETTLED_ROW + COMPARED_ROWS);
  const last = rows.slice(-COMPARED_ROWS);
  const compare = (what: string, figure: (row: SoakRow) => number, bound: (before: number) => number): string[] => {
    const [before, after] = [median(settled.map(figure)), median(last.map(figure))];
    return after <= bound(before) ? [] : [`${what} grew from ${before} around minute 5 to ${after} at the end`];
  };
  return [
    ...compare(
      'resident memory (MB)',
      (row) => row.memoryMb,
      (before) => before * (1 + MEMORY_LEEWAY),
    ),
    ...compare(
      'open descriptors',
      (row) => row.descriptors,
      (before) => before + DESCRIPTOR_LEEWAY,
    ),
    ...compare(
      'files',
      (row) => row.files,
      (before) => before + FILE_LEEWAY,
    ),
  ];
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

export function descriptorCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Files under a folder while others change it. */
export function measureFolder(folder: string): { files: number; megabytes: number } {
  let files = 0;
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (!found?.isFile()) continue;
    files++;
    bytes += found.size;
  }
  return { files, megabytes: Math.round(bytes / 1e5) / 10 };
}
