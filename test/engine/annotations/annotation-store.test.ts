// Annotations of a dataset in the engine: kept over starts, copies and damage; bounded; refused without being lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeAnnotationBytes } from '../../../engine/annotations/annotation-reader.ts';
import { checkFolder } from '../../../engine/check/check.ts';
import { planCopy } from '../../../engine/check/copy-plan.ts';
import { ANNOTATIONS_HEADER } from '../../../engine/format/bytes/file-headers.ts';
import { type Annotation, type Engine, type EngineEvent, MAX_ANNOTATION_TEXT } from '../../../engine/index.ts';
import { ANNOTATED, ANY_REVISION, contentAt, linesOf, makeAnnotated } from '../../support/annotation-texts.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const FILE = `${DATA_FOLDER}/${ANNOTATED}/annotations`;
const START_MS = Date.UTC(2026, 0, 1);

function open(vfs: MemoryVfs, events: EngineEvent[] = []): Promise<Engine> {
  const tunables = { systemTagIntervalMs: 0, diskReserveBytes: 0 };
  const listener = (event: EngineEvent): void => void events.push(event);
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS),
    random: new SeededRandom(7),
    tunables,
    listener,
  });
}

/** Some annotations in a closed data folder. */
async function makeFolder(count: number): Promise<{ disk: MemoryVfs; kept: Annotation[] }> {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  const kept: Annotation[] = [];
  for (let i = 0; i < count; i++)
    kept.push(await engine.createAnnotation(ANNOTATED, contentAt(i, `text ${i}`), 'maria'));
  await engine.close();
  return { disk, kept };
}

function overwrite(disk: MemoryVfs, offset: number, bytes: Uint8Array): void {
  const file = disk.openSync(FILE, 'write');
  file.writeSync(bytes, offset);
  file.closeSync();
}

test('what is made, changed and deleted is as it was after a start, in order of time', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  await writeNumbers(engine, ANNOTATED, { T: [{ ms: 0, value: 1 }] });
  assert.deepEqual(engine.annotations(ANNOTATED), []);
  assert.equal(disk.statSync(FILE), undefined);
  const late = await engine.createAnnotation(ANNOTATED, contentAt(5000, 'late', { tag: 'T' }), 'maria');
  const range = { end: { ms: 9000, ticks: 1 } };
  const early = await engine.createAnnotation(ANNOTATED, contentAt(1000, 'early \u{1F6B0}\n', range), undefined);
  const gone = await engine.createAnnotation(ANNOTATED, contentAt(3000, 'gone'), undefined);
  const edit = { content: contentAt(500, 'moved'), by: 'otto', check: ANY_REVISION };
  const moved = await engine.changeAnnotation(ANNOTATED, late.id, edit);
  assert.equal((await engine.deleteAnnotation(ANNOTATED, gone.id, ANY_REVISION)).text, 'gone');
  assert.deepEqual(moved, { ...late, ...edit.content, revision: 2, changedBy: 'otto', changedMs: START_MS });
  const wanted = [moved, early];
  assert.deepEqual(engine.annotations(ANNOTATED), wanted);
  await engine.close();
  const again = await open(disk);
  assert.deepEqual(again.annotations(ANNOTATED), wanted);
  assert.deepEqual(again.annotation(ANNOTATED, early.id), early);
  const next = await again.createAnnotation(ANNOTATED, contentAt(0, 'next'), undefined);
  assert.ok(next.id > gone.id, 'an id is never given twice');
  await again.close();
  assert.deepEqual(checkFolder(disk, DATA_FOLDER).findings, []);
});

