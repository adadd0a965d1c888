// A folder of file format version 2, whose journal has no plain runs, opens, and goes on.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { checkUnusedFolder, type Engine, openEngine } from '../../../engine/index.ts';
import { readPoints } from '../../model/points.ts';
import { EVERYTHING, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const FIXTURE = new URL('../../golden/version-2/killed/data/d', import.meta.url);
const TEMPERATURES = [
  ...Array.from({ length: 210 }, (_, i) => Math.round(2000 + ((i * 7) % 300)) / 100),
  ...[0.1, -0, Math.PI, null],
];

test('a folder of version 2 opens with its points, takes more of them, and is whole', async (context) => {
  const folder = makeTempFolder(context);
  cpSync(FIXTURE, `${folder}/d`, { recursive: true });
  const tunables = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15, diskReserveBytes: 0 };
  const open = (): Promise<Engine> =>
    openEngine({ folder, clock: new ManualClock(START_MS + 300 * MINUTE_MS), tunables });
  let engine = await open();
  const temperatures = async () => (await readNumbers(engine, 'd', 'Temp')).points.map(({ value }) => value);
  assert.deepEqual(await temperatures(), TEMPERATURES);
  const request = { range: EVERYTHING, carryIn: false, skipMissing: false, limit: undefined, after: [] };
  const others = async (tag: string) =>
    (await readPoints(engine, 'd', { tags: [tag], ...request })).flatMap(({ points }) =>
      points.map(({ value }) => value),
    );
  assert.deepEqual(await others('Count'), [1n, 2n, 9_007_199_254_740_993n]);
  assert.deepEqual(await others('State'), ['on', 'off']);
  const more = [{ ms: START_MS + 250 * MINUTE_MS, value: 12.5 }];
  assert.equal((await writeNumbers(engine, 'd', { Temp: more })).written, 1);
  await engine.close();
  engine = await open();
  assert.deepEqual(await temperatures(), [...TEMPERATURES, 12.5]);
  await engine.close();
  assert.deepEqual(
    (await checkUnusedFolder(folder)).findings.filter(({ level }) => level !== 'info'),
    [],
  );
});
