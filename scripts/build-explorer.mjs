// Builds the Explorer page into server/explorer/dist, with every file packed beside it, when its sources have changed
// since the last build. The server takes the files from there as they are.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectFolder } from './dependencies.mjs';

const sourceFolder = join(projectFolder, 'server', 'explorer');
const builtFolder = join(sourceFolder, 'dist');
const STAMP_NAME = '.sources-hash';
const PACKED = /\.(html|js|css|svg)$/;

const hash = sourcesHash();
if (builtHash() !== hash) await build();

async function build() {
  const startMs = performance.now();
  const folder = `${builtFolder}-${process.pid}`;
  const { build: runVite } = await import('vite');
  try {
    await runVite(viteConfig(folder));
    for (const path of filesOf(folder)) if (PACKED.test(path)) packFile(path);
    writeFileSync(join(folder, STAMP_NAME), hash);
    replaceFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.error(`The Explorer page was built in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
}

function viteConfig(outDir) {
  return {
    configFile: false,
    root: sourceFolder,
    base: '/explorer/',
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
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}

/** Other processes may build at the same time; whoever comes last is right as well. */
function replaceFolder(folder) {
  const old = `${folder}-old`;
  mkdirSync(builtFolder, { recursive: true });
  renameSync(builtFolder, old);
  try {
    renameSync(folder, builtFolder);
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function packFile(path) {
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function sourcesHash() {
  const sum = createHash('sha256');
  const paths = filesOf(sourceFolder).filter((path) => !relative(sourceFolder, path).startsWith('dist'));
  for (const path of [...paths, join(projectFolder, 'package-lock.json'), import.meta.filename]) {
    sum.update(relative(projectFolder, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return sum.digest('hex');
}

function builtHash() {
  const path = join(builtFolder, STAMP_NAME);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
