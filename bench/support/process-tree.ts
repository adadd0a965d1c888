// What the system (Linux) knows of a process and all its children: a server may be many processes.

import { readdirSync, readFileSync } from 'node:fs';

/** Jiffies a second of /proc/<pid>/stat. */
const CLOCK_TICKS = 100;
const LOOK_MS = 20;

interface ProcessStat {
  readonly parent: number;
  readonly isZombie: boolean;
  /** Processor time of all its threads, and of children that ended. */
  readonly cpuSeconds: number;
}

function readStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name before it is in parentheses, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return { parent: Number(fields[1]), isZombie: fields[0] === 'Z', cpuSeconds: ticks / CLOCK_TICKS };
}

/** The process and all its descendants, parents first. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat) parents.set(Number(name), stat.parent);
  }
  const tree = [pid];
  for (const above of tree) for (const [below, parent] of parents) if (parent === above) tree.push(below);
  return tree;
}

/** Processor time of the whole tree, with children that ended. */
export function treeCpuSeconds(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + (readStat(member)?.cpuSeconds ?? 0), 0);
}

/** Resident memory of the whole tree, pages that its processes share counted once; MB (10^6 bytes). */
export function treeMemoryMb(pid: number): number {
  let kibibytes = 0;
  for (const member of processTree(pid)) {
    try {
      const text = readFileSync(`/proc/${member}/smaps_rollup`, 'latin1');
      kibibytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      // It has ended.
    }
  }
  return (kibibytes * 1024) / 1e6;
}

/**
 * Ends a process and all its descendants, and waits until they are gone, without giving way to anything: made for the end
 * of the process that calls it. The first signal goes to the process alone; who lives on after `limitMs` is killed.
 */
export function endTree(pid: number, first: NodeJS.Signals, limitMs: number): void {
  const members = processTree(pid);
  signalTo(pid, first);
  if (waitUntilGone(members, limitMs)) return;
  for (const member of members) signalTo(member, 'SIGKILL');
  waitUntilGone(members, limitMs);
}

function waitUntilGone(pids: readonly number[], limitMs: number): boolean {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const endMs = performance.now() + limitMs;
  while (pids.some(isAlive)) {
    if (performance.now() > endMs) return false;
    Atomics.wait(pause, 0, 0, LOOK_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && !stat.isZombie;
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
