// A folder of file format version 1 opens, and goes on.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { checkUnusedFolder, openEngine } from '../../../engine/index.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const FIXTURE = new URL('../../golden/version-1/age-lifted/data/d', import.meta.url);

test('a folder of version 1 opens with its points, and a cutoff that its rules no longer set hides nothing new', async (context) => {
  const folder = makeTempFolder(context);
  cpSync(FIXTURE, `${folder}/d`, { recursive: true });
  const tunables = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15, diskReserveBytes: 0 };
  const open = () => openEngine({ folder, clock: new ManualClock(NOW_MS), tunables });
  let engine = await open();
  const valuesOf = async (tag: string) => (await readNumbers(engine, 'd', tag)).points.map(({ value }) => value);
  const left = Array.from({ length: 42 }, (_, i) => 19 + i);
  assert.deepEqual(await valuesOf('T'), left);
  assert.deepEqual(await valuesOf('U'), [1, 2]);
  assert.deepEqual(
    engine.tag('d', 'Units').units,
    new Map([
      [0, 'off'],
      [1, 'on'],
    ]),
  );
  assert.equal(engine.dataset('d').ageDays, 20.5);
  const old = Array.from({ length: 100 }, (_, i) => ({ ms: NOW_MS - 60 * DAY_MS + i, value: i }));
  assert.equal((await writeNumbers(engine, 'd', { New: old })).written, 100);
  await engine.close();
  engine = await open();
  assert.equal((await valuesOf('New')).length, 100);
  assert.deepEqual(await valuesOf('T'), left);
  await engine.close();
  assert.deepEqual(
    (await checkUnusedFolder(folder)).findings.filter(({ level }) => level !== 'info'),
    [],
  );
});
