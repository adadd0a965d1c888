// Following live: points go out when their time comes, none is missing up to now, and a run that is killed or whose
// configuration was edited within a cycle goes on with that cycle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulatorClock } from '../../simulator/clock.ts';
import type { Plant } from '../../simulator/config/model.ts';
import type { Column } from '../../simulator/generate/column.ts';
import { type Pace, Simulation } from '../../simulator/simulation.ts';
import type { PointSink, TagWriter } from '../../simulator/sink.ts';
import { planResume } from '../../simulator/state/resume.ts';
import type { SavedState } from '../../simulator/state/state-model.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { plantOf } from '../support/simulated-points.ts';
import { mixedPlant, NOW_MS } from '../support/simulator-runs.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${SEED}`);

const HOUR_MS = 3_600_000;
/** The farthest ahead of now that a point may be when it is sent: the interval of the heartbeats. */
const MOST_AHEAD_MS = 5000;
const QUIET_LOG = (): void => {};

interface Point {
  readonly timeMs: number;
  readonly value: string;
}

/** Time that moves on only while somebody sleeps. */
class SleepingClock implements SimulatorClock {
  #nowMs = NOW_MS;

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number): Promise<void> {
    this.#nowMs += ms;
    return Promise.resolve();
  }
}

/** A dataset in memory that knows how far ahead of now its points were when they came. */
class Dataset implements PointSink {
  readonly tags = new Map<string, Point[]>();
  readonly isFull = false;
  pointCount = 0;
  farthestAheadMs = -Infinity;
  readonly #clock: SimulatorClock;

  constructor(clock: SimulatorClock) {
    this.#clock = clock;
  }

  tagWriter(name: string): TagWriter {
    return {
      numbers: (column: Column, from: number) => {
        for (let i = from; i < column.count; i++) this.#add(name, column.timesMs[i] ?? 0, String(column.values[i]));
      },
      json: (timeMs, json) => this.#add(name, timeMs, json),
    };
  }

  newestMs(): Map<string, number> {
    return new Map([...this.tags].map(([name, points]) => [name, points.at(-1)?.timeMs ?? -Infinity]));
  }

  /** Every point that is not later, as lines by tag. */
  dump(untilMs: number): string {
    const names = [...this.tags.keys()].sort();
    const lines = names.flatMap((name) =>
      (this.tags.get(name) ?? []).filter((p) => p.timeMs <= untilMs).map((p) => `${name} ${p.timeMs} ${p.value}`),
    );
    return lines.join('\n');
  }

  drain = (): Promise<void> => Promise.resolve();
  flush = (): Promise<void> => Promise.resolve();
  settled = (): Promise<void> => Promise.resolve();

  #add(name: string, timeMs: number, value: string): void {
    let points = this.tags.get(name);
    if (points === undefined) {
      points = [];
      this.tags.set(name, points);
    }
    assert.ok(timeMs > (points.at(-1)?.timeMs ?? -Infinity), `${name} is given a time twice, or in no order`);
    points.push({ timeMs, value });
    this.pointCount++;
    this.farthestAheadMs = Math.max(this.farthestAheadMs, timeMs - this.#clock.nowMs());
  }
}

interface Run {
  readonly plant: Plant;
  readonly clock: SimulatorClock;
  readonly dataset: Dataset;
  readonly pace: Pace;
  readonly state?: SavedState | undefined;
  readonly createTags?: (names: string[]) => void;
  readonly save?: (state: SavedState) => void;
}

/** A simulation that has reached now. */
async function begin({ plant, clock, dataset, pace, state, createTags, save }: Run): Promise<Simulation> {
  const newestMs = dataset.newestMs();
  const resume = await planResume({
    plant,
    state,
    older: async function* () {},
    newestMs,
    seed: 7,
    nowMs: clock.nowMs(),
    log: QUIET_LOG,
  });
  const simulation = new Simulation({
    pace,
    resume,
    seed: 7,
    sink: dataset,
    clock,
    newestMs,
    save: (saved) => Promise.resolve(save?.(saved)),
    createTags: (tags) => Promise.resolve(createTags?.(tags.map((tag) => tag.object.n))),
    stateExtras: () => ({}),
    signal: new AbortController().signal,
    leastSaveIntervalMs: 0,
  });
  await simulation.saveStart();
  await simulation.finishFormerDefinitions();
  createTags?.(simulation.tagsInForce().map((tag) => tag.object.n));
  await simulation.catchUp();
  return simulation;
}

async function follow(simulation: Simulation, clock: SimulatorClock, untilMs: number): Promise<void> {
  while (clock.nowMs() < untilMs) {
    await simulation.waitForNext();
    await simulation.catchUp();
    await simulation.saveWhenDue();
  }
  await simulation.idle();
}

/** A dataset that was given whole cycles, past `untilMs`. */
async function wholeCycles(plant: Plant, untilMs: number): Promise<Dataset> {
  const clock = new SleepingClock();
  const dataset = new Dataset(clock);
  const simulation = await begin({ plant, clock, dataset, pace: 'whole cycles' });
  await follow(simulation, clock, untilMs);
  return dataset;
}

/** A sequence with a cycle of two hours in two steps. */
function slow(tags: Record<string, { readonly type?: string; readonly values: readonly string[] }>): Plant {
  const steps = [
    { value: '1', duration: '40' },
    { value: '2', duration: '80' },
  ];
  const list = Object.entries(tags).map(([name, tag]) => ({ name, ...tag }));
  const sequence = { map: [{ name: 'Unit', data: '1' }], steps, tags: list };
  return plantOf({ Settings: { Backfill: 1, Sequences: { Slow: sequence } } });
}