test('unknown ids, unknown tags and a check that refuses change nothing', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  const { id } = await engine.createAnnotation(ANNOTATED, contentAt(0, 'x'), undefined);
  const before = linesOf(engine.annotations(ANNOTATED));
  const unknown = contentAt(0, 'y', { tag: 'none' });
  const refuse = (): void => {
    throw new Error('seen another one');
  };
  const { createAnnotation, changeAnnotation, deleteAnnotation, annotation } = bound(engine);
  await assert.rejects(createAnnotation(ANNOTATED, unknown, undefined), { code: 'TAG_NOT_FOUND' });
  await assert.rejects(createAnnotation('other', contentAt(0, 'y'), undefined), { code: 'DATASET_NOT_FOUND' });
  const edit = { content: unknown, by: undefined, check: ANY_REVISION };
  await assert.rejects(changeAnnotation(ANNOTATED, id, edit), { code: 'TAG_NOT_FOUND' });
  const none = { ...edit, content: contentAt(0, 'y') };
  await assert.rejects(changeAnnotation(ANNOTATED, id + 1, none), { code: 'ANNOTATION_NOT_FOUND' });
  await assert.rejects(changeAnnotation(ANNOTATED, id, { ...none, check: refuse }), /seen another one/);
  await assert.rejects(deleteAnnotation(ANNOTATED, id, refuse), /seen another one/);
  await assert.rejects(deleteAnnotation(ANNOTATED, id + 1, ANY_REVISION), { code: 'ANNOTATION_NOT_FOUND' });
  assert.throws(() => annotation(ANNOTATED, id + 1), { code: 'ANNOTATION_NOT_FOUND' });
  assert.deepEqual(linesOf(engine.annotations(ANNOTATED)), before);
  await engine.close();
});

function bound(
  engine: Engine,
): Pick<Engine, 'createAnnotation' | 'changeAnnotation' | 'deleteAnnotation' | 'annotation'> {
  return {
    createAnnotation: (...parts) => engine.createAnnotation(...parts),
    changeAnnotation: (...parts) => engine.changeAnnotation(...parts),
    deleteAnnotation: (...parts) => engine.deleteAnnotation(...parts),
    annotation: (...parts) => engine.annotation(...parts),
  };
}

test('an annotation of a deleted tag stays, and can be changed', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  await writeNumbers(engine, ANNOTATED, { T: [{ ms: 0, value: 1 }] });
  const made = await engine.createAnnotation(ANNOTATED, contentAt(0, 'x', { tag: 'T' }), undefined);
  await engine.deleteTags(ANNOTATED, ['T']);
  const content = { ...contentAt(0, 'y'), tag: 'T' };
  const changed = await engine.changeAnnotation(ANNOTATED, made.id, { content, by: undefined, check: ANY_REVISION });
  assert.deepEqual(engine.annotations(ANNOTATED), [changed]);
  await engine.close();
});

test('random changes and starts: what is shown is what a map of them says', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const disk = makeDisk({});
  const model = new Map<number, Annotation>();
  let engine = await open(disk);
  await makeAnnotated(engine);
  for (let step = 0; step < 400; step++) {
    const choice = random.unit();
    const ids = [...model.keys()];
    const content = contentAt(random.below(1000), 'x'.repeat(1 + random.below(500)));
    if (choice < 0.02) {
      await engine.close();
      engine = await open(disk);
    } else if (choice < 0.5 || ids.length === 0) {
      const made = await engine.createAnnotation(ANNOTATED, content, 'maria');
      assert.ok(!model.has(made.id));
      model.set(made.id, made);
    } else if (choice < 0.8) {
      const edit = { content, by: 'otto', check: ANY_REVISION };
      const changed = await engine.changeAnnotation(ANNOTATED, random.pick(ids), edit);
      model.set(changed.id, changed);
    } else {
      const { id } = await engine.deleteAnnotation(ANNOTATED, random.pick(ids), ANY_REVISION);
      model.delete(id);
    }
    const wanted = [...model.values()].sort((a, b) => a.start.ms - b.start.ms || a.id - b.id);
    assert.deepEqual(engine.annotations(ANNOTATED), wanted);
  }
  await engine.close();
});

