// How much memory there is for the server, and what of it requests and answers under way may hold. What V8's heap may take is
// fixed when the process starts.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 2 ** 20;
/** Three quarters of it, which one client may have, are 1 GiB. */
const MOST_BODY_BYTES = 1_431_655_764;
const MOST_ANSWER_BYTES = 1024 * MIB;
/** A request of the largest size, and the answer to it, are possible on the smallest machine. */
const LEAST_BODY_BYTES = 128 * MIB;
const LEAST_ANSWER_BYTES = 64 * MIB;

export interface MemoryPlan {
  /** Memory of the machine, or of the group of processes (cgroup) that it is limited to. */
  readonly totalBytes: number;
  readonly heapBytes: number;
  /** Room for requests under way. */
  readonly bodiesBytes: number;
  /** Room for answers under way. */
  readonly answersBytes: number;
}

/** What is known of the machine. */
export interface MemoryFacts {
  readonly machineBytes: number;
  /** Limit of the group; none where it is more than the machine has. */
  readonly groupBytes: number;
  readonly heapBytes: number;
}

export function memoryFacts(): MemoryFacts {
  return {
    machineBytes: totalmem(),
    groupBytes: process.constrainedMemory() || Number.POSITIVE_INFINITY,
    heapBytes: getHeapStatistics().heap_size_limit,
  };
}

export function planMemory({ machineBytes, groupBytes, heapBytes }: MemoryFacts): MemoryPlan {
  const totalBytes = Math.min(machineBytes, groupBytes);
  return {
    totalBytes,
    heapBytes,
    bodiesBytes: between(LEAST_BODY_BYTES, Math.floor(totalBytes / 6), MOST_BODY_BYTES),
    answersBytes: between(LEAST_ANSWER_BYTES, Math.floor(Math.min(totalBytes / 8, heapBytes / 4)), MOST_ANSWER_BYTES),
  };
}

/** In words, for the log. */
export function describeMemory({ totalBytes, heapBytes, bodiesBytes, answersBytes }: MemoryPlan): string {
  const parts = [`heap ${inGb(heapBytes)}`, `requests ${inGb(bodiesBytes)}`, `answers ${inGb(answersBytes)}`];
  return `${inGb(totalBytes)} GB: ${parts.join(', ')}`;
}

function inGb(sizeBytes: number): string {
  return (sizeBytes / 1e9).toFixed(1);
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