test('points go out when their time comes, and every point up to now is there at every moment', async () => {
  const plant = plantOf(mixedPlant(1));
  const endMs = NOW_MS + 10 * HOUR_MS;
  const expected = await wholeCycles(plant, endMs);
  assert.ok(expected.farthestAheadMs > 1000 * MOST_AHEAD_MS, 'whole cycles lie far ahead');
  const clock = new SleepingClock();
  const dataset = new Dataset(clock);
  const simulation = await begin({ plant, clock, dataset, pace: 'as time comes' });
  for (let moment = 0; moment <= 20; moment++) {
    await follow(simulation, clock, NOW_MS + moment * (HOUR_MS / 2));
    assert.equal(dataset.dump(clock.nowMs()), expected.dump(clock.nowMs()), `at moment ${moment}`);
  }
  assert.ok(dataset.farthestAheadMs <= MOST_AHEAD_MS, `${dataset.farthestAheadMs} ms ahead`);
  assert.ok(dataset.farthestAheadMs > 0, 'a little ahead of now');
});

test('a run that is killed at random moments and begun again gives the points of one that was not', async () => {
  const random = new SeededRandom(SEED);
  const plant = plantOf(mixedPlant(1));
  const clock = new SleepingClock();
  const dataset = new Dataset(clock);
  const states: SavedState[] = [];
  for (let kills = 0; kills < 25; kills++) {
    // A kill may come before the newest state has reached the disk.
    const state = states.at(random.chance(0.5) ? -1 : -2) ?? states.at(-1);
    const save = (saved: SavedState): void => void states.push(saved);
    const simulation = await begin({ plant, clock, dataset, pace: 'as time comes', state, save });
    await follow(simulation, clock, clock.nowMs() + random.below(HOUR_MS));
  }
  const expected = await wholeCycles(plant, clock.nowMs());
  assert.equal(dataset.dump(clock.nowMs()), expected.dump(clock.nowMs()));
  assert.ok(dataset.farthestAheadMs <= MOST_AHEAD_MS, `${dataset.farthestAheadMs} ms ahead`);
});

test('a cycle that an edit met under way goes on in its time, and the new definition follows it', async () => {
  const clock = new SleepingClock();
  const dataset = new Dataset(clock);
  const states: SavedState[] = [];
  const save = (saved: SavedState): void => void states.push(saved);
  const before = slow({ Step: { values: ['step'] }, Level: { values: ['flat(60, 10)'] } });
  const simulation = await begin({ plant: before, clock, dataset, pace: 'as time comes', save });
  await follow(simulation, clock, NOW_MS + 3 * HOUR_MS);
  const begunMs = dataset.tags.get('Step')?.findLast((point) => point.value === '1')?.timeMs ?? 0;
  const endMs = begunMs + 2 * HOUR_MS;

  const created: { readonly names: string[]; readonly atMs: number }[] = [];
  const after = slow({
    Step: { values: ['step'] },
    Level: { type: 'System.String', values: ['text'] },
    New: { values: ['flat(60, 5)'] },
  });
  const edited = await begin({
    plant: after,
    clock,
    dataset,
    pace: 'as time comes',
    state: states.at(-1),
    save,
    createTags: (names) => created.push({ names, atMs: clock.nowMs() }),
  });
  assert.deepEqual(
    created.map(({ names }) => names),
    [[]],
    'the tags change their type when the cycle has ended',
  );
  await follow(edited, clock, endMs + HOUR_MS);
  assert.deepEqual(created.at(-1)?.names, ['Step', 'Level', 'New']);
  const aheadMs = endMs - (created.at(-1)?.atMs ?? 0);
  assert.ok(aheadMs >= 0 && aheadMs <= MOST_AHEAD_MS, `the new tags came ${aheadMs} ms ahead of their cycle`);
  for (const { timeMs, value } of dataset.tags.get('Level') ?? [])
    assert.equal(value, timeMs < endMs ? '10' : '"text"');
  assert.equal(dataset.tags.get('New')?.[0]?.timeMs, endMs);
  assert.ok(dataset.farthestAheadMs <= MOST_AHEAD_MS, `${dataset.farthestAheadMs} ms ahead`);
});

test('a tag that was given to another instance within a cycle is written by that one alone', async () => {
  const clock = new SleepingClock();
  const dataset = new Dataset(clock);
  const states: SavedState[] = [];
  const save = (saved: SavedState): void => void states.push(saved);
  const before = slow({ Step: { values: ['step'] }, Moved: { values: ['flat(60, 10)'] } });
  await begin({ plant: before, clock, dataset, pace: 'as time comes', save });
  const step = { value: '1', duration: '30' };
  const sequence = (values: string[], name: string): unknown => ({
    map: [{ name: 'Unit', data: '1' }],
    steps: [step],
    tags: [{ name, values }],
  });
  const after = plantOf({
    Settings: {
      Backfill: 1,
      Sequences: { Slow: sequence(['step'], 'Step'), Other: sequence(['flat(60, 99)'], 'Moved') },
    },
  });
  const edited = await begin({ plant: after, clock, dataset, pace: 'as time comes', state: states.at(-1), save });
  const editedMs = clock.nowMs();
  await follow(edited, clock, editedMs + 3 * HOUR_MS);
  // The dataset refuses a tag's points in no order: two writers would have failed by now.
  const later = (dataset.tags.get('Moved') ?? []).filter((point) => point.timeMs > editedMs + MOST_AHEAD_MS);
  assert.ok(later.length > 100 && later.every((point) => point.value === '99'));
});
