// How much a configuration makes: counts, and about how many points a day, for `--check` and for whoever designs a plant.

import type { EntryTemplate, NumberRange } from './entries.ts';
import type { InstanceDefinition, Plant, TagDefinition } from './model.ts';

export interface PlantEstimate {
  readonly sequences: number;
  readonly instances: number;
  readonly tags: number;
  readonly pointsPerDay: number;
}

const MINUTES_PER_DAY = 1440;
const LEAST_MINUTES = 1 / 60_000;

export function estimatePlant(plant: Plant): PlantEstimate {
  const instances = plant.sequences.flatMap((sequence) => sequence.instances);
  return {
    sequences: plant.sequences.length,
    instances: instances.length,
    tags: instances.reduce((sum, instance) => sum + instance.tags.length, 0),
    pointsPerDay: instances.reduce((sum, instance) => sum + pointsPerDay(instance), 0),
  };
}

function pointsPerDay(instance: InstanceDefinition): number {
  const minutes = instance.sequence.steps.map((step) => Math.max(LEAST_MINUTES, middle(step.durationMinutes)));
  const cycleMinutes = minutes.reduce((sum, duration) => sum + duration, 0);
  let points = 0;
  for (const tag of instance.tags) {
    for (const [step, duration] of minutes.entries()) points += pointsOf(tag, step, duration, instance);
  }
  return (points * MINUTES_PER_DAY) / cycleMinutes;
}

function pointsOf(tag: TagDefinition, step: number, minutes: number, instance: InstanceDefinition): number {
  const entry: EntryTemplate | undefined = tag.entries[step];
  if (entry?.kind === 'flat' || entry?.kind === 'ramp') return Math.max(1, (minutes * 60_000) / entry.intervalMs);
  const source = instance.tags[tag.sources[step] ?? -1];
  return source === undefined ? 1 : pointsOf(source, step, minutes, instance);
}

function middle(range: NumberRange): number {
  return (range.low + range.high) / 2;
}
