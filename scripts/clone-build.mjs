// What a clone runs: its sources as JavaScript, built when they have changed, kept below node_modules by their times of change.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, runNode } from './dependencies.mjs';
import { builtExplorerFolder, explorerFolder, STAMP_NAME } from './explorer-sources.mjs';
import { filesBelow, hashOfChanges } from './file-hash.mjs';
import { PROGRAM_FOLDERS } from './source-folders.mjs';

const cacheFolder = join(projectFolder, 'node_modules', '.cache', 'varve');
const SOURCE_FILES = ['package.json', 'package-lock.json'];
/** Another one when the sources have changed while they were built. */
const TRIES = 3;
/** Builds that stay: a server that still runs may load a module of the one that it was started from. */
const KEPT_BUILDS = 10;
/** A build under way takes a second or two; one of an hour ago was broken off. */
const BROKEN_OFF_MS = 3_600_000;

/** The folder of the build of the present sources, made now when there is none; undefined when that fails, which was said. */
export function ensureBuilt() {
  let failed;
  for (let round = 0; round < TRIES; round++) {
    const hash = sourcesHash();
    if (hash === failed) break;
    const folder = join(cacheFolder, hash);
    if (existsSync(folder)) {
      markUsed(folder);
      return folder;
    }
    runNode(['scripts/build-clone.mjs']);
    if (existsSync(folder)) return folder;
    failed = hash;
  }
  console.error('It runs from its sources instead, which is slower.');
  return undefined;
}

/** Makes the build of the present sources by `write`, which gets an empty folder. Others may do the same at the same time. */
export async function makeBuild(write) {
  const hash = sourcesHash();
  const temporary = join(cacheFolder, `new-${process.pid}-${hash}`);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  try {
    await write(temporary);
    if (sourcesHash() !== hash) throw new Error('the sources changed while they were built');
    putInPlace(temporary, join(cacheFolder, hash));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  removeOld();
}

function putInPlace(temporary, folder) {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else somebody was faster with the same
  }
}

/** All files of the program's folders count; of the Explorer page the stamp of its build does. */
function sourcesHash() {
  const paths = PROGRAM_FOLDERS.flatMap((name) => filesBelow(join(projectFolder, name)));
  const ownPaths = paths.filter((path) => !path.startsWith(explorerFolder));
  const stamp = join(builtExplorerFolder, STAMP_NAME);
  const files = SOURCE_FILES.map((name) => join(projectFolder, name));
  return hashOfChanges([...ownPaths, ...files, ...(existsSync(stamp) ? [stamp] : [])]).slice(0, 32);
}

/** It only keeps the build from being removed, which a read-only clone does not need. */
function markUsed(folder) {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {}
}

function removeOld() {
  const found = readdirSync(cacheFolder).map((name) => ({ name, usedMs: lastUseMs(name) }));
  const builds = found.filter(({ name }) => !name.startsWith('new-')).sort((a, b) => b.usedMs - a.usedMs);
  const brokenOff = found.filter(({ name, usedMs }) => name.startsWith('new-') && Date.now() - usedMs > BROKEN_OFF_MS);
  for (const { name } of [...builds.slice(KEPT_BUILDS), ...brokenOff])
    rmSync(join(cacheFolder, name), { recursive: true, force: true });
}

/** 0 when somebody else has removed it meanwhile. */
function lastUseMs(name) {
  return statSync(join(cacheFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
