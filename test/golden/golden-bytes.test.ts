// The same input gives the same bytes as when the golden folders of this version were made, file by file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FORMAT_VERSION } from '../../engine/format/bytes/file-headers.ts';
import { CASES } from './cases.ts';
import { type GoldenFolder, goldenFolder, listGoldenFolders, readFiles, readHolds } from './golden-folders.ts';
import { formatHolds, parseHolds } from './holds.ts';
import { unpackedForm } from './packed-forms.ts';

const ADVICE =
  'Folders that were written before must open in every later version: where the change is meant, raise FORMAT_VERSION, ' +
  'run `node --import tsx test/golden/make.ts`, and leave the folders of the version before as they are.';
/** Most bytes of all folders of a version. */
const MOST_BYTES = 4_000_000;

test('the folders of this version are those that are made', () => {
  const names = listGoldenFolders().filter(({ version }) => version === FORMAT_VERSION);
  assert.deepEqual(names.map(({ name }) => name).sort(), CASES.map(({ name }) => name).sort(), ADVICE);
});

test('docs/format.md has a table of all folders, and of no other', () => {
  const page = readFileSync(new URL('../../docs/format.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- golden -->\s*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| (\d+) \| `([^`]+)` \| (.*) \|$/gm)].map(([, ...cells]) => cells);
  const isThere = rows.map(([version, name]) => `${version} ${name}`).sort();
  assert.deepEqual(
    isThere,
    listGoldenFolders()
      .map(({ version, name }) => `${version} ${name}`)
      .sort(),
  );
  for (const { name, shows } of CASES)
    assert.ok(
      rows.some(([version, row, meaning]) => Number(version) === FORMAT_VERSION && row === name && meaning === shows),
      `the table does not say of ${name} what it shows: ${shows}`,
    );
});

test('the folders of all versions take no more than four megabytes', () => {
  const sizes = listGoldenFolders().map(sizeOf);
  const sizeBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(sizeBytes <= MOST_BYTES, `got ${sizeBytes} bytes; want ${MOST_BYTES} at most`);
});

for (const { name, shows, make } of CASES) {
  test(`what is made for ${name} is byte for byte what was committed`, async () => {
    const golden = goldenFolder(FORMAT_VERSION, name);
    const { files, holds } = await make();
    const committed = readFiles(golden.data);
    assert.deepEqual([...files.keys()].sort(), [...committed.keys()], ADVICE);
    for (const [path, bytes] of committed) assertSameBytes(path, files.get(path) as Uint8Array, bytes);
    assert.deepEqual(parseHolds(formatHolds({ shows, ...holds })), readHolds(golden));
  });
}

function assertSameBytes(path: string, made: Uint8Array, committed: Uint8Array): void {
  const got = unpackedForm(path, made);
  const want = unpackedForm(path, committed);
  if (Buffer.compare(got, want) === 0) return;
  const at = want.findIndex((byte, i) => byte !== got[i]);
  const place = at < 0 ? want.length : at;
  assert.fail(`${path} differs from byte ${place} on (${got.length} bytes; ${want.length} committed). ${ADVICE}`);
}

function sizeOf(golden: GoldenFolder): number {
  const files = [...readFiles(golden.data).values()].reduce((sum, bytes) => sum + bytes.length, 0);
  return files + readFileSync(golden.holdsFile).length;
}
