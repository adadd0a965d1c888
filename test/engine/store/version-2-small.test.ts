// A folder of file format version 2, with a catalog and a spill that are not packed, opens, and goes on in the present one.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FORMAT_VERSION } from '../../../engine/format/bytes/file-headers.ts';
import { checkUnusedFolder, openEngine } from '../../../engine/index.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const FIXTURE = new URL('../../golden/version-2/short-tags/data/d', import.meta.url);
const VERSION_OFFSET = 4;

test('a folder of version 2 with many short tags opens with its points, and what is written next to its spill is of the present version', async (context) => {
  const folder = makeTempFolder(context);
  cpSync(FIXTURE, `${folder}/d`, { recursive: true });
  mkdirSync(`${folder}/d/journal`, { recursive: true });
  const tunables = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15, diskReserveBytes: 0 };
  const open = () => openEngine({ folder, clock: new ManualClock(NOW_MS), tunables });
  const versionOf = (path: string): number => readFileSync(`${folder}/d/${path}`).readUInt32LE(VERSION_OFFSET);
  assert.equal(versionOf('spill/0000000001'), 2);
  assert.equal(versionOf('catalog'), 2);
  let engine = await open();
  const valuesOf = async (tag: string) => (await readNumbers(engine, 'd', tag)).points.map(({ value }) => value);
  const verify = async () => {
    for (let n = 0; n < 20; n++)
      assert.deepEqual(await valuesOf(`Short${n}`), [n, n + 0.25, n + 0.5, n + 0.75, n + 1, n + 1.25]);
    assert.deepEqual(
      await valuesOf('Long'),
      Array.from({ length: 200 }, (_, i) => i),
    );
  };
  await verify();
  assert.equal((await writeNumbers(engine, 'd', { New: [{ ms: NOW_MS, value: 7 }] })).written, 1);
  await engine.close();
  assert.equal(versionOf('catalog'), FORMAT_VERSION);
  engine = await open();
  await verify();
  assert.deepEqual(await valuesOf('New'), [7]);
  await engine.close();
  assert.deepEqual(
    (await checkUnusedFolder(folder)).findings.filter(({ level }) => level !== 'info'),
    [],
  );
});
