// Tags that are renamed: they stay the same tag, their former names lead to them as long as asked, and a power cut at any
// operation leaves the tag under one of its two names, with all of its points.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFolder } from '../../../engine/check/check.ts';
import { type Engine, EngineError, type EngineEvent, type TagRename, ValueType } from '../../../engine/index.ts';
import { MAX_FORMER_NAMES } from '../../../engine/limits.ts';
import { ANY_REVISION, contentAt } from '../../support/annotation-texts.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const FEWEST_CUTS = 30;

interface Plant {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly events: EngineEvent[];
}

async function open(vfs: MemoryVfs, options: { startMs?: number; tunables?: object } = {}): Promise<Plant> {
  const clock = new ManualClock(options.startMs ?? START_MS);
  const events: EngineEvent[] = [];
  const engine = await openTestEngine({
    vfs,
    clock,
    random: new SeededRandom(7),
    tunables: { systemTagIntervalMs: 0, diskReserveBytes: 0, ...options.tunables },
    listener: (event) => void events.push(event),
  });
  return { engine, clock, events };
}

const rename = (from: string, to: string, options: Partial<TagRename> = {}): TagRename => ({
  from,
  to,
  forwards: false,
  keepMs: undefined,
  ...options,
});
const at = (second: number) => ({ ms: START_MS - DAY_MS + second * 1000, value: second });
const valuesOf = async (engine: Engine, tag: string): Promise<(number | null)[]> =>
  (await readNumbers(engine, 'd', tag)).points.map(({ value }) => value);
const userNames = async (engine: Engine): Promise<string[]> =>
  [...(await engine.tags('d')).user].map(({ name }) => name);

function refused(code: string, text: RegExp, renamedTo?: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    assert.equal(error.details.renamedTo, renamedTo);
    return true;
  };
}

test('a renamed tag keeps its points, its definition and its id, over a start and a checkpoint', async () => {
  const disk = makeDisk({});
  const { engine } = await open(disk);
  await writeNumbers(engine, 'd', { A: [at(1), at(2)], Z: [at(1)] });
  await engine.defineTags('d', [{ name: 'A', description: 'feed' }]);
  const { id } = engine.lookup('d').find('A') ?? {};
  await engine.renameTag('d', rename('A', 'B'));
  await writeNumbers(engine, 'd', { B: [at(3)] });
  const former = { count: 1, names: [{ name: 'A', renamedMs: START_MS, untilMs: undefined, forwards: false }] };
  const wanted = { name: 'B', description: 'feed', type: ValueType.Double, former };
  const check = async (one: Engine): Promise<void> => {
    assert.deepEqual(await userNames(one), ['B', 'Z']);
    assert.deepEqual(one.tag('d', 'B'), wanted);
    assert.deepEqual(one.tag('d', 'A'), wanted, 'the former name leads to the tag');
    assert.equal(one.lookup('d').find('B')?.id, id);
    for (const name of ['A', 'B']) assert.deepEqual(await valuesOf(one, name), [1, 2, 3]);
  };
  await check(engine);
  disk.halt();
  const killed = await open(disk.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(1) }));
  await check(killed.engine);
  await killed.engine.close();
  assert.deepEqual(
    killed.events.filter(({ level }) => level === 'error'),
    [],
  );
});

test('the catalog keeps the names, and the check of the folder finds nothing', async () => {
  const disk = makeDisk({});
  const { engine } = await open(disk);
  await writeNumbers(engine, 'd', { A: [at(1)] });
  await engine.renameTag('d', rename('A', 'B', { forwards: true }));
  await engine.close();
  assert.deepEqual(checkFolder(disk, DATA_FOLDER).findings, []);
  const again = await open(disk);
  await writeNumbers(again.engine, 'd', { A: [at(2)] });
  assert.deepEqual(await userNames(again.engine), ['B']);
  assert.deepEqual(await valuesOf(again.engine, 'B'), [1, 2]);
  await again.engine.close();
});

test('a former name is refused for writing, with the new one, or forwards', async () => {
  const { engine } = await open(makeDisk({}));
  await writeNumbers(engine, 'd', { A: [at(1)], C: [at(1)] });
  await engine.renameTag('d', rename('A', 'B'));
  await engine.renameTag('d', rename('C', 'D', { forwards: true }));
  const sentence = /Tag 'A' was renamed to 'B'; write under that name/;
  await assert.rejects(writeNumbers(engine, 'd', { A: [at(2)], X: [at(2)] }), refused('TAG_RENAMED', sentence, 'B'));
  await assert.rejects(engine.defineTags('d', [{ name: 'A' }]), refused('TAG_RENAMED', sentence, 'B'));
  assert.deepEqual(await userNames(engine), ['B', 'D'], 'nothing of the refused request is there');
  const receipt = await writeNumbers(engine, 'd', { C: [at(2)], X: [at(2)] });
  assert.equal(receipt.written, 2);
  await engine.defineTags('d', [{ name: 'C', description: 'by its former name' }]);
  assert.deepEqual(await userNames(engine), ['B', 'D', 'X']);
  assert.equal(engine.tag('d', 'D').description, 'by its former name');
  assert.deepEqual(await valuesOf(engine, 'D'), [1, 2]);
  await engine.close();
});

