// The files of the container's image without a container: carries out the steps of the Dockerfile in a folder, as far as
// that goes. A base image gives nothing; `npm ci` is what is installed here; ownership is noted and not changed.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectFolder } from './dependencies.mjs';

/** Folders of an image that its steps write to; below the root of a stage here. */
const WRITTEN = /(?<![\w.-])\/(opt|var|usr\/local|source)\b/g;

/**
 * Gives the last stage: `root` (its files), `settings` (instructions that only say something, by name, the last of each),
 * and `owners` (the words of each chown).
 */
export function buildImageTree(folder) {
  const stages = new Map();
  let stage;
  for (const { name, words } of readInstructions()) {
    if (name === 'FROM') {
      stage = newStage(folder, stages.size, words);
      stages.set(words.split(' AS ')[1] ?? stages.size, stage);
    } else if (name === 'COPY') copy(stage, stages, words.split(/\s+/));
    else if (name === 'RUN') run(stage, words);
    else stage.settings[name] = words;
    if (name === 'WORKDIR') mkdirSync(join(stage.root, words), { recursive: true });
  }
  return stage;
}

function newStage(folder, number, words) {
  const root = join(folder, `stage-${number}`);
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  return { root, base: words.split(' ')[0], settings: { WORKDIR: '/' }, owners: [] };
}

function readInstructions() {
  const text = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => ({ name: line.split(' ')[0], words: line.slice(line.indexOf(' ') + 1) }));
}

function copy(stage, stages, words) {
  const [first] = words;
  const target = join(stage.root, join(words.at(-1).startsWith('/') ? '/' : stage.settings.WORKDIR, words.at(-1)));
  if (first.startsWith('--from=')) {
    cpSync(join(stages.get(first.slice('--from='.length)).root, words[1]), target, { recursive: true });
    return;
  }
  const isLetThrough = readDockerIgnore();
  const filter = (path) => path === projectFolder || isLetThrough(relative(projectFolder, path));
  for (const source of words.slice(0, -1)) {
    const path = join(projectFolder, source);
    const isFolder = lstatSync(path).isDirectory();
    cpSync(path, isFolder ? target : join(target, source), { recursive: true, filter });
  }
}

/** The few forms that the file has: all is left out, `!name` lets through again, `path*` leaves out below that. */
function readDockerIgnore() {
  const lines = readFileSync(join(projectFolder, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const again = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const out = lines.filter((line) => line.endsWith('*') && line !== '*').map((line) => line.slice(0, -1));
  if (lines[0] !== '*' || again.length + out.length + 1 !== lines.length)
    throw new Error('.dockerignore has a form that is not known here');
  return (path) => again.includes(path.split('/')[0]) && !out.some((start) => path.startsWith(start));
}

/** Runs a step with the written folders below the stage's root. */
function run(stage, words) {
  const cwd = join(stage.root, stage.settings.WORKDIR);
  if (words.startsWith('npm ci')) {
    symlinkSync(join(projectFolder, 'node_modules'), join(cwd, 'node_modules'));
    return;
  }
  const tools = mkdtempSync(join(tmpdir(), 'varve-image-'));
  const noted = join(tools, 'noted');
  writeFileSync(join(tools, 'chown'), `#!/bin/sh\necho "$*" >> ${noted}\n`, { mode: 0o755 });
  writeFileSync(noted, '');
  // A link holds the path that it has in the image.
  const command = words.startsWith('ln -s')
    ? words.replace(/ (\S+)$/, ` ${stage.root}$1`)
    : words.replaceAll(WRITTEN, `${stage.root}$&`);
  const { status } = spawnSync('sh', ['-c', command], {
    cwd,
    env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const lines = readFileSync(noted, 'utf8').replaceAll(stage.root, '').split('\n');
  stage.owners.push(...lines.filter((line) => line !== ''));
  rmSync(tools, { recursive: true, force: true });
  if (status !== 0) throw new Error(`this step of the Dockerfile fails: ${words}`);
}

/** Paths of all files and links below a folder, relative to it. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}
