// The age of a dataset's oldest readable point, and its counts, over removals, purges, restarts and kills.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../engine/index.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const LONG_AGO = { ms: Date.UTC(2000, 0, 1), ticks: 0 };

interface Case {
  readonly title: string;
  readonly work: (engine: Engine) => Promise<unknown>;
  readonly ageDays: number;
  readonly tagCount: number;
}

function write(engine: Engine, tag: string, ...agesDays: readonly number[]): Promise<unknown> {
  const points = agesDays.map((days) => ({ ms: NOW_MS - days * DAY_MS, value: days }));
  return writeNumbers(engine, 'd', { [tag]: points });
}

async function writeOld(engine: Engine): Promise<void> {
  await write(engine, 'Old', 60);
  await write(engine, 'Old', 50);
}

function setAge(engine: Engine, purgeAgeDays: number): Promise<unknown> {
  return engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0 });
}

const CASES: readonly Case[] = [
  {
    title: 'all points of a tag were removed',
    work: async (engine) => {
      await writeOld(engine);
      await engine.deletePoints('d', ['Old'], LONG_AGO);
    },
    ageDays: 0,
    tagCount: 1,
  },
  {
    title: 'all points of a tag were removed and others came',
    work: async (engine) => {
      await writeOld(engine);
      await engine.deletePoints('d', ['Old'], LONG_AGO);
      await write(engine, 'Old', 10, 5);
    },
    ageDays: 10,
    tagCount: 1,
  },
  {
    title: 'the later points of a tag were removed and others came',
    work: async (engine) => {
      await writeOld(engine);
      await engine.deletePoints('d', ['Old'], { ms: NOW_MS - 55 * DAY_MS, ticks: 0 });
      await write(engine, 'Old', 10);
    },
    ageDays: 60,
    tagCount: 1,
  },
  {
    title: 'the points of one of two tags were removed',
    work: async (engine) => {
      await writeOld(engine);
      await write(engine, 'New', 3);
      await engine.deletePoints('d', ['Old'], LONG_AGO);
    },
    ageDays: 3,
    tagCount: 2,
  },
  {
    title: 'a tag was deleted',
    work: async (engine) => {
      await writeOld(engine);
      await write(engine, 'New', 3);
      await engine.deleteTags('d', ['Old']);
    },
    ageDays: 3,
    tagCount: 1,
  },
  {
    title: 'a tag was deleted and created again',
    work: async (engine) => {
      await writeOld(engine);
      await engine.deleteTags('d', ['Old']);
      await write(engine, 'Old', 7);
    },
    ageDays: 7,
    tagCount: 1,
  },
  {
    title: 'a purge took the oldest points',
    work: async (engine) => {
      await write(engine, 'T', ...Array.from({ length: 61 }, (_, i) => 60 - i));
      await setAge(engine, 20);
      await engine.purge();
    },
    ageDays: 20,
    tagCount: 1,
  },
  {
    title: 'a purge took the oldest points and its rule was lifted',
    work: async (engine) => {
      await write(engine, 'T', ...Array.from({ length: 61 }, (_, i) => 60 - i));
      await setAge(engine, 20);
      await engine.purge();
      await setAge(engine, 0);
      await write(engine, 'New', 40);
    },
    ageDays: 40,
    tagCount: 2,
  },
  {
    title: 'all that a purge had left was removed',
    work: async (engine) => {
      await write(engine, 'T', ...Array.from({ length: 61 }, (_, i) => 60 - i));
      await setAge(engine, 20);
      await engine.purge();
      await engine.deletePoints('d', ['T'], LONG_AGO);
      await write(engine, 'T', 15);
    },
    ageDays: 15,
    tagCount: 1,
  },
  {
    title: 'the newest points lie ahead',
    work: (engine) => write(engine, 'T', -1),
    ageDays: 0,
    tagCount: 1,
  },
];

for (const { title, work, ageDays, tagCount } of CASES) {
  for (const blockPoints of [4, 3072]) {
    test(`age and tag count are the same before and after a kill and a restart when ${title} (blocks of ${blockPoints})`, async () => {
      const tunables = { blockPoints, headLimitBytes: blockPoints * 24, systemTagIntervalMs: 0, purgeIntervalMs: 1e15 };
      const plant = new KillablePlant(NOW_MS, { ...tunables, diskReserveBytes: 0, tagFileBytes: 200 });
      const engine = await plant.open();
      await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
      await work(engine);
      const figures = (present: Engine): number[] => {
        const { ageDays: age, tagCount: tags } = present.dataset('d');
        return [age, tags];
      };
      assert.deepEqual(figures(engine), [ageDays, tagCount]);
      assert.deepEqual(figures(await plant.kill()), [ageDays, tagCount], 'after a kill');
      const again = await plant.reopen();
      assert.deepEqual(figures(again), [ageDays, tagCount], 'after a restart');
      await again.close();
    });
  }
}
