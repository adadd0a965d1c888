import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Engine, type Following, openEngine, PointColumns, ValueType } from '../../../engine/index.ts';
import { BATCH_POINTS } from '../../../replication/job/copy-batch.ts';
import type { CopyEvent } from '../../../replication/job/kept-copy.ts';
import { Replication } from '../../../replication/job/replication.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { MemorySink } from '../memory-sink.ts';

const LIMIT_MS = 30_000;
const GONE_DOCUMENT = {
  revision: 1,
  edgeAddress: '',
  isDeleted: false,
  rules: { purgeAgeDays: 0, purgeSizeGb: 0 },
  copiedUntilMs: null,
  writtenMs: 0,
};

interface JobParts {
  readonly context: TestContext;
  readonly engine: Engine;
  readonly sink: MemorySink;
  readonly folder: string;
  readonly restored?: readonly string[];
}

function startJob({ context, engine, sink, folder, restored = [] }: JobParts): {
  job: Replication;
  events: CopyEvent[];
} {
  const events: CopyEvent[] = [];
  const job = new Replication({
    engine,
    sink,
    dataFolder: folder,
    site: 'S',
    edgeAddress: 'http://edge',
    restored,
    datasets: [],
    nowMs: () => Date.now(),
    listener: (event) => void events.push(event),
  });
  context.after(() => job.stop());
  job.start();
  return { job, events };
}

/** Closed at the end of the test, whatever happens. */
async function openFolder(context: TestContext, folder: string): Promise<Engine> {
  const engine = await openEngine({ folder });
  context.after(() => engine.close());
  return engine;
}

async function write(engine: Engine, tag: string, fromMs: number, count: number, dataset = 'Plant'): Promise<void> {
  const points = new PointColumns(count);
  points.count = count;
  for (let i = 0; i < count; i++) points.timesMs[i] = fromMs + i;
  for (let i = 0; i < count; i++) points.numbers[i] = fromMs + i / 2;
  points.qualities.fill(192);
  const run = {
    name: tag,
    tag: engine.lookup(dataset).find(tag),
    type: ValueType.Double,
    start: 0,
    count,
    rejected: 0,
    stamped: 0,
  };
  await engine.append(dataset, { points, runs: [run] });
}

async function until(isTrue: () => boolean, what: () => string): Promise<void> {
  const endMs = Date.now() + LIMIT_MS;
  while (!isTrue()) {
    assert.ok(Date.now() < endMs, what());
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

/** Points of a tag by its name, in the one copy that is not deleted. */
function copiedPoints(sink: MemorySink, tag: string): number {
  for (const { document, tags, points } of sink.copies.values()) {
    if (document?.isDeleted) continue;
    for (const { id, definition, isDeleted } of tags.values())
      if (!isDeleted && definition.name === tag) return points.get(id)?.size ?? 0;
  }
  return 0;
}

test('everything arrives once, in any order of failures and restarts', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  const sink = new MemorySink();
  sink.failsBefore = () => random.chance(0.1);
  sink.failsAfter = () => random.chance(0.1);
  const written = new Map<string, number>();
  let { job } = startJob({ context, engine, sink, folder });
  for (let step = 0; step < 30; step++) {
    const tag = `T${random.below(5)}`;
    const from = written.get(tag) ?? 0;
    const count = 1 + random.below(2000);
    await write(engine, tag, from, count);
    written.set(tag, from + count);
    await new Promise((resolve) => void setTimeout(resolve, random.below(30)));
    if (!random.chance(0.15)) continue;
    await job.stop();
    if (random.chance(0.5)) loseParts(folder, random);
    job = startJob({ context, engine, sink, folder }).job;
  }
  const isWhole = (): boolean => [...written].every(([tag, count]) => copiedPoints(sink, tag) === count);
  await until(isWhole, () => JSON.stringify([[...written], job.status]));
  await job.stop();
  await engine.close();
});

test('a job that is stopped ends behind the batch under way, and goes on from there', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  await write(engine, 'T', 0, 4 * BATCH_POINTS);
  const sink = new MemorySink();
  let stopping: Promise<void> | undefined;
  // Told while a batch is under way, however busy the machine is.
  sink.failsAfter = () => {
    if (sink.pointsPut > BATCH_POINTS / 2) stopping ??= first.stop();
    return false;
  };
  const first = startJob({ context, engine, sink, folder }).job;
  await until(
    () => stopping !== undefined,
    () => JSON.stringify(first.status),
  );
  await stopping;
  const atStop = copiedPoints(sink, 'T');
  assert.ok(atStop < 4 * BATCH_POINTS, `${atStop} points were copied before the job ended`);
  const second = startJob({ context, engine, sink, folder }).job;
  await until(
    () => copiedPoints(sink, 'T') === 4 * BATCH_POINTS,
    () => JSON.stringify(second.status),
  );
  await second.stop();
  await engine.close();
});

