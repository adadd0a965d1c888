// What every engine answers to who reads, whatever lies below. Each case has a dataset of its own, and says itself what is right.

import assert from 'node:assert/strict';
import { type CorrectionKind, type Engine, EngineError, ValueType } from '../../engine/index.ts';
import { type NumberPoint, writeNumbers } from '../support/engine-points.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { rangeOf, readTags } from './read-points.ts';

export interface EngineCase {
  readonly name: string;
  readonly run: (engines: EngineUnderTest) => Promise<void>;
}

const MS = Date.UTC(2026, 0, 1);
const RULES = { purgeAgeDays: 0, purgeSizeGb: 0 };
const ALL = rangeOf(MS - 1e9, MS + 1e9);

/** A point a second, whose values are 0, 1, 2… */
function ramp(count: number): NumberPoint[] {
  return Array.from({ length: count }, (_, i) => ({ ms: MS + 1000 * i, value: i }));
}

function refused(code: EngineError['code']): (error: unknown) => boolean {
  return (error) => error instanceof EngineError && error.code === code;
}

/** Throws or rejects, by which engine it is. */
function attempt(ask: () => unknown): Promise<unknown> {
  return new Promise((resolve) => resolve(ask()));
}

async function valuesOf(engine: Engine, dataset: string, tag: string): Promise<unknown[]> {
  const [read] = await readTags(engine, dataset, [tag], { range: ALL });
  return read?.points.map(([, value]) => value) ?? [];
}

async function correct(writer: Engine, dataset: string, kind: Exclude<CorrectionKind, 'cut'>): Promise<number> {
  const range = { start: { ms: MS + 1000, ticks: 0 }, end: { ms: MS + 2000, ticks: 0 } };
  const about = { tag: 'A', kind, range, batch: undefined, by: 'me', reason: 'test', isPreview: false };
  const { id } = await writer.correct(dataset, about);
  return id as number;
}