test('what removes or renames must say the present name', async () => {
  const { engine } = await open(makeDisk({}));
  await writeNumbers(engine, 'd', { A: [at(1)] });
  await engine.renameTag('d', rename('A', 'B', { forwards: true }));
  const missing = refused('TAG_NOT_FOUND', /Tag 'A' could not be found. It was renamed to 'B'/, 'B');
  await assert.rejects(engine.deleteTags('d', ['A']), missing);
  await assert.rejects(engine.deletePoints('d', ['A'], { ms: 0, ticks: 0 }), missing);
  await assert.rejects(engine.renameTag('d', rename('A', 'C')), missing);
  assert.deepEqual(await valuesOf(engine, 'B'), [1]);
  await engine.close();
});

test('names in use, former names of others, bad names and system tags are refused, with a sentence', async () => {
  const { engine } = await open(makeDisk({}));
  await writeNumbers(engine, 'd', { A: [at(1)], B: [at(1)] });
  const to = (name: string): Promise<void> => engine.renameTag('d', rename('B', name));
  await assert.rejects(to('A'), refused('TAG_EXISTS', /There is a tag 'A' already/));
  await assert.rejects(to('B'), refused('BAD_REQUEST', /is called so already/));
  await assert.rejects(to('$System.B'), refused('BAD_NAME', /kept for system tags/));
  await assert.rejects(engine.renameTag('d', rename('Writes', 'W')), refused('BAD_REQUEST', /cannot be renamed/));
  await engine.renameTag('d', rename('A', 'A2'));
  await assert.rejects(to('A'), refused('TAG_EXISTS', /a former name of tag 'A2'/, 'A2'));
  await engine.renameTag('d', rename('A2', 'A'));
  assert.deepEqual(engine.tag('d', 'A').former, {
    count: 2,
    names: [{ name: 'A2', renamedMs: START_MS, untilMs: undefined, forwards: false }],
  });
  assert.deepEqual(await userNames(engine), ['A', 'B']);
  await engine.close();
});

test('a former name is free when its time is over, and then is a tag of its own, also after a start', async () => {
  const disk = makeDisk({});
  const { engine, clock } = await open(disk);
  await writeNumbers(engine, 'd', { A: [at(1)], C: [at(1)], E: [at(1)] });
  await engine.renameTag('d', rename('A', 'B', { keepMs: DAY_MS, forwards: true }));
  await engine.renameTag('d', rename('C', 'D', { keepMs: 0 }));
  await engine.renameTag('d', rename('E', 'F', { keepMs: DAY_MS }));
  await assert.rejects(readNumbers(engine, 'd', 'C'), refused('TAG_NOT_FOUND', /It was renamed to 'D'/, 'D'));
  await writeNumbers(engine, 'd', { A: [at(2)], C: [at(2)] });
  clock.advance(DAY_MS + 1000);
  await assert.rejects(readNumbers(engine, 'd', 'E'), refused('TAG_NOT_FOUND', /It was renamed to 'F'/, 'F'));
  await writeNumbers(engine, 'd', { A: [at(3)], E: [at(3)] });
  const check = async (one: Engine): Promise<void> => {
    assert.deepEqual(await userNames(one), ['A', 'B', 'C', 'D', 'E', 'F']);
    const values: unknown[] = [];
    for (const name of 'ABCDEF') values.push(await valuesOf(one, name));
    assert.deepEqual(values, [[3], [1, 2], [2], [1], [3], [1]]);
  };
  await check(engine);
  disk.halt();
  const cut = { content: 'nothing', entries: 'nothing', random: new SeededRandom(1) } as const;
  const killed = await open(disk.crashClone(cut), { startMs: clock.nowMs() });
  await check(killed.engine);
  await killed.engine.close();
  await engine.close().catch(() => undefined);
});

test('former names go with their tag', async () => {
  const { engine } = await open(makeDisk({}));
  await writeNumbers(engine, 'd', { A: [at(1)] });
  await engine.renameTag('d', rename('A', 'B', { forwards: true }));
  await engine.deleteTags('d', ['B']);
  await assert.rejects(readNumbers(engine, 'd', 'A'), refused('TAG_NOT_FOUND', /could not be found\.$/));
  await writeNumbers(engine, 'd', { A: [at(5)] });
  assert.deepEqual(await userNames(engine), ['A']);
  assert.deepEqual(await valuesOf(engine, 'A'), [5]);
  await engine.close();
});

test('so many former names are kept, and a further rename is refused while all of them lead to the tag', async () => {
  const { engine } = await open(makeDisk({}));
  await writeNumbers(engine, 'd', { T0: [at(1)] });
  for (let i = 0; i < MAX_FORMER_NAMES; i++)
    await engine.renameTag('d', rename(`T${i}`, `T${i + 1}`, i === 1 ? { keepMs: 0 } : {}));
  await engine.renameTag('d', rename(`T${MAX_FORMER_NAMES}`, 'last but one'));
  await assert.rejects(engine.renameTag('d', rename('last but one', 'last')), refused('CONFLICT', /former names lead/));
  const { former } = engine.tag('d', 'T0');
  assert.equal(former?.count, MAX_FORMER_NAMES + 1);
  assert.equal(former?.names.length, MAX_FORMER_NAMES);
  assert.equal(
    former?.names.some(({ name }) => name === 'T1'),
    false,
    'the one that leads nowhere is forgotten',
  );
  await engine.close();
});

