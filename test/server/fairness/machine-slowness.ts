// How slow this machine is just now: the processor time of work that never changes. If other machines share its caches and
// its memory, work that makes many objects takes several times as long, also by the processor's own clock.

/** Time of an entry, on the machine that the limits were set on. */
const REFERENCE_NS = 300;
const ENTRIES = 100_000;
const ROUNDS = 11;
/** A machine that is even slower measures nothing. */
const MOST = 4;

/** 1 on a machine like that of the limits or a faster one, up to 4 on slower ones: in the middle of some rounds. */
export function machineSlowness(): number {
  const names = Array.from({ length: ENTRIES }, (_, i) => `Area${i % 10}.Unit${i % 100}.Tag${i}`);
  const rounds = Array.from({ length: ROUNDS }, () => entryNs(names)).sort((a, b) => a - b);
  return Math.min(MOST, Math.max(1, (rounds[ROUNDS >> 1] as number) / REFERENCE_NS));
}

function entryNs(names: readonly string[]): number {
  const before = process.cpuUsage();
  const made = new Map<string, { readonly name: string }>();
  for (const name of names) made.set(`${name}x`, { name });
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / made.size;
}
