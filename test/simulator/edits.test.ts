// What becomes of a running plant when its configuration is edited between two runs, when the dataset is emptied or older
// than the state, and when the state is lost or damaged.

import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder } from '../../forward/folder-lock.ts';
import { FakeHistorian, type StoredPoint } from '../support/fake-historian.ts';
import { mixedPlant, NOW_MS, simulate } from '../support/simulator-runs.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const CYCLE_MS = HOUR_MS;

interface Fixture {
  readonly historian: FakeHistorian;
  readonly folder: string;
  /** Runs to that many hours after NOW_MS. */
  run(configuration: unknown, hours: number): Promise<string[]>;
  points(tag: string): readonly StoredPoint[];
}

async function withHistorian(context: { after(work: () => Promise<void> | void): void }): Promise<Fixture> {
  const historian = new FakeHistorian();
  await historian.start();
  context.after(() => historian.stop());
  const folder = makeTempFolder(context);
  return {
    historian,
    folder,
    run: (configuration, hours) =>
      simulate({ folder, configuration, options: { url: new URL(historian.url), nowMs: NOW_MS + hours * HOUR_MS } }),
    points: (tag) => historian.points('Plant', tag),
  };
}

/** One sequence with a cycle of an hour in two steps; `tags` by name. */
function hourly(tags: Record<string, readonly string[]>, more: Record<string, unknown> = {}): Record<string, unknown> {
  const steps = [
    { value: '1', duration: '20' },
    { value: '2', duration: '40' },
  ];
  const list = Object.entries(tags).map(([name, values]) => ({ name, values }));
  return {
    Settings: {
      Backfill: 1,
      Sequences: { Hourly: { map: [{ name: 'Unit', data: '1' }], steps, tags: list }, ...more },
    },
  };
}

function timesOf(points: readonly StoredPoint[]): number[] {
  return points.map((point) => Date.parse(point.t));
}

/** Starts of the cycles, seen by a step tag. */
function cycleStarts(points: readonly StoredPoint[]): number[] {
  return timesOf(points.filter((point) => point.v === 1));
}

function assertSteady(starts: readonly number[]): void {
  for (const [index, start] of starts.entries()) {
    if (index > 0)
      assert.equal(start - (starts[index - 1] ?? 0), CYCLE_MS, `a jump at ${new Date(start).toISOString()}`);
  }
}

test('a restart goes on without a gap, a double or a jump', async (context) => {
  const split = await withHistorian(context);
  for (const hours of [0, 0.1, 3, 3, 7.5]) await split.run(mixedPlant(1), hours);
  const whole = await withHistorian(context);
  await whole.run(mixedPlant(1), 0);
  await whole.run(mixedPlant(1), 7.5);
  assert.equal(split.historian.dump('Plant'), whole.historian.dump('Plant'));
  assert.deepEqual([split.historian.counts.ignored, split.historian.counts.repeated], [0, 0]);
});

test('a tag added to a running sequence joins from the next cycle', async (context) => {
  const { run, points } = await withHistorian(context);
  await run(hourly({ Step: ['step'] }), 0);
  const endMs = (cycleStarts(points('Step')).at(-1) ?? 0) + CYCLE_MS;
  await run(hourly({ Step: ['step'], New: ['flat(60, 5)'], Total: ['integrate(New, hour)'] }), 5);
  assert.equal(timesOf(points('New'))[0], endMs);
  assert.deepEqual([points('Total')[0]?.v, Date.parse(points('Total')[0]?.t ?? '')], [0, endMs]);
  assertSteady(cycleStarts(points('Step')));
});

test('a new sequence back-fills', async (context) => {
  const { run, points } = await withHistorian(context);
  await run(hourly({ Step: ['step'] }), 0);
  const other = {
    map: [{ name: 'Unit', data: '1-2' }],
    steps: [{ value: '0', duration: '10' }],
    tags: [{ name: 'Other[Unit]', values: ['random(1, 9)'] }],
  };
  await run(hourly({ Step: ['step'] }, { Other: other }), 5);
  for (const name of ['Other1', 'Other2']) {
    const first = timesOf(points(name))[0] ?? 0;
    const windowMs = NOW_MS + 5 * HOUR_MS - 24 * HOUR_MS;
    assert.ok(first >= windowMs && first <= windowMs + 2.4 * HOUR_MS, new Date(first).toISOString());
    assert.ok((timesOf(points(name)).at(-1) ?? 0) + 10 * 60_000 > NOW_MS + 5 * HOUR_MS);
  }
  assertSteady(cycleStarts(points('Step')));
});

