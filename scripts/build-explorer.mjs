// Builds the Explorer page into server/explorer/dist, with every file packed beside it, when its sources have changed
// since the last build. The server takes the files from there as they are.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectFolder } from './dependencies.mjs';
import {
  builtExplorerFolder,
  explorerFolder,
  explorerSourcesHash,
  isExplorerBuilt,
  STAMP_NAME,
} from './explorer-sources.mjs';
import { filesBelow } from './file-hash.mjs';

const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
const PACKED = /\.(html|js|css|svg)$/;

if (!isExplorerBuilt()) await build();

async function build() {
  const startMs = performance.now();
  const folder = `${builtExplorerFolder}-${process.pid}`;
  const hash = explorerSourcesHash();
  const { build: runVite } = await import('vite');
  try {
    await runVite(viteConfig(folder));
    for (const path of filesBelow(folder)) if (PACKED.test(path)) packFile(path);
    writeFileSync(join(folder, STAMP_NAME), hash);
    if (!isExplorerBuilt()) replaceFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.error(`The Explorer page was built in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
}

function viteConfig(outDir) {
  return {
    configFile: false,
    root: explorerFolder,
    base: '/explorer/',
    define: { VARVE_VERSION: JSON.stringify(version) },
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      assetsDir: '',
      emptyOutDir: true,
      target: 'es2022',
      // A page whose policy allows no inline content: everything is a file of its own.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // The page names all that it begins with; a dialog asks for what it needs itself.
        resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
      },
      reportCompressedSize: false,
      // What the page begins with is one file, also where parts that are loaded later share it.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
    },
  };
}

/** Other processes may build at the same time; whoever comes last is right as well. */
function replaceFolder(folder) {
  const old = `${folder}-old`;
  mkdirSync(builtExplorerFolder, { recursive: true });
  renameSync(builtExplorerFolder, old);
  try {
    renameSync(folder, builtExplorerFolder);
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function packFile(path) {
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}
