// Makes golden folders of the present version: those that are missing, or the ones named.
//
//   node --import tsx test/golden/make.ts [name …]
//
// A folder that was committed is never made again: it is what a released program has written. Bytes that change are a new
// version of the format, whose folders stand beside the old ones.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FORMAT_VERSION } from '../../engine/format/bytes/file-headers.ts';
import { CASES, type GoldenCase } from './cases.ts';
import { type GoldenFolder, goldenFolder } from './golden-folders.ts';
import { formatHolds } from './holds.ts';

async function make({ make, shows }: GoldenCase, folder: GoldenFolder): Promise<void> {
  const { files, holds } = await make();
  rmSync(folder.data, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    mkdirSync(dirname(`${folder.data}/${path}`), { recursive: true });
    writeFileSync(`${folder.data}/${path}`, bytes);
  }
  writeFileSync(folder.holdsFile, formatHolds({ shows, ...holds }));
  const sizeBytes = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  process.stdout.write(`version-${folder.version}/${folder.name}: ${files.size} files, ${sizeBytes} bytes\n`);
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !CASES.some((one) => one.name === name));
if (unknown.length > 0)
  throw new Error(`got ${unknown.join(', ')}; want some of ${CASES.map(({ name }) => name).join(', ')}`);
for (const one of CASES) {
  const folder = goldenFolder(FORMAT_VERSION, one.name);
  if (names.length > 0 ? names.includes(one.name) : !existsSync(folder.holdsFile)) await make(one, folder);
}
