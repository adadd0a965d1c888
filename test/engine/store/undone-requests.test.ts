// Requests of all kinds on their way at once, on a disk that is full now and then: what fails leaves nothing behind, and
// all that follows is taken as if it had never been sent (D4). Against a model that applies what was acknowledged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Engine,
  type EngineError,
  PointColumns,
  type PointRun,
  ValueType,
  type WriteCounts,
} from '../../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../../engine/limits.ts';
import { turnUntil } from '../../crash/crash-machine.ts';
import { cutRequest } from '../../support/cut-requests.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { lateThreads } from '../../support/late-threads.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { systemError } from '../../support/memory-vfs.ts';
import { asPlain } from '../../support/plain-batches.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const ROUNDS = Number(process.env.ROUNDS ?? 12);
const STEPS = 40;
const NAMES = ['A', 'B', 'C', 'D', 'E'] as const;
const TYPES = [ValueType.Double, ValueType.Int32] as const;

interface ModelPoint {
  readonly ms: number;
  readonly value: number | null;
  readonly quality: number;
}

interface Sent {
  /** Applies all of it, or as many points from its beginning as its refusal says. */
  readonly apply: (pointCount: number) => void;
  readonly outcome: Promise<'done' | EngineError>;
}

interface ModelRun {
  readonly name: string;
  readonly points: readonly ModelPoint[];
}

/** What a tag holds, by name; later points are stored, and others at the newest time that are not there yet. */
class Model {
  readonly points = new Map<string, ModelPoint[]>();

  add(name: string, added: readonly ModelPoint[]): void {
    const own = this.points.get(name) ?? [];
    this.points.set(name, own);
    for (const point of added) {
      const newestMs = own.at(-1)?.ms ?? Number.NEGATIVE_INFINITY;
      const isThere = own.some(
        (old) => old.ms === point.ms && old.value === point.value && old.quality === point.quality,
      );
      if (point.ms > newestMs || (point.ms === newestMs && !isThere)) own.push(point);
    }
  }

  deleteFrom(name: string, startMs: number): void {
    const own = this.points.get(name);
    if (own)
      this.points.set(
        name,
        own.filter(({ ms }) => ms < startMs),
      );
  }
}

class Scene {
  readonly random: SeededRandom;
  readonly model = new Model();
  readonly clock = new ManualClock(START_MS);
  readonly disk = makeDisk({});
  engine!: Engine;
  failures = 0;
  /** Failures of which the first batches are stored. */
  stoppedShort = 0;
  readonly #tunables: ReturnType<typeof drawTunables>;
  /** Names that one request each has sent, to create a tag. */
  #newNames = 0;
  #nowMs = START_MS;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.#tunables = { ...drawTunables(this.random), diskReserveBytes: 0, systemTagIntervalMs: 0 };
  }

  async begin(): Promise<void> {
    await this.#open();
    await this.#turn(this.engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 }));
  }

  async #open(): Promise<void> {
    const { random, clock, disk } = this;
    const tunables = this.#tunables;
    const threads = random.chance(0.5) ? lateThreads(random.fork()) : undefined;
    const durability = random.pick(['group', 'interval', 'os'] as const);
    this.engine = await this.#turn(
      openTestEngine({ vfs: disk, clock, random: random.fork(), tunables, durability, threads }),
    );
  }

  async step(): Promise<void> {
    const { random } = this;
    const cancel = random.chance(0.4) ? this.#fillDisk() : undefined;
    const sent: Sent[] = [];
    for (let n = 1 + random.below(12); n > 0; n--) {
      sent.push(this.#send());
      if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.1)) await Promise.resolve();
    }
    const outcomes = await this.#turn(Promise.all(sent.map(({ outcome }) => outcome)));
    cancel?.();
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome === 'done') sent[i]?.apply(Number.POSITIVE_INFINITY);
      else {
        this.failures++;
        const stored = outcome.details.stored as WriteCounts | undefined;
        if (stored) sent[i]?.apply(stored.written + stored.ignored + stored.repeated);
        if (stored) this.stoppedShort++;
      }
    }
    this.clock.advance(1000);
    await this.check(NAMES);
  }

  /** Everything is on the disk, and no tag is there that only refused requests have named. */
  async end(): Promise<void> {
    const all = [...NAMES, ...Array.from({ length: this.#newNames }, (_, i) => `New ${i}`)];
    const tags = this.engine.lookup('d');
    const unknown = all.filter((name) => !this.model.points.has(name));
    assert.deepEqual(
      unknown.filter((name) => tags.find(name)),
      [],
    );
    await this.check(all);
    await this.#turn(this.engine.close());
    await this.#open();
    await this.check(all);
    await this.#turn(this.engine.close());
  }

  async check(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const wanted = this.model.points.get(name);
      if (wanted === undefined) continue;
      const { points } = await this.#turn(readNumbers(this.engine, 'd', name));
      assert.deepEqual(
        points.map(({ ms, value, quality }) => ({ ms, value, quality })),
        wanted,
        name,
      );
    }
  }

  /** The next write to a journal finds no room. */
  #fillDisk(): () => void {
    let left = 1 + this.random.below(4);
    const cancel = this.disk.watch(({ kind, path }) => {
      if (kind !== 'write' || !path.includes('journal') || --left > 0) return;
      cancel();
      throw systemError('ENOSPC', kind, path);
    });
    return cancel;
  }

  #send(): Sent {
    const { random, engine, model } = this;
    const name = random.pick(NAMES);
    const draw = random.below(20);
    if (draw === 0) return sentOf(engine.deleteTags('d', [name]), () => model.points.delete(name));
    if (draw === 1) {
      const startMs = this.#nowMs - random.below(5000);
      return sentOf(engine.deletePoints('d', [name], { ms: startMs, ticks: 0 }), () => model.deleteFrom(name, startMs));
    }
    if (draw === 2) {
      return sentOf(engine.defineTags('d', [{ name, type: random.pick(TYPES) }]), () => model.add(name, []));
    }
    return this.#write();
  }

  #write(): Sent {
    const { random, engine, model } = this;
    const points = new PointColumns(64);
    const runs: PointRun[] = [];
    const added: ModelRun[] = [];
    this.#nowMs += random.below(1000);
    const names: string[] = NAMES.filter(() => random.chance(0.6));
    if (random.chance(0.3)) names.push(`New ${this.#newNames++}`);
    for (const name of names) {
      const tag = engine.lookup('d').find(name);
      const type = tag && tag.type !== ValueType.Open ? tag.type : random.pick(TYPES);
      const own = this.#draw(random.chance(0.7) ? 'plain' : 'any');
      runs.push({ name, tag, type, start: points.count, count: own.length, rejected: 0, stamped: 0 });
      for (const { ms, value, quality } of own) {
        const i = points.count++;
        points.timesMs[i] = ms;
        points.nulls[i] = value === null ? 1 : 0;
        points.numbers[i] = value ?? 0;
        points.qualities[i] = quality;
      }
      added.push({ name, points: own });
    }
    const batches = cutRequest(added, { ...DEFAULT_TUNABLES, ...this.#tunables });
    const apply = (pointCount: number): void => {
      let left = pointCount;
      for (const batch of batches) {
        if (left <= 0) break;
        for (const run of batch) {
          model.add(run.name, run.points);
          left -= run.points.length;
        }
      }
      assert.ok(left === 0 || left === Number.POSITIVE_INFINITY, 'a refusal counts whole batches');
    };
    return sentOf(runs.length === 0 ? Promise.resolve() : engine.append('d', asPlain({ points, runs })), apply);
  }

  #draw(kind: 'plain' | 'any'): ModelPoint[] {
    const { random } = this;
    let ms = this.#nowMs - (random.chance(0.1) ? random.below(2000) : 0);
    return Array.from({ length: 1 + random.below(6) }, () => {
      ms += kind === 'plain' ? 1 + random.below(50) : random.below(3);
      const isOdd = kind === 'any' && random.chance(0.4);
      const value = isOdd && random.chance(0.5) ? null : random.below(1000);
      return { ms, value, quality: isOdd ? random.pick([0, 64]) : 192 };
    });
  }

  #turn<T>(work: Promise<T>): Promise<T> {
    return turnUntil(work, this.clock);
  }
}

