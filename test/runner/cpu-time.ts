// The CPU time that processes have used, as far as the system tells.

import { readFileSync } from 'node:fs';

/** Clock ticks in a second, in which Linux gives CPU times. */
const TICKS_A_SECOND = 100;

/** CPU time in ms of the processes that this one has waited for, and of those that they have waited for; 0 where it is not told. */
export function endedChildrenCpuMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND) * 1000;
  } catch {
    return 0;
  }
}

/** CPU time in ms of this process and of the processes that it has waited for. */
export function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenCpuMs();
}