test('annotations and corrections follow the tag', async () => {
  const disk = makeDisk({});
  const { engine } = await open(disk);
  await writeNumbers(engine, 'd', { A: [at(1), at(2)], Z: [at(1)] });
  const one = await engine.createAnnotation('d', contentAt(1, 'of A', { tag: 'A' }), 'maria');
  const other = await engine.createAnnotation('d', contentAt(2, 'of Z', { tag: 'Z' }), 'maria');
  const correction = {
    tag: 'A',
    kind: 'delete',
    batch: undefined,
    by: 'me',
    reason: 'test',
    isPreview: false,
  } as const;
  const time = { ms: at(1).ms, ticks: 0 };
  await engine.correct('d', { ...correction, range: { start: time, end: time } });
  await engine.renameTag('d', rename('A', 'B'));
  const next = await engine.createAnnotation('d', contentAt(3, 'by the former name', { tag: 'A' }), 'maria');
  const wanted = [{ ...one, tag: 'B' }, other, { ...next, tag: 'B' }];
  assert.deepEqual(engine.annotations('d'), wanted);
  assert.deepEqual(await valuesOf(engine, 'B'), [2]);
  assert.deepEqual(
    engine.corrections('d', {} as never).map(({ tag }) => tag),
    ['B'],
  );
  await engine.close();
  const again = await open(disk);
  assert.deepEqual(again.engine.annotations('d'), wanted);
  assert.deepEqual(await valuesOf(again.engine, 'B'), [2]);
  await again.engine.deleteAnnotation('d', one.id, ANY_REVISION);
  await again.engine.close();
});

/** Cuts the power before each operation of some renames. */
async function cutRenames(syncIsNoop: boolean, seed: number): Promise<number> {
  const random = new SeededRandom(seed);
  const disk = makeDisk({ random: random.fork(), syncIsNoop, nowMs: () => START_MS });
  const tunables = { ...drawTunables(random), systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const { engine } = await open(disk, { tunables });
  await writeNumbers(engine, 'd', { T0: [at(0)], U0: [at(0)] });
  await engine.createAnnotation('d', contentAt(1, 'note', { tag: 'T0' }), 'maria');
  const cuts: { disk: MemoryVfs; step: number; points: number; where: string }[] = [];
  for (let step = 0; step < 6; step++) {
    const stop = disk.watch(({ kind, path }) => {
      const cut = { content: 'any', entries: 'any', random: random.fork() } as const;
      const clone = disk.crashClone(cut, { ...disk.options, random: random.fork() });
      cuts.push({ disk: clone, step, points: step + 1, where: `${kind} of ${path}` });
    });
    // The free name is taken at once by another tag, and the name of before is given back.
    await engine.renameTag('d', rename(`T${step}`, `T${step + 1}`, { keepMs: 0 }));
    stop();
    await engine.renameTag('d', rename(`U${step}`, `U${step + 1}`, { keepMs: step % 2 === 0 ? 0 : undefined }));
    if (step === 2) await engine.renameTag('d', rename('U3', 'T1', { keepMs: 0 }));
    if (step === 2) await engine.renameTag('d', rename('T1', 'U3', { keepMs: 0 }));
    await writeNumbers(engine, 'd', { [`T${step + 1}`]: [at(step + 1)] });
  }
  disk.halt();
  for (const cut of cuts) {
    const opened = await open(cut.disk);
    const found: string[] = [];
    for (const name of await userNames(opened.engine)) if (name.startsWith('T')) found.push(name);
    const where = `seed ${seed}, step ${cut.step}, before ${cut.where}`;
    assert.equal(found.length, 1, `${where}: got ${found}`);
    const name = found[0] as string;
    assert.ok([`T${cut.step}`, `T${cut.step + 1}`].includes(name), `${where}: got ${name}`);
    assert.deepEqual(
      await valuesOf(opened.engine, name),
      Array.from({ length: cut.points }, (_, i) => i),
      where,
    );
    assert.deepEqual(
      opened.engine.annotations('d').map(({ tag }) => tag),
      [name],
      where,
    );
    assert.deepEqual(
      opened.events.filter(({ level }) => level === 'error'),
      [],
      where,
    );
    await opened.engine.close();
  }
  return cuts.length;
}

test('a power cut at any operation of a rename leaves the tag whole, under one name, with its annotations', async () => {
  const seed = chooseSeed();
  let count = 0;
  for (let round = 0; round < 4; round++) count += await cutRenames(false, seed + round);
  assert.ok(count >= FEWEST_CUTS, `only ${count} cuts`);
});

test('without syncs the cuts lose a rename', async () => {
  await assert.rejects(async () => {
    for (let round = 0; round < 4; round++) await cutRenames(true, 1 + round);
  });
});
