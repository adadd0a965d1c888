// The golden folders hold every kind of thing that the code of the format knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_VERSION } from '../../engine/format/bytes/file-headers.ts';
import { type GoldenFolder, listGoldenFolders, readFiles } from './golden-folders.ts';
import { seeFile } from './kinds/file-kinds.ts';
import { SeenKinds } from './kinds/kinds.ts';

/** Kinds that are read and no longer written. */
const FORMER_KINDS = ['catalogRecord FormerTags', 'catalogRecord UntimedTags'];
/** Kinds that depend on the machine's time and load, which no golden folder does: system tags other than `State` and `Status`. */
const UNREPEATABLE_KINDS: readonly string[] = ['datasetField systemPurgedBeforeMs'];

const folders = listGoldenFolders();

function kindsIn(golden: readonly GoldenFolder[]): SeenKinds {
  const seen = new SeenKinds();
  for (const { data } of golden) for (const [path, bytes] of readFiles(data)) seeFile(seen, path, bytes);
  return seen;
}

test('the folders of this version hold every kind that is written', () => {
  const seen = kindsIn(folders.filter(({ version }) => version === FORMAT_VERSION));
  assert.deepEqual(seen.missing(), [...FORMER_KINDS, ...UNREPEATABLE_KINDS]);
});

test('the folders of all versions hold every kind that is read', () => {
  const seen = kindsIn(folders);
  assert.deepEqual(seen.missing(), UNREPEATABLE_KINDS);
  assert.deepEqual(seen.unknown(), []);
});

test('a kind that no folder holds is missed', () => {
  const some = folders.filter(({ name }) => name === 'texts' || name === 'journal');
  const missing = kindsIn(some).missing();
  assert.ok(missing.includes('packer Entropy'));
  assert.ok(missing.includes('catalogFileFlag Missing'));
  assert.ok(!missing.includes('operation Cut'));
});
