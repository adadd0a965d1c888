// `npm run package check-image`: what the container's image would hold, checked without a container; see image-tree.mjs.

import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { imageFacts } from './image-facts.mjs';
import { buildImageTree, filesBelow } from './image-tree.mjs';

ensureDependencies();
const folder = mkdtempSync(join(tmpdir(), 'varve-image-'));
try {
  const image = buildImageTree(folder);
  const sizes = filesBelow(image.root).map((path) => lstatSync(join(image.root, path)).size);
  const megabytes = (sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1);
  console.log(`On top of ${image.base}: ${sizes.length} files, ${megabytes} MB`);
  for (const [fact, holds] of imageFacts(image)) {
    console.log(`${holds ? 'ok    ' : 'FAILED'} ${fact}`);
    if (!holds) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
