// What the kernel says of threads and memory of a process, read from outside: it costs that process nothing. Linux only.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

export interface ThreadTimes {
  /** Time on a processor so far. */
  readonly cpuMs: number;
  /** Time spent ready to run without being given a processor. */
  readonly waitedMs: number;
}

/** False where the kernel does not count these times. */
export function countsThreadTimes(): boolean {
  return existsSync(threadPath(process.pid)) && readThreadTimes(process.pid).cpuMs > 0;
}

/** Times of the main thread of a process, up to the kernel's last tick. Throws when it is gone. */
export function readThreadTimes(pid: number): ThreadTimes {
  const [cpuNs = 0, waitedNs = 0] = readFileSync(threadPath(pid), 'utf8').split(' ').map(Number);
  return { cpuMs: cpuNs / NS_PER_MS, waitedMs: waitedNs / NS_PER_MS };
}

/** The main thread has the id of its process. */
function threadPath(pid: number): string {
  return `/proc/${pid}/task/${pid}/schedstat`;
}

export interface ResidentMemory {
  readonly rssBytes: number;
  /** Since the last `resetPeakMemory`, or since the process began. */
  readonly peakBytes: number;
}

export function readMemory(pid: number): ResidentMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytesOf = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return { rssBytes: bytesOf('VmRSS'), peakBytes: bytesOf('VmHWM') };
}

export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