export const CASES: readonly EngineCase[] = [
  {
    name: 'datasets are listed by name, with their rules and how many tags they have',
    async run({ writer, reader, settle }) {
      await writer.createDataset({ name: 'listed-b', purgeAgeDays: 7, purgeSizeGb: 1 });
      await writer.createDataset({ name: 'listed-a', ...RULES });
      await writeNumbers(writer, 'listed-b', { A: ramp(2), B: ramp(1) });
      await settle('listed-b');
      await reader.lookAtTags();
      const names = reader.datasets().map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => name.startsWith('listed')),
        ['listed-a', 'listed-b'],
      );
      const { purgeAgeDays, purgeSizeGb, tagCount } = reader.dataset('listed-b');
      assert.deepEqual({ purgeAgeDays, purgeSizeGb, tagCount }, { purgeAgeDays: 7, purgeSizeGb: 1, tagCount: 2 });
      assert.equal(reader.stats().datasets.find(({ name }) => name === 'listed-b')?.tagCount, 2);
      assert.ok(reader.hasDataset('listed-a') && !reader.hasDataset('listed-c'));
      for (const ask of [
        () => reader.dataset('listed-c'),
        () => reader.tags('listed-c'),
        () => reader.read('listed-c', { ...READ, tags: ['A'] }),
        () => reader.watch('listed-c', () => {}),
        () => reader.corrections('listed-c', { tag: undefined, before: undefined, limit: 1 }),
      ])
        await assert.rejects(attempt(ask), refused('DATASET_NOT_FOUND'));
    },
  },
  {
    name: 'tags are listed in the order of their names, with all that is defined',
    async run({ writer, reader, settle }) {
      const units = new Map([[0, 'Off']]);
      const fields = new Map([['area', 'North']]);
      const pump = { name: 'Pump', description: 'A pump', format: '0.0', units, fields, type: ValueType.Int32 };
      await writer.defineTags('defined', [pump, { name: 'Valve' }, { name: 'Spare pump' }]);
      await settle('defined');
      const list = await reader.tags('defined');
      const user = [...list.user];
      assert.deepEqual(
        user.map(({ name }) => name),
        ['Pump', 'Spare pump', 'Valve'],
      );
      assert.deepEqual(user[0], pump);
      assert.ok(list.system.length > 0);
      assert.deepEqual(
        [...list.user.from('Q')].map(({ name }) => name),
        ['Spare pump', 'Valve'],
      );
      assert.deepEqual([list.user.names.length, list.user.names.at(2), list.user.names.at(3)], [3, 'Valve', undefined]);
      assert.equal(reader.tag('defined', 'Valve').type, ValueType.Open);
      assert.throws(() => reader.tag('defined', 'Nope'), refused('TAG_NOT_FOUND'));
      const asked = { ...READ, tags: ['Valve', 'No', 'Nope'] };
      const unknown = attempt(() => readTags(reader, 'defined', asked.tags, asked));
      await assert.rejects(unknown, ({ details }: EngineError) => String(details.names) === 'No,Nope');
      const [only, ...others] = await readTags(reader, 'defined', asked.tags, { ...asked, skipMissing: true });
      assert.equal(only?.name, 'Valve');
      assert.equal(others.length, 0);
    },
  },
  {
    name: 'points are read by range, newest, at a time, and with the one before',
    async run({ writer, reader, settle }) {
      const uncertain = { ms: MS + 10_000, value: -1, quality: 64 };
      await writeNumbers(writer, 'ranges', { A: ramp(10), B: [...ramp(3), uncertain], Same: [] });
      await settle('ranges');
      const [inside] = await readTags(reader, 'ranges', ['A'], { range: rangeOf(MS + 2000, MS + 4000) });
      assert.deepEqual(
        inside?.points,
        [2, 3, 4].map((i) => [MS + 1000 * i, i, 192]),
      );
      const carried = { range: rangeOf(MS + 2500, MS + 3000), carryIn: true };
      const both = await readTags(reader, 'ranges', ['A', 'B'], carried);
      assert.deepEqual(
        both.map(({ points }) => points.map(([, value]) => value)),
        [[2, 3], [2]],
      );
      const newest = await readTags(reader, 'ranges', ['B', 'A'], { range: { kind: 'newest' } });
      assert.deepEqual(newest[0]?.points, [[MS + 10_000, -1, 64]]);
      assert.deepEqual(newest[1]?.points, [[MS + 9000, 9, 192]]);
      const at = { kind: 'at', end: { ms: MS + 3999, ticks: 9999 } } as const;
      const then = await readTags(reader, 'ranges', ['A', 'B'], { range: at });
      assert.deepEqual(
        then.map(({ points }) => points[0]?.[1]),
        [3, 2],
      );
      const result = reader.read('ranges', { ...READ, tags: ['A', 'B'], range: at });
      await result.settle?.();
      assert.deepEqual(result.bounds, { start: { ms: MS + 2000, ticks: 0 }, end: { ms: MS + 3000, ticks: 0 } });
      const early = await readTags(reader, 'ranges', ['A'], { range: { kind: 'at', end: { ms: MS - 1, ticks: 0 } } });
      assert.deepEqual(early[0]?.points, []);
    },
  },
  {
    name: 'long answers are read on behind markers, each of its own tag',
    async run({ writer, reader, settle }) {
      const same = [0, 0, 0, 1, 1, 2].map((second, i) => ({ ms: MS + 1000 * second, value: i }));
      await writeNumbers(writer, 'pages', { A: same, B: ramp(2) });
      await settle('pages');
      const values: unknown[] = [];
      let after: readonly { readonly tagId: number; readonly ordinal: number }[] = [];
      for (let page = 0; page < 4; page++) {
        const [read] = await readTags(reader, 'pages', ['A'], { range: ALL, limit: 2, after });
        values.push(...(read?.points.map(([, value]) => value) ?? []));
        after = read?.marker ? [read.marker] : [];
        if (after.length === 0) break;
      }
      assert.deepEqual(values, [0, 1, 2, 3, 4, 5]);
      const [first] = await readTags(reader, 'pages', ['A'], { range: ALL, limit: 2 });
      assert.ok(first?.marker);
      const foreign = attempt(() => readTags(reader, 'pages', ['B'], { range: ALL, after: [first.marker as never] }));
      await assert.rejects(foreign, refused('BAD_REQUEST'));
    },
  },
  {
    name: 'charts keep extremes, and say how many points they are of',
    async run({ writer, reader, settle }) {
      const points = ramp(1000).map((point, i) => (i === 500 ? { ...point, value: 9999 } : point));
      await writeNumbers(writer, 'charts', { A: points });
      await settle('charts');
      const range = rangeOf(MS, MS + 999_000);
      const [read] = await readTags(reader, 'charts', ['A'], { range, intervals: 2 });
      assert.equal(read?.reducedFrom, 1000);
      assert.deepEqual(
        read?.points.map(([, value]) => value),
        [0, 499, 9999, 501, 999],
      );
    },
  },
  {
    name: 'functions and statistics',
    async run({ writer, reader, settle }) {
      await writeNumbers(writer, 'functions', { A: ramp(60) });
      await settle('functions');
      const aggregates = {
        functions: ['Count', 'Average', 'Maximum'],
        edges: Float64Array.of(0, 30_000, 60_000),
        interpolation: undefined,
        treatUncertainAsBad: true,
        percentGood: 100,
        percentBad: 100,
        extrapolatesSlope: false,
        fill: 'none',
        isAborted: () => false,
        now: { ms: MS + 1e9, ticks: 0 },
      } as const;
      const results = await readTags(reader, 'functions', ['A'], { range: rangeOf(MS, MS + 60_000), aggregates });
      assert.deepEqual(
        results.map(({ points }) => points.map(([, value]) => value)),
        [
          [30, 30],
          [14.5, 44.5],
          [29, 59],
        ],
      );
      const asked = reader.statistics('functions', {
        tags: ['A'],
        range: { start: { ms: MS, ticks: 0 }, end: { ms: MS + 60_000, ticks: 0 } },
        skipMissing: false,
        interpolation: undefined,
        treatUncertainAsBad: true,
        now: { ms: MS + 1e9, ticks: 0 },
        isAborted: () => false,
      });
      await asked.settle();
      const { points, good, min, max, mean } = await asked.of(0);
      assert.deepEqual([points, good, min?.value, max?.value, mean], [60, 60, 0, 59, 29.5]);
    },
  },
  {
    name: 'corrections hide points, are listed, and can be undone',
    async run({ writer, reader, settle }) {
      await writeNumbers(writer, 'corrected', { A: ramp(4) });
      const id = await correct(writer, 'corrected', 'delete');
      await settle('corrected');
      assert.deepEqual(await valuesOf(reader, 'corrected', 'A'), [0, 3]);
      const [listed] = reader.corrections('corrected', { tag: 'A', before: undefined, limit: 10 });
      assert.equal(listed?.id, id);
      assert.deepEqual(reader.correction('corrected', id), listed);
      assert.equal(listed?.undone, undefined);
      assert.throws(() => reader.correction('corrected', id + 1), refused('CORRECTION_NOT_FOUND'));
      await writer.undoCorrection('corrected', id, 'me', 'a mistake');
      await settle('corrected');
      assert.deepEqual(await valuesOf(reader, 'corrected', 'A'), [0, 1, 2, 3]);
      assert.ok(reader.correction('corrected', id).undone);
    },
  },
  {
    name: 'late points are read in their place',
    async run({ writer, reader, settle }) {
      await writer.createDataset({ name: 'late', ...RULES, late: 'accept' });
      await writeNumbers(writer, 'late', { A: ramp(3) });
      await writeNumbers(writer, 'late', { A: [{ ms: MS + 500, value: 50 }] });
      await settle('late');
      assert.deepEqual(await valuesOf(reader, 'late', 'A'), [0, 50, 1, 2]);
    },
  },
  {
    name: 'what was cut or deleted is gone, and what is written behind it is there',
    async run({ writer, reader, settle }) {
      await writeNumbers(writer, 'cut', { A: ramp(5), B: ramp(1), C: ramp(1) });
      await writer.deletePoints('cut', ['A'], { ms: MS + 2000, ticks: 0 });
      await writeNumbers(writer, 'cut', { A: [{ ms: MS + 2500, value: 7 }] });
      await writer.deleteTags('cut', ['B', 'C']);
      await writeNumbers(writer, 'cut', { C: [{ ms: MS, value: 8 }] });
      await settle('cut');
      assert.deepEqual(await valuesOf(reader, 'cut', 'A'), [0, 1, 7]);
      assert.deepEqual(await valuesOf(reader, 'cut', 'C'), [8]);
      await assert.rejects(
        attempt(() => valuesOf(reader, 'cut', 'B')),
        refused('TAG_NOT_FOUND'),
      );
      await writer.deleteDataset('cut');
      await settle('cut');
      assert.ok(!reader.hasDataset('cut'));
    },
  },
  {
    name: 'a watch tells each point once and in order, and what corrections change',
    async run({ writer, reader, settle }) {
      await writeNumbers(writer, 'watched', { A: ramp(3) });
      await settle('watched');
      const seen: number[] = [];
      let corrected = 0;
      const onPoints: Parameters<Engine['watch']>[1] = ({ tag, points, start, count }) => {
        if (tag.name === 'A') seen.push(...points.numbers.subarray(start, start + count));
      };
      const watch = reader.watch('watched', onPoints, ({ tag }) => {
        if (tag.name === 'A') corrected++;
      });
      assert.ok(watch.isOn);
      // An engine that has to ask knows what is there only once it has asked.
      await waitFor(() => watch.position('A')?.ordinal === 3);
      await writeNumbers(writer, 'watched', { A: ramp(6).slice(3) });
      await correct(writer, 'watched', 'delete');
      await settle('watched');
      await waitFor(() => seen.length >= 3 && corrected > 0);
      assert.deepEqual(seen, [3, 4, 5]);
      watch.stop();
      assert.ok(!watch.isOn);
    },
  },
  {
    name: 'purge resolves, and a name that is not there is told as such by all that would write',
    async run({ reader }) {
      await reader.purge();
      for (const ask of writesTo(reader, 'not-there'))
        await assert.rejects(attempt(ask), refused('DATASET_NOT_FOUND'), String(ask));
    },
  },
];