test('a new instance of a sequence back-fills, and the others go on', async (context) => {
  const { run, points } = await withHistorian(context);
  const plant = (data: string): unknown => ({
    Settings: {
      Backfill: 1,
      Sequences: {
        S: {
          map: [{ name: 'Unit', data }],
          steps: [{ value: '1', duration: '60' }],
          tags: [{ name: 'T[Unit]', values: ['step'] }],
        },
      },
    },
  });
  await run(plant('1-2'), 0);
  const before = timesOf(points('T1'));
  // The new instance stands in front: tags, not places, tell which is which.
  await run(plant('0-2'), 5);
  assert.ok(timesOf(points('T0')).length >= 20);
  assert.deepEqual(timesOf(points('T1')).slice(0, before.length), before);
  for (const name of ['T0', 'T1', 'T2']) assertSteady(timesOf(points(name)));
});

test('a changed definition takes effect with the next cycle', async (context) => {
  const { run, points } = await withHistorian(context);
  await run(hourly({ Step: ['step'], Level: ['flat(60, 10)'] }), 0);
  const endMs = (cycleStarts(points('Step')).at(-1) ?? 0) + CYCLE_MS;
  await run(hourly({ Step: ['step'], Level: ['flat(60, 99)'] }), 5);
  const level = points('Level');
  assert.ok(level.every((point) => point.v === (Date.parse(point.t) < endMs ? 10 : 99)));
  assert.equal(level.find((point) => point.v === 99)?.t, new Date(endMs).toISOString());
});

test('a removed tag stops, the others go on', async (context) => {
  const { run, points } = await withHistorian(context);
  await run(hourly({ Step: ['step'], Old: ['flat(60, 10)'] }), 0);
  const count = points('Old').length;
  await run(hourly({ Step: ['step'] }), 5);
  assert.equal(points('Old').length, count);
  assertSteady(cycleStarts(points('Step')));
});

test('integrals, previous values and ramps go on over a restart with an edit', async (context) => {
  const { run, points } = await withHistorian(context);
  const tags = { Step: ['step'], Flow: ['6'], Total: ['integrate(Flow, hour)'] };
  await run(hourly(tags), 0);
  await run(hourly({ ...tags, Extra: ['1'] }), 5);
  const totals = points('Total').map((point) => point.v as number);
  for (const [index, total] of totals.entries()) {
    assert.ok(Math.abs(total - (index % 2 === 0 ? index * 3 : (index - 1) * 3 + 2)) < 1e-5, `${total} at ${index}`);
  }
});

test('a cycle of which the dataset has points is finished by the definition that began it', async (context) => {
  const { run, points, folder, historian } = await withHistorian(context);
  const tags = { Step: ['step'], Level: ['flat(60, 10)'] };
  await run(hourly(tags), 0);
  // A kill leaves this: the state of hours ago, and a dataset that ends within a cycle.
  cpSync(join(folder, 'state'), join(folder, 'earlier'), { recursive: true });
  await run(hourly(tags), 5);
  const starts = cycleStarts(points('Step'));
  const begunMs = starts.at(-2) ?? 0;
  cutDataset(historian, begunMs + CYCLE_MS / 2);
  rmSync(join(folder, 'state'), { recursive: true });
  cpSync(join(folder, 'earlier'), join(folder, 'state'), { recursive: true });
  await run(hourly({ Step: ['step'], Level: ['flat(60, 99)'] }), 8);
  const level = points('Level');
  assert.ok(level.every((point) => point.v === (Date.parse(point.t) < begunMs + CYCLE_MS ? 10 : 99)));
  assert.equal(level.find((point) => point.v === 99)?.t, new Date(begunMs + CYCLE_MS).toISOString());
  assertSteady(cycleStarts(points('Step')));
});

/** Takes away what is later: as a backup of that time would be. */
function cutDataset(historian: FakeHistorian, untilMs: number): void {
  for (const tag of historian.datasets.get('Plant')?.tags.values() ?? []) {
    tag.points.splice(0, tag.points.length, ...tag.points.filter((point) => Date.parse(point.t) <= untilMs));
  }
}

test('what an empty dataset lacks is back-filled', async (context) => {
  const { run, historian } = await withHistorian(context);
  await run(mixedPlant(1), 0);
  await run(mixedPlant(1), 2);
  const before = historian.dump('Plant');
  historian.datasets.delete('Plant');
  const log = await run(mixedPlant(1), 2);
  assert.equal(historian.dump('Plant'), before);
  assert.ok(log.some((line) => line.startsWith('the dataset lacks points of 4 sequence instances')));
});

