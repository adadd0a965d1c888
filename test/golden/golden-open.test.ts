// Every golden folder, of whatever version, opens, is whole, and holds exactly what is written beside it; also once it has
// been closed again by this program.

import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkUnusedFolder, type Engine, HOLD_FILE, type Instant, openEngine } from '../../engine/index.ts';
import type { View } from '../../server/views/view.ts';
import { parseViewFile, VIEWS_FOLDER } from '../../server/views/view-file.ts';
import { writeNumbers } from '../support/engine-points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { listGoldenFolders, readHolds } from './golden-folders.ts';
import { type HeldDataset, type HeldTags, type Holds, readHeldDataset } from './holds.ts';
import { parseInstant } from './notation.ts';
import { GOLDEN_TUNABLES } from './scenario.ts';

/** A search that finds nothing must not pass. */
const FEWEST_FOLDERS = 18;

const folders = listGoldenFolders();

test('there are golden folders', () => {
  assert.ok(folders.length >= FEWEST_FOLDERS, `got ${folders.length}; want ${FEWEST_FOLDERS} or more`);
});

for (const golden of folders) {
  test(`the golden folder ${golden.name} of version ${golden.version} opens and holds what it should`, async (context) => {
    const holds = readHolds(golden);
    const folder = `${makeTempFolder(context)}/data`;
    copy(golden.data, folder);
    assert.deepEqual(await findingsOf(folder), holds.findings);
    assertViews(folder, holds.views ?? []);
    for (const turn of ['first', 'second'] as const) {
      const engine = await open(folder, holds);
      try {
        await assertHolds(engine, holds, turn);
      } finally {
        await engine.close();
      }
      assert.deepEqual(await findingsOf(folder), holds.findings, `after the ${turn} close`);
    }
  });
}

/** With a HOLD in each dataset: a real disk counts sizes in its own way, and purge by size would take more. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to)) if (!name.startsWith('.')) writeFileSync(`${to}/${name}/${HOLD_FILE}`, '');
}

async function findingsOf(folder: string): Promise<string[]> {
  const { findings } = await checkUnusedFolder(folder);
  return findings.filter(({ level }) => level !== 'info').map(({ level, path }) => `${level} ${path}`);
}

/** A minute later than the folder was left. */
function open(folder: string, holds: Holds): Promise<Engine> {
  const clock = new ManualClock(parseInstant(holds.now).ms + 60_000);
  return openEngine({ folder, clock, tunables: GOLDEN_TUNABLES });
}

async function assertHolds(engine: Engine, holds: Holds, turn: string): Promise<void> {
  assert.deepEqual(engine.stats().unavailable, []);
  for (const name of holds.deleted ?? []) await assertDeleted(engine, name);
  const names = engine.datasets().map(({ name }) => name);
  assert.deepEqual(names.sort(), Object.keys(holds.datasets).sort());
  for (const [name, wanted] of Object.entries(holds.datasets))
    assertSameDataset(await readHeldDataset(engine, name, endOf(holds)), wanted, `${turn} start, ${name}`);
}

/** A write does not bring it back, as one to another dataset would. */
async function assertDeleted(engine: Engine, name: string): Promise<void> {
  await assert.rejects(writeNumbers(engine, name, { T: [{ ms: 0, value: 1 }] }), { code: 'DATASET_DELETED' });
}

function assertViews(folder: string, views: readonly View[]): void {
  for (const view of views) {
    const bytes = readFileSync(`${folder}/${VIEWS_FOLDER}/${view.head.id}.json`);
    assert.deepEqual(parseViewFile(bytes, view.head.id), view);
  }
}

function endOf({ now }: Holds): Instant {
  return parseInstant(now);
}

/** Tag by tag, so that a failure names one and prints no more. */
function assertSameDataset(got: HeldDataset, want: HeldDataset, where: string): void {
  assert.deepEqual(got.rules, want.rules, where);
  assertSameTags(got.tags, want.tags, where);
  assert.deepEqual(got.annotations, want.annotations, where);
  assertSameTags(got.system, want.system, `${where}, system tags`);
}

function assertSameTags(got: HeldTags, want: HeldTags, where: string): void {
  assert.deepEqual(Object.keys(got), Object.keys(want), where);
  for (const [name, tag] of Object.entries(want)) assert.deepEqual(got[name], tag, `${where}, ${name}`);
}
