// Start of every instance: at its saved place, at an older one when the dataset lacks what the state says it has, or
// somewhere in the first tenth of the back-fill when it is new. An instance whose definition was changed first finishes,
// by the old one, the cycle that the dataset already has points of.

import { FaultList } from '../config/document/faults.ts';
import type { InstanceDefinition, Plant, SequenceDefinition } from '../config/model.ts';
import { readSequence } from '../config/sequence.ts';
import type { TagCarry } from '../generate/carry.ts';
import type { InstancePosition } from '../generate/instance-run.ts';
import { drawFineUnit, openStream, streamName } from '../generate/seeds.ts';
import { matchInstances } from './match.ts';
import type { SavedInstance, SavedState } from './state-model.ts';

export interface ResumePoint {
  readonly key: string;
  /** By which the next cycle is generated. */
  readonly definition: InstanceDefinition;
  readonly position: InstancePosition;
  /** The present definition, where `definition` is a former one. */
  readonly successor: InstanceDefinition | undefined;
}

export interface ResumeContext {
  readonly plant: Plant;
  readonly state: SavedState | undefined;
  /** Older states, the newest first; only asked for when the dataset lacks something. */
  readonly older: () => AsyncIterable<SavedState>;
  /** Time of each tag's newest point in the dataset, in milliseconds since 1970. */
  readonly newestMs: ReadonlyMap<string, number>;
  readonly seed: number;
  readonly nowMs: number;
  readonly log: (line: string) => void;
}

interface Former {
  readonly saved: SavedInstance;
  readonly definition: InstanceDefinition;
}

const MS_PER_DAY = 86_400_000;

export async function planResume(context: ResumeContext): Promise<ResumePoint[]> {
  const current = context.plant.sequences.flatMap((sequence) => sequence.instances);
  const definitions = new DefinitionCache(context.plant, context.log);
  const former = context.state === undefined ? [] : definitions.formersOf(context.state);
  const matches = matchInstances(
    current,
    former.map(({ definition }) => ({
      sequenceName: definition.sequence.name,
      index: definition.index,
      tagNames: definition.tags.map((tag) => tag.object.n),
    })),
  );
  const chosen = matches.map((match) => former[match]);
  await stepBack(current, chosen, definitions, context);
  const allCarries = new Map(former.flatMap(({ saved }) => [...saved.position.carries]));
  return current.map((instance, index) => {
    const from = chosen[index];
    return from === undefined ? freshStart(instance, context) : goOn(instance, from, allCarries);
  });
}

function goOn(
  instance: InstanceDefinition,
  { saved, definition }: Former,
  allCarries: ReadonlyMap<string, Readonly<TagCarry>>,
): ResumePoint {
  const isSame = definition.sequence.hash === instance.sequence.hash && definition.index === instance.index;
  const carries = new Map(saved.position.carries);
  for (const { object } of instance.tags) {
    // A tag that came from another instance takes its last value along.
    const carry = allCarries.get(object.n);
    if (!carries.has(object.n) && carry !== undefined) carries.set(object.n, carry);
  }
  return {
    key: saved.key,
    definition: isSame ? instance : definition,
    position: { ...saved.position, carries },
    successor: isSame ? undefined : instance,
  };
}

/** Random within the first tenth of the window, but after what the dataset has of these tags. */
function freshStart(instance: InstanceDefinition, context: ResumeContext): ResumePoint {
  const windowMs = context.plant.backfillDays * MS_PER_DAY;
  const unit = drawFineUnit(openStream(streamName(context.seed, instance.key, 'start'), 0));
  let startMs = Math.floor(context.nowMs - windowMs + (unit * windowMs) / 10);
  for (const { object } of instance.tags) {
    startMs = Math.max(startMs, (context.newestMs.get(object.n) ?? -Infinity) + 1);
  }
  return {
    key: instance.key,
    definition: instance,
    position: { cycle: 0, startMs, carries: new Map() },
    successor: undefined,
  };
}

/** Replaces the chosen places of instances that the dataset lacks points of by older ones. */
async function stepBack(
  current: readonly InstanceDefinition[],
  chosen: (Former | undefined)[],
  definitions: DefinitionCache,
  context: ResumeContext,
): Promise<void> {
  const lacking = new Map<number, string[]>();
  for (const [index, former] of chosen.entries()) {
    const names = former === undefined ? [] : lackingTags(current[index], former.saved, context.newestMs);
    if (names.length > 0) lacking.set(index, names);
  }
  if (lacking.size === 0) return;
  context.log(
    `the dataset lacks points of ${lacking.size} sequence instances that were sent before: back-filling them`,
  );
  const windowStartMs = context.nowMs - context.plant.backfillDays * MS_PER_DAY;
  const unsettled = new Set(lacking.keys());
  const keys = new Map([...lacking.keys()].map((index) => [chosen[index]?.saved.key ?? '', index]));
  for (const index of lacking.keys()) chosen[index] = undefined;
  for await (const older of context.older()) {
    for (const former of definitions.formersOf(older)) {
      const index = keys.get(former.saved.key);
      if (index === undefined || !unsettled.has(index)) continue;
      // Also when it is not old enough: the oldest there is is the best there is.
      chosen[index] = former;
      const names = lacking.get(index) ?? [];
      if (isBefore(former.saved, names, context.newestMs, windowStartMs)) unsettled.delete(index);
    }
    if (unsettled.size === 0) return;
  }
}

function lackingTags(
  instance: InstanceDefinition | undefined,
  saved: SavedInstance,
  newestMs: ReadonlyMap<string, number>,
): string[] {
  const names: string[] = [];
  for (const { object } of instance?.tags ?? []) {
    const carry = saved.position.carries.get(object.n);
    if (carry !== undefined && carry.lastTimeMs > (newestMs.get(object.n) ?? -Infinity)) names.push(object.n);
  }
  return names;
}

/** Whether going on from there gives the dataset all that it lacks: of tags without points, the back-fill window. */
function isBefore(
  saved: SavedInstance,
  names: readonly string[],
  newestMs: ReadonlyMap<string, number>,
  windowStartMs: number,
): boolean {
  return names.every((name) => {
    const lastTimeMs = saved.position.carries.get(name)?.lastTimeMs ?? -Infinity;
    return lastTimeMs <= (newestMs.get(name) ?? windowStartMs);
  });
}

/** Definitions by their hash: those of the configuration, and former ones out of states. */
class DefinitionCache {
  readonly #byHash = new Map<string, SequenceDefinition | undefined>();
  readonly #log: (line: string) => void;

  constructor(plant: Plant, log: (line: string) => void) {
    for (const sequence of plant.sequences) this.#byHash.set(sequence.hash, sequence);
    this.#log = log;
  }

  formersOf(state: SavedState): Former[] {
    const formers: Former[] = [];
    for (const saved of state.instances) {
      const definition = this.#definitionOf(saved.definitionHash, state)?.instances[saved.index];
      if (definition !== undefined) formers.push({ saved, definition });
    }
    return formers;
  }

  #definitionOf(hash: string, state: SavedState): SequenceDefinition | undefined {
    if (!this.#byHash.has(hash)) {
      const saved = state.definitions.get(hash);
      const faults = new FaultList();
      const sequence = saved === undefined ? undefined : readSequence(saved.name, saved.source, '', faults);
      if (sequence === undefined)
        this.#log(`a former definition of ${saved?.name ?? hash} cannot be read; it is left out`);
      this.#byHash.set(hash, sequence);
    }
    return this.#byHash.get(hash);
  }
}