test('what an older dataset lacks is back-filled, and what it has is not sent again', async (context) => {
  const { run, historian } = await withHistorian(context);
  for (const hours of [0, 3, 6, 9]) await run(mixedPlant(1), hours);
  const before = historian.dump('Plant');
  for (const backHours of [1, 7, 20]) {
    cutDataset(historian, NOW_MS + (9 - backHours) * HOUR_MS);
    historian.counts = { written: 0, ignored: 0, repeated: 0 };
    await run(mixedPlant(1), 9);
    assert.equal(historian.dump('Plant'), before, `cut ${backHours} h back`);
    assert.deepEqual([historian.counts.ignored, historian.counts.repeated], [0, 0]);
  }
});

test('what one deleted tag lacks is back-filled, the other tags are left alone', async (context) => {
  const { run, historian } = await withHistorian(context);
  await run(mixedPlant(1), 0);
  await run(mixedPlant(1), 4);
  const before = historian.dump('Plant');
  historian.datasets.get('Plant')?.tags.delete('MX02.Flow');
  historian.counts = { written: 0, ignored: 0, repeated: 0 };
  await run(mixedPlant(1), 4);
  assert.equal(historian.dump('Plant'), before);
  assert.equal(historian.counts.written, historian.points('Plant', 'MX02.Flow').length);
});

test('another dataset has a state of its own', async (context) => {
  const { run, folder, historian } = await withHistorian(context);
  await run(mixedPlant(1), 0);
  const options = { url: new URL(historian.url), nowMs: NOW_MS, dataset: 'Plant 2/ä' };
  await simulate({ folder, configuration: mixedPlant(1), options });
  assert.equal(historian.dump('Plant 2/ä'), historian.dump('Plant'));
  assert.deepEqual(readdirSync(join(folder, 'state')).sort(), ['Plant', 'Plant%202%2f%c3%a4']);
});

test('without its state the simulator goes on after what the dataset has', async (context) => {
  const { run, folder, historian } = await withHistorian(context);
  await run(mixedPlant(1), 0);
  const before = historian.dump('Plant').split('\n');
  rmSync(join(folder, 'state'), { recursive: true });
  await run(mixedPlant(1), 12);
  const after = new Set(historian.dump('Plant').split('\n'));
  assert.ok(before.every((line) => after.has(line)) && after.size > before.length);
  assert.deepEqual([historian.counts.ignored, historian.counts.repeated], [0, 0]);
});

test('a damaged state is set aside, and an older one taken', async (context) => {
  const damaged = await withHistorian(context);
  const sound = await withHistorian(context);
  for (const { run } of [damaged, sound]) await run(mixedPlant(1), 0);
  writeFileSync(join(damaged.folder, 'state', 'Plant', 'state'), 'VARVSIM1 and then nothing of use');
  const log = await damaged.run(mixedPlant(1), 3);
  await sound.run(mixedPlant(1), 3);
  assert.ok(log.some((line) => line.includes('is damaged and was set aside')));
  assert.equal(damaged.historian.dump('Plant'), sound.historian.dump('Plant'));
});

test('a state folder in use is refused with exit code 75', async (context) => {
  const { run, folder } = await withHistorian(context);
  await run(mixedPlant(1), 0);
  const lock = await lockFolder({ path: join(folder, 'state', 'Plant'), name: 'state folder', program: 'simulator' });
  await assert.rejects(run(mixedPlant(1), 1), { exitCode: 75, message: /in use by another simulator/ });
  await lock.release();
  await run(mixedPlant(1), 1);
});

test('a tag that changes its type does so with the next cycle, on the server too', async (context) => {
  const { run, historian, points } = await withHistorian(context);
  const plant = (type: string, value: string): unknown => ({
    Settings: {
      Backfill: 1,
      Sequences: {
        S: {
          map: [{ name: 'Unit', data: '1' }],
          steps: [{ value: '1', duration: '60' }],
          tags: [{ name: 'T', type, values: [value] }],
        },
      },
    },
  });
  await run(plant('System.String', 'text'), 0);
  await run(plant('System.Int32', '5'), 5);
  assert.deepEqual([...new Set(points('T').map((point) => point.v))], ['text', 5]);
  assert.equal(historian.datasets.get('Plant')?.tags.get('T')?.object.t, 'System.Int32');
});
