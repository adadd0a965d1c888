// What generating and serialising a point costs, without any sending: `node --import tsx bench/simulator/generate.ts`.
// Prints millions of points per second, in several rounds, of a plant of 40 tags at 1.5 s.

import { parsePlant } from '../../simulator/config/plant.ts';
import { InstanceRun } from '../../simulator/generate/instance-run.ts';
import { BodyBuilder, BodyTag } from '../../simulator/wire/body-builder.ts';

const ROUNDS = 5;
const POINTS_PER_ROUND = 4_000_000;
const BATCH_POINTS = 10_000;

const tags = Array.from({ length: 10 }, (_, index) => ({
  name: `Unit[Unit, 00].Value${index}`,
  values: [`flat(1.5, ${50 + index}, ${index + 1})`, 'ramp(1.5, 10, 0.5)'],
}));
const steps = [
  { value: '0', duration: '300' },
  { value: '1', duration: 'random(10, 20)' },
];
const map = [{ name: 'Unit', data: '1-4' }];
const result = parsePlant(JSON.stringify({ Settings: { Sequences: { Unit: { map, steps, tags } } } }));
if (!result.ok) throw new Error('the plant of the benchmark has faults');

const builder = new BodyBuilder();
const runs = result.plant.sequences
  .flatMap((sequence) => sequence.instances)
  .map((instance) => {
    const run = new InstanceRun(instance, instance.key, 1, {
      cycle: 0,
      startMs: Date.UTC(2024, 0, 1),
      carries: new Map(),
    });
    const bodyTags = instance.tags.map((tag) => new BodyTag(tag.object.n));
    return { run, bodyTags };
  });

for (let round = 0; round < ROUNDS; round++) {
  const startedMs = performance.now();
  let points = 0;
  let bytes = 0;
  while (points < POINTS_PER_ROUND) {
    for (const { run, bodyTags } of runs) {
      const taker = {
        numbers: (tagIndex: number, column: Parameters<BodyBuilder['addNumbers']>[1]) =>
          builder.addNumbers(bodyTags[tagIndex] as BodyTag, column, 0),
        json: (tagIndex: number, timeMs: number, json: string) =>
          builder.addJson(bodyTags[tagIndex] as BodyTag, timeMs, json),
      };
      for (const _ of run.generateCycle(taker)) {
        if (builder.pointCount < BATCH_POINTS) continue;
        points += builder.pointCount;
        bytes += builder.takeBody().length;
      }
    }
  }
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${(points / seconds / 1e6).toFixed(2)} million points/s, ${(bytes / points).toFixed(1)} bytes/point`);
}
