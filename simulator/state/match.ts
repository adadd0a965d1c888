// Which instance of the new configuration goes on where which instance of the saved state was. Tags decide: an instance
// keeps its place in time as long as it has one of its tags; without any, its name and number in the sequence decide.

import type { InstanceDefinition } from '../config/model.ts';

export interface FormerInstance {
  readonly sequenceName: string;
  readonly index: number;
  readonly tagNames: readonly string[];
}

/** For each new instance the index of its former one; -1 when it is new. */
export function matchInstances(current: readonly InstanceDefinition[], former: readonly FormerInstance[]): number[] {
  const owners = new Map<string, number>();
  const byName = new Map<string, number>();
  for (const [index, instance] of former.entries()) {
    for (const name of instance.tagNames) owners.set(name, index);
    byName.set(JSON.stringify([instance.sequenceName, instance.index]), index);
  }
  const taken = new Set<number>();
  const matches = current.map((instance) => claim(ownerOf(instance, owners, taken), taken));
  return matches.map((match, index) => {
    if (match >= 0) return match;
    const instance = current[index] as InstanceDefinition;
    const named = byName.get(JSON.stringify([instance.sequence.name, instance.index])) ?? -1;
    return taken.has(named) ? -1 : claim(named, taken);
  });
}

/** The former instance, not taken yet, that has most of this one's tags; -1 when none has any. */
function ownerOf(
  instance: InstanceDefinition,
  owners: ReadonlyMap<string, number>,
  taken: ReadonlySet<number>,
): number {
  const counts = new Map<number, number>();
  let best = -1;
  for (const tag of instance.tags) {
    const owner = owners.get(tag.object.n);
    if (owner === undefined || taken.has(owner)) continue;
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    if (best < 0 || count > (counts.get(best) ?? 0)) best = owner;
  }
  return best;
}

function claim(index: number, taken: Set<number>): number {
  if (index >= 0) taken.add(index);
  return index;
}