test('changes sent at once are made one after the other', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`);
  const made = await Promise.all(
    texts.map((text) => engine.createAnnotation(ANNOTATED, contentAt(0, text), undefined)),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, texts.length);
  await engine.close();
  const again = await open(disk);
  assert.deepEqual(
    again.annotations(ANNOTATED).map(({ text }) => text),
    texts,
  );
  await again.close();
});

test('a file of mostly history is written anew, and ids go on', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  const long = '°'.repeat(MAX_ANNOTATION_TEXT);
  const { id } = await engine.createAnnotation(ANNOTATED, contentAt(0, long), undefined);
  const edit = { content: contentAt(0, long), by: undefined, check: ANY_REVISION };
  let mostBytes = 0;
  for (let i = 0; i < 300; i++) {
    await engine.changeAnnotation(ANNOTATED, id, edit);
    mostBytes = Math.max(mostBytes, disk.statSync(FILE)?.sizeBytes ?? 0);
  }
  assert.ok(mostBytes > 2 ** 20 && mostBytes < 1.1 * 2 ** 20, `${mostBytes} bytes`);
  const next = await engine.createAnnotation(ANNOTATED, contentAt(0, 'next'), undefined);
  assert.ok(next.id > 300);
  const shown = engine.annotations(ANNOTATED);
  assert.equal(shown[0]?.revision, 301);
  await engine.close();
  const again = await open(disk);
  assert.deepEqual(again.annotations(ANNOTATED), shown);
  await again.close();
  assert.deepEqual(checkFolder(disk, DATA_FOLDER).findings, []);
});

test('too many bytes of annotations are refused, and room is made by deleting', async () => {
  const disk = makeDisk({});
  const engine = await open(disk);
  await makeAnnotated(engine);
  const content = contentAt(0, '\u20ac'.repeat(MAX_ANNOTATION_TEXT));
  const create = (): Promise<Annotation> => engine.createAnnotation(ANNOTATED, content, undefined);
  const refused = await create().then(async () => {
    for (let i = 0; i < 800; i++) {
      const error: unknown = await create().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) return error;
    }
    return undefined;
  });
  assert.equal((refused as { code?: string }).code, 'TOO_MANY_ANNOTATIONS');
  const [first] = engine.annotations(ANNOTATED);
  await engine.deleteAnnotation(ANNOTATED, (first as Annotation).id, ANY_REVISION);
  await create();
  await engine.close();
});

test('a torn tail is said, stepped over, and makes room for the next record', async () => {
  const { disk, kept } = await makeFolder(3);
  overwrite(disk, disk.content(FILE).length, new TextEncoder().encode('VREC torn'));
  assert.match(JSON.stringify(checkFolder(disk, DATA_FOLDER).findings), /"warn".*not finished/);
  const events: EngineEvent[] = [];
  const engine = await open(disk, events);
  assert.ok(events.some(({ event }) => event === 'annotations.torn'));
  assert.deepEqual(engine.annotations(ANNOTATED), kept);
  const made = await engine.createAnnotation(ANNOTATED, contentAt(99, 'x'), undefined);
  await engine.close();
  assert.deepEqual(checkFolder(disk, DATA_FOLDER).findings, []);
  const again = await open(disk);
  assert.deepEqual(again.annotations(ANNOTATED), [...kept, made]);
  await again.close();
});

test('damage to any byte costs at most the record that it is in, or is refused as a whole, and is always said', async () => {
  // One record is the first, one the last, and one lies between others.
  const { disk, kept } = await makeFolder(3);
  const bytes = disk.content(FILE).slice();
  for (let offset = 0; offset < bytes.length; offset++) {
    overwrite(disk, offset, Uint8Array.of((bytes[offset] as number) ^ 0x55));
    const events: EngineEvent[] = [];
    const engine = await open(disk, events);
    assert.ok(
      events.some(({ event }) => event.startsWith('annotations.')),
      `nothing was said of byte ${offset}`,
    );
    const shown = new Set(linesOf(engine.annotations(ANNOTATED)));
    const missing = linesOf(kept).filter((line) => !shown.has(line));
    assert.ok(
      missing.length <= (offset < ANNOTATIONS_HEADER.sizeBytes ? 0 : 1),
      `byte ${offset}: ${missing.length} lost`,
    );
    assert.ok(checkFolder(disk, DATA_FOLDER).findings.some(({ path }) => path.endsWith('annotations')));
    await engine.close();
    overwrite(disk, 0, bytes);
  }
});

test('a file of which nothing can be read is left alone: annotations are refused, points are not', async () => {
  const { disk } = await makeFolder(2);
  const foreign = new TextEncoder().encode('this is no file of annotations'.repeat(20));
  overwrite(disk, 0, foreign);
  const found = disk.content(FILE).slice();
  const events: EngineEvent[] = [];
  const engine = await open(disk, events);
  assert.ok(events.some(({ event }) => event === 'annotations.unreadable'));
  assert.throws(() => engine.annotations(ANNOTATED), { code: 'CORRUPT' });
  await assert.rejects(engine.createAnnotation(ANNOTATED, contentAt(0, 'x'), undefined), { code: 'CORRUPT' });
  await writeNumbers(engine, ANNOTATED, { T: [{ ms: 0, value: 1 }] });
  await engine.close();
  assert.deepEqual(disk.content(FILE), found);
});

test('a copy has all whole records, also while one is being written', async () => {
  const { disk, kept } = await makeFolder(3);
  const whole = disk.content(FILE).slice();
  overwrite(disk, whole.length, Uint8Array.of(0x56, 0x52, 0x45));
  assert.equal(wholeAnnotationBytes(disk.content(FILE)), whole.length);
  const { replaced } = planCopy(disk, `${DATA_FOLDER}/${ANNOTATED}`);
  const copied = replaced.find(({ path }) => path === 'annotations')?.bytes;
  assert.deepEqual(copied && Buffer.from(copied), Buffer.from(whole));
  const other = makeDisk({});
  const copying = await open(other);
  await makeAnnotated(copying);
  await copying.close();
  const file = other.openSync(FILE, 'write');
  file.writeSync(copied as Uint8Array, 0);
  file.closeSync();
  const engine = await open(other);
  assert.deepEqual(engine.annotations(ANNOTATED), kept);
  await engine.close();
});

for (const kind of ['write', 'sync'] as const) {
  test(`a disk that is full at a ${kind} refuses the change, or ends writing, and loses nothing`, async () => {
    for (let count = 1; count <= 4; count++) {
      const { disk, kept } = await makeFolder(2);
      const engine = await open(disk);
      const cancel = disk.failAt(count, kind, kind === 'write' ? 'ENOSPC' : 'EIO');
      const results = await Promise.allSettled([
        engine.createAnnotation(ANNOTATED, contentAt(9, 'a'), undefined),
        engine.createAnnotation(ANNOTATED, contentAt(9, 'b'), undefined),
      ]);
      cancel();
      const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      for (const result of results) {
        if (result.status === 'rejected')
          assert.equal((result.reason as { code: string }).code, kind === 'write' ? 'DISK_FULL' : 'POISONED');
      }
      assert.deepEqual(linesOf(engine.annotations(ANNOTATED)), linesOf([...kept, ...made]));
      if (kind === 'write') made.push(await engine.createAnnotation(ANNOTATED, contentAt(9, 'c'), undefined));
      await engine.close();
      const again = await open(disk);
      const shown = new Set(linesOf(again.annotations(ANNOTATED)));
      for (const line of linesOf([...kept, ...made])) assert.ok(shown.has(line), line);
      if (kind === 'write') assert.equal(shown.size, kept.length + made.length);
      await again.close();
    }
  });
}

test('a deleted dataset takes its annotations along; one of the same name has none', async () => {
  const { disk } = await makeFolder(2);
  const engine = await open(disk);
  const pending = engine.createAnnotation(ANNOTATED, contentAt(0, 'x'), undefined);
  await engine.deleteDataset(ANNOTATED);
  await pending.catch((error: unknown) => assert.equal((error as { code: string }).code, 'DATASET_NOT_FOUND'));
  await makeAnnotated(engine);
  assert.deepEqual(engine.annotations(ANNOTATED), []);
  await engine.close();
});