const READ = { range: ALL, carryIn: false, skipMissing: false, limit: undefined, after: [] };

/** Writes that need a dataset. */
function writesTo(engine: Engine, name: string): (() => Promise<unknown>)[] {
  return [
    () => engine.deleteDataset(name),
    () => engine.renameTag(name, { from: 'A', to: 'B', forwards: false, keepMs: undefined }),
    () => engine.deleteTags(name, ['A']),
    () => engine.deletePoints(name, ['A'], { ms: MS, ticks: 0 }),
    () => engine.undoCorrection(name, 1, 'me', 'test'),
    () => engine.follow(name),
  ];
}

/** What an engine over copies refuses, and says where it is to be done. */
export function refusedByCopies(engine: Engine, name: string): readonly (() => Promise<unknown>)[] {
  const correction = { tag: 'A', kind: 'delete', range: undefined, batch: undefined, by: 'me', reason: '' } as const;
  const annotation = { start: { ms: MS, ticks: 0 }, end: undefined, text: 'x', tags: [] };
  return [
    ...writesTo(engine, name),
    () => engine.updateDataset({ name, ...RULES }),
    () => engine.forgetDeletion(name),
    () => engine.defineTags(name, [{ name: 'New' }]),
    () => writeNumbers(engine, name, { A: [{ ms: Date.now(), value: 1 }] }),
    () => engine.correct(name, { ...correction, isPreview: false }),
    () => engine.postStatus(name, [{ time: undefined, quality: 192 }]),
    () => engine.createAnnotation(name, annotation as never, 'me'),
    () => engine.changeAnnotation(name, 1, {} as never),
    () => engine.deleteAnnotation(name, 1, {} as never),
  ];
}

async function waitFor(isDone: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 10_000; !isDone(); ) {
    assert.ok(Date.now() < endMs, 'it does not come');
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}