/** Leaves the files of positions as a power cut may leave them: shorter, or not there. */
function loseParts(folder: string, random: SeededRandom): void {
  const place = join(folder, '.centre');
  for (const name of readdirSync(place)) {
    if (!name.endsWith('.positions')) continue;
    const path = join(place, name);
    if (random.chance(0.5)) rmSync(path);
    else truncateSync(path, random.below(statSync(path).size + 1));
  }
}

test('a tag whose document arrived without an answer is deleted at the sink, also when that does not name it', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  const sink = new MemorySink();
  await write(engine, 'Stays', 0, 1);
  const first = startJob({ context, engine, sink, folder }).job;
  await until(
    () => copiedPoints(sink, 'Stays') === 1,
    () => 'the first tag',
  );
  sink.failsAfter = () => true;
  await write(engine, 'Goes', 0, 1);
  const [copy] = sink.copies.values();
  const goes = () => [...(copy?.tags.values() ?? [])].find(({ definition }) => definition.name === 'Goes');
  await until(
    () => goes() !== undefined,
    () => 'the document',
  );
  const id = goes()?.id as number;
  await first.stop();
  await engine.deleteTags('Plant', ['Goes']);
  sink.failsAfter = () => false;
  sink.isBehind = true;
  const second = startJob({ context, engine, sink, folder }).job;
  await until(
    () => copy?.tags.get(id)?.isDeleted === true,
    () => 'the deletion',
  );
  await second.stop();
  await engine.close();
});

test('tags and datasets that were deleted, cut and made again, also while nothing was copied', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  const sink = new MemorySink();
  await write(engine, 'A', 0, 100);
  await write(engine, 'B', 0, 100);
  const first = startJob({ context, engine, sink, folder });
  await until(
    () => copiedPoints(sink, 'A') === 100 && copiedPoints(sink, 'B') === 100,
    () => 'the first points',
  );
  await engine.deletePoints('Plant', ['B'], { ms: 50, ticks: 0 });
  const [copy] = [...sink.copies.values()];
  const tagOf = (name: string) => [...(copy?.tags.values() ?? [])].find(({ definition }) => definition.name === name);
  await until(
    () => tagOf('B')?.deleted.length === 1,
    () => 'the cut',
  );
  assert.deepEqual(tagOf('B')?.deleted, [{ from: 50, to: 100 }]);
  await first.job.stop();
  const idOfA = tagOf('A')?.id as number;
  await engine.deleteTags('Plant', ['A']);
  const second = startJob({ context, engine, sink, folder });
  await until(
    () => copy?.tags.get(idOfA)?.isDeleted === true,
    () => 'the deletion of the tag',
  );
  await second.job.stop();
  await engine.deleteDataset('Plant');
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  await write(engine, 'C', 0, 10);
  const third = startJob({ context, engine, sink, folder });
  await until(
    () => copiedPoints(sink, 'C') === 10,
    () => JSON.stringify(third.job.status),
  );
  assert.equal(copy?.document?.isDeleted, true);
  assert.equal(sink.copies.size, 2);
  await engine.deleteDataset('Plant');
  await until(
    () => [...sink.copies.values()].every(({ document }) => document?.isDeleted),
    () => 'the deletion of the dataset',
  );
  await third.job.stop();
  await engine.close();
});

test('a dataset that was restored from a backup stops its copy, until a new one is wanted', async (context) => {
  const folder = makeTempFolder(context);
  const backup = makeTempFolder(context);
  const sink = new MemorySink();
  let engine = await openFolder(context, folder);
  const first = startJob({ context, engine, sink, folder });
  await write(engine, 'A', 0, 100);
  await until(
    () => copiedPoints(sink, 'A') === 100,
    () => 'the first points',
  );
  await first.job.stop();
  await engine.close();
  cpSync(join(folder, 'Plant'), join(backup, 'Plant'), { recursive: true });
  engine = await openFolder(context, folder);
  const second = startJob({ context, engine, sink, folder });
  await write(engine, 'A', 100, 100);
  await until(
    () => copiedPoints(sink, 'A') === 200,
    () => 'more points',
  );
  await second.job.stop();
  await engine.close();
  rmSync(join(folder, 'Plant'), { recursive: true });
  cpSync(join(backup, 'Plant'), join(folder, 'Plant'), { recursive: true });
  engine = await openFolder(context, folder);
  const third = startJob({ context, engine, sink, folder });
  await write(engine, 'A', 5_000, 10);
  await until(
    () => third.job.status.datasets[0]?.state === 'stopped',
    () => JSON.stringify(third.job.status),
  );
  const [status] = third.job.status.datasets;
  assert.match(status?.reason ?? '', /has 200 points of tag 'A'.*(100|110) are here.*--centre-restored/s);
  assert.equal(copiedPoints(sink, 'A'), 200, 'nothing was touched');
  await third.job.stop();
  const fourth = startJob({ context, engine, sink, folder, restored: ['Plant'] });
  await until(
    () => copiedPoints(sink, 'A') === 110,
    () => JSON.stringify(fourth.job.status),
  );
  await fourth.job.stop();
  await engine.close();
});

