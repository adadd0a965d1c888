// A retry of any request stores nothing twice, and is never answered before what it repeats is durable: whether the
// original was acknowledged, is still under way, or was cut off by a crash.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Durability, type Engine, EngineError, ValueType } from '../../engine/index.ts';
import { buildBatch, type Point, type Run } from '../model/points.ts';
import { type Snapshot, takeSnapshot } from '../model/snapshot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../support/test-engine.ts';
import { turns, turnUntil } from './crash-machine.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const MOST_OPERATIONS = 300;
const LOSE_EVERYTHING = { content: 'nothing', entries: 'nothing', random: new SeededRandom(1) } as const;

function point(offsetMs: number, value: Point['value'], type: Point['type'] = ValueType.Double, quality = 192): Point {
  return { ms: NOW_MS + offsetMs, ticks: 0, type, value, quality };
}

function run(name: string, type: Run['type'], ...points: Point[]): Run {
  return { name, type, points };
}

function append(...runs: Run[]): Operation['send'] {
  return (engine) => engine.append(DATASET, buildBatch(engine, DATASET, runs));
}

interface Operation {
  readonly title: string;
  readonly send: (engine: Engine) => Promise<unknown>;
  /** What the repetition of a stored request is refused with; undefined: it succeeds. */
  readonly repeatedCode?: string;
}

const OPERATIONS: readonly Operation[] = [
  { title: 'append of one point', send: append(run('A', ValueType.Double, point(5000, 1.5))) },
  { title: 'append that creates its tag', send: append(run('New', ValueType.Int64, point(0, 1n, ValueType.Int64))) },
  {
    title: 'append of several tags',
    send: append(
      run('A', ValueType.Double, point(5000, 1.5), point(6000, 2.5)),
      run('Text', ValueType.String, point(5000, 'x', ValueType.String)),
    ),
  },
  { title: 'append at the time of the newest point', send: append(run('A', ValueType.Double, point(1000, 7))) },
  {
    title: 'append of several points of one time',
    send: append(run('A', ValueType.Double, point(5000, 1), point(5000, 2), point(5000, 2, ValueType.Double, 64))),
  },
  { title: 'append of nulls', send: append(run('A', ValueType.Double, point(5000, null), point(5001, null))) },
  {
    title: 'append out of order within itself',
    send: append(run('A', ValueType.Double, point(9000, 1), point(5000, 2))),
  },
  {
    title: 'create a dataset',
    send: (engine) => engine.createDataset({ name: 'other', purgeAgeDays: 1, purgeSizeGb: 2 }),
  },
  {
    title: 'update a dataset',
    send: (engine) => engine.updateDataset({ name: DATASET, purgeAgeDays: 100, purgeSizeGb: 0 }),
  },
  { title: 'delete a dataset', send: (engine) => engine.deleteDataset(DATASET), repeatedCode: 'DATASET_NOT_FOUND' },
  {
    title: 'define tags',
    send: (engine) =>
      engine.defineTags(DATASET, [
        { name: 'A', description: 'd' },
        { name: 'B', type: ValueType.Byte },
      ]),
  },
  { title: 'delete tags', send: (engine) => engine.deleteTags(DATASET, ['A']), repeatedCode: 'TAG_NOT_FOUND' },
  { title: 'cut points', send: (engine) => engine.deletePoints(DATASET, ['A'], { ms: NOW_MS + 500, ticks: 0 }) },
  {
    title: 'post a status',
    send: (engine) => engine.postStatus(DATASET, [{ time: { ms: NOW_MS + 1, ticks: 0 }, quality: 24 }]),
  },
];

interface Machine {
  readonly engine: Engine;
  readonly disk: MemoryVfs;
  readonly clock: ManualClock;
}

async function boot(disk: MemoryVfs, durability: Durability = 'group'): Promise<Machine> {
  const clock = new ManualClock(NOW_MS);
  const options = { vfs: disk, clock, random: new SeededRandom(5), durability, tunables: { systemTagIntervalMs: 0 } };
  return { engine: await turnUntil(openTestEngine(options), clock), disk, clock };
}

/** A machine whose dataset holds some points already. */
async function prepare(durability: Durability = 'group'): Promise<Machine> {
  const machine = await boot(makeDisk({}), durability);
  const { engine, clock } = machine;
  const first = append(
    run('A', ValueType.Double, point(0, 1), point(1000, 2)),
    run('Text', ValueType.String, point(1000, 'a', ValueType.String)),
  );
  await turnUntil(first(engine), clock);
  return machine;
}

async function contentOf(engine: Engine): Promise<Snapshot[]> {
  return [await takeSnapshot(engine, DATASET), await takeSnapshot(engine, 'other')];
}