function sentOf(work: Promise<unknown>, apply: (pointCount: number) => void): Sent {
  return {
    apply,
    outcome: work.then(
      () => 'done',
      (error: EngineError) => error,
    ),
  };
}

const seed = chooseSeed();
test(`D4, D10: what a full disk refuses is undone, whatever else is on its way (SEED=${seed})`, async () => {
  let failures = 0;
  let stoppedShort = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const scene = new Scene(seed + round);
    try {
      await scene.begin();
      for (let step = 0; step < STEPS; step++) await scene.step();
      await scene.end();
    } catch (error) {
      throw new Error(`SEED=${seed + round} ROUNDS=1: ${String(error)}`, { cause: error });
    }
    failures += scene.failures;
    stoppedShort += scene.stoppedShort;
  }
  assert.ok(failures > ROUNDS, `${failures} requests failed`);
  assert.ok(ROUNDS < 10 || stoppedShort > 0, 'no request was stopped between two batches');
});

test('a deletion removes no point before its time that was written after another pending deletion', async () => {
  const scene = new Scene(1);
  await scene.begin();
  const { engine, clock } = scene;
  const at = (...times: number[]): { ms: number; value: number }[] =>
    times.map((ms) => ({ ms: START_MS + ms, value: 1 }));
  const cutFrom = (ms: number): Promise<unknown> => engine.deletePoints('d', ['A'], { ms: START_MS + ms, ticks: 0 });
  await turnUntil(writeNumbers(engine, 'd', { A: at(1000, 5000) }), clock);
  const sent = [
    cutFrom(4000),
    writeNumbers(engine, 'd', { A: at(4100, 4200) }),
    writeNumbers(engine, 'd', { A: at(4900) }),
    cutFrom(4500),
    writeNumbers(engine, 'd', { A: at(4300) }),
  ];
  const answers = await turnUntil(Promise.all(sent), clock);
  assert.deepEqual([answers[0], answers[3]], [{ removed: 1 }, { removed: 1 }]);
  const { points } = await turnUntil(readNumbers(engine, 'd', 'A'), clock);
  assert.deepEqual(
    points.map(({ ms }) => ms - START_MS),
    [1000, 4100, 4200, 4300],
  );
  await turnUntil(engine.close(), clock);
});