test('a second edge does not write under a name that is taken', async (context) => {
  const sink = new MemorySink();
  const folders = [makeTempFolder(context), makeTempFolder(context)] as const;
  const engines = [await openFolder(context, folders[0]), await openFolder(context, folders[1])] as const;
  for (const engine of engines) await write(engine, 'A', 0, 10);
  const first = startJob({ context, engine: engines[0], sink, folder: folders[0] });
  await until(
    () => first.job.status.datasets[0]?.state === 'copying' && copiedPoints(sink, 'A') === 10,
    () => 'the first edge',
  );
  const second = startJob({ context, engine: engines[1], sink, folder: folders[1] });
  await until(
    () => second.job.status.datasets[0]?.state === 'stopped',
    () => JSON.stringify(second.job.status),
  );
  assert.match(second.job.status.datasets[0]?.reason ?? '', /by another edge.*--site/s);
  assert.equal(sink.copies.size, 1);
  for (const { job } of [first, second]) await job.stop();
  for (const engine of engines) await engine.close();
});

test('a sink that has lost points, a tag or everything gets them again', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  const sink = new MemorySink();
  for (const tag of ['A', 'B']) await write(engine, tag, 0, 100);
  const losses: readonly ((copy: { tags: Map<number, unknown>; points: Map<number, Map<number, string>> }) => void)[] =
    [
      ({ points }) => {
        for (const ofTag of points.values()) for (let i = 60; i < 100; i++) ofTag.delete(i);
      },
      ({ tags, points }) => {
        const last = Math.max(...tags.keys());
        tags.delete(last);
        points.delete(last);
      },
      () => sink.copies.clear(),
    ];
  for (const lose of [...losses, undefined]) {
    const { job } = startJob({ context, engine, sink, folder });
    await until(
      () => copiedPoints(sink, 'A') === 100 && copiedPoints(sink, 'B') === 100,
      () => JSON.stringify(job.status),
    );
    await job.stop();
    const [copy] = sink.copies.values();
    if (copy) lose?.(copy);
  }
  await engine.close();
});

test('a copy takes its name before anything else is there', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  await write(engine, 'A', 0, 10);
  const sink = new MemorySink();
  sink.failsBefore = () => [...sink.copies.values()].some(({ document }) => document !== undefined);
  const { job } = startJob({ context, engine, sink, folder });
  await until(
    () => [...sink.copies.values()].some(({ document }) => document !== undefined),
    () => 'the document of the dataset',
  );
  const [copy] = sink.copies.values();
  // While the folder is there: removed under a job that writes to it, nothing else of the test would be ended.
  await job.stop();
  await engine.close();
  assert.deepEqual([copy?.document?.copiedUntilMs, copy?.tags.size], [null, 0]);
});

test('a copy whose positions cannot be written follows nothing, and those behind it go on; it begins once they can', async (context) => {
  const folder = makeTempFolder(context);
  const engine = await openFolder(context, folder);
  await write(engine, 'A', 0, 10);
  await write(engine, 'B', 0, 10, 'Second');
  const first = await engine.follow('Plant');
  first.stop();
  const followed: Following[] = [];
  const follow = engine.follow.bind(engine);
  engine.follow = async (name, identity) => {
    const following = await follow(name, identity);
    if (name === 'Plant') followed.push(following);
    return following;
  };
  const areOn = (): number => followed.filter(({ isOn }) => isOn).length;
  // The file cannot be made, like on a full disk.
  const inTheWay = join(folder, '.centre', `${first.identity}.positions.new`);
  mkdirSync(inTheWay, { recursive: true });
  const sink = new MemorySink();
  const gone = { name: 'S.Gone', identity: 'f'.repeat(32) };
  const { job, events } = startJob({ context, engine, sink, folder });
  const edge = readFileSync(join(folder, '.centre', 'edge'), 'utf8').trim();
  await sink.putDataset(gone, { ...GONE_DOCUMENT, edge });
  await until(
    () => copiedPoints(sink, 'B') === 10 && sink.copies.get(gone.identity)?.document?.isDeleted === true,
    () => JSON.stringify([job.status, job.failure]),
  );
  await until(
    () => followed.length >= 2,
    () => 'another try',
  );
  assert.ok(areOn() <= 1, `${areOn()} of ${followed.length} are followed`);
  assert.match(job.failure ?? '', /EISDIR/);
  assert.equal(events.filter(({ message }) => message.includes('EISDIR')).length, 1);
  rmdirSync(inTheWay);
  await until(
    () => copiedPoints(sink, 'A') === 10 && job.failure === undefined,
    () => JSON.stringify(job.status),
  );
  assert.equal(areOn(), 1);
  await job.stop();
  assert.equal(areOn(), 0);
  await engine.close();
});