/** Sends it again as a client does that has lost the answer. */
async function retry({ title, send, repeatedCode }: Operation, { engine, clock }: Machine): Promise<void> {
  try {
    await turnUntil(send(engine), clock);
  } catch (error) {
    const code = error instanceof EngineError ? error.code : undefined;
    assert.equal(code, repeatedCode, `${title}: ${String(error)}`);
  }
}

/** What the operation leads to when it is sent once and nothing fails. */
async function contentAfterOne(operation: Operation): Promise<Snapshot[]> {
  const control = await prepare();
  await turnUntil(operation.send(control.engine), control.clock);
  return contentOf(control.engine);
}

/** Sends an operation, and after its acknowledgement again and again; throws when that changes anything. */
async function repeatAcknowledged(operation: Operation, again: Operation): Promise<void> {
  const machine = await prepare();
  await turnUntil(operation.send(machine.engine), machine.clock);
  const want = await contentOf(machine.engine);
  await retry(again, machine);
  await retry(again, machine);
  assert.deepEqual(await contentOf(machine.engine), want);
  const recovered = await boot(machine.disk.crashClone(LOSE_EVERYTHING));
  assert.deepEqual(await contentOf(recovered.engine), want);
  await retry(again, recovered);
  assert.deepEqual(await contentOf(recovered.engine), want);
}

/** Sends an operation twice at once while the disk is held; throws when an answer comes too early or it is there twice. */
async function sendTwiceAtOnce(operation: Operation, durability: Durability): Promise<void> {
  const want = await contentAfterOne(operation);
  const machine = await prepare(durability);
  machine.disk.hold();
  let answerCount = 0;
  const sendings = [operation.send, operation.send].map((send) =>
    send(machine.engine)
      .catch((error: unknown) => {
        assert.ok(error instanceof EngineError && error.code === operation.repeatedCode, String(error));
      })
      .then(() => answerCount++),
  );
  await turns(200);
  const isRefusedAtOnce = operation.repeatedCode !== undefined;
  assert.ok(answerCount <= (isRefusedAtOnce ? 1 : 0), `${answerCount} answers while the disk was held`);
  machine.disk.resume();
  await turnUntil(Promise.all(sendings), machine.clock);
  assert.deepEqual(await contentOf(machine.engine), want);
  const recovered = await boot(machine.disk.crashClone(LOSE_EVERYTHING));
  assert.deepEqual(await contentOf(recovered.engine), want);
}

/** Cuts the power before each operation of the disk, and sends again what was cut off. */
async function cutOffEverywhere(operation: Operation, again: typeof retry): Promise<void> {
  const want = await contentAfterOne(operation);
  const clones: MemoryVfs[] = [];
  const machine = await prepare();
  const random = new SeededRandom(9);
  machine.disk.watch(() => {
    if (clones.length < MOST_OPERATIONS) {
      clones.push(machine.disk.crashClone({ content: 'any', entries: 'any', random: random.fork() }));
    }
  });
  await turnUntil(operation.send(machine.engine), machine.clock);
  assert.ok(clones.length > 0);
  for (const clone of clones) {
    const recovered = await boot(clone);
    await again(operation, recovered);
    assert.deepEqual(await contentOf(recovered.engine), want);
  }
}

for (const operation of OPERATIONS) {
  test(`D1, D13, ${operation.title}: sent again after its acknowledgement, it changes nothing, also after a power cut`, () =>
    repeatAcknowledged(operation, operation));

  test(`D1, ${operation.title}: sent twice at once, neither is answered before the disk has it, and it is there once`, () =>
    sendTwiceAtOnce(operation, 'group'));

  test(`D8, ${operation.title}: cut off at each operation of the disk and sent again, it is there once`, () =>
    cutOffEverywhere(operation, retry));
}

const CONTROL: Operation = { title: 'one point', send: append(run('A', ValueType.Double, point(5000, 1.5))) };
const DIFFERS = /Expected values to be strictly deep-equal/;

test('negative control: a repetition with another time is stored, and the same look fails', async () => {
  const later: Operation = { title: 'a later one', send: append(run('A', ValueType.Double, point(5001, 1.5))) };
  await assert.rejects(repeatAcknowledged(CONTROL, later), DIFFERS);
});

test('D1, negative control: at level os, answers do not wait for the disk, and the same look fails', async () => {
  await assert.rejects(sendTwiceAtOnce(CONTROL, 'os'), /2 answers while the disk was held/);
});

test('negative control: when what was cut off is not sent again, the same look fails', async () => {
  await assert.rejects(
    cutOffEverywhere(CONTROL, () => Promise.resolve()),
    DIFFERS,
  );
});
