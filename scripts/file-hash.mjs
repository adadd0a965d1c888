// Files as one hash: how a build knows whether it is of the present sources.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from './dependencies.mjs';

/** Paths of all files below a folder, sorted. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Hash of the paths of files in the project and of their bytes, in the order given. */
export function hashOfFiles(paths) {
  const sum = createHash('sha256');
  for (const path of paths)
    sum.update(relative(projectFolder, path)).update('\0').update(readFileSync(path)).update('\0');
  return sum.digest('hex');
}

/** A hash of their paths in the project, sizes and times of change: quick, and another one where a file was written anew. */
export function hashOfChanges(paths) {
  const sum = createHash('sha256');
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    sum.update(`${relative(projectFolder, path)}\0${size}\0${mtimeMs}\0`);
  }
  return sum.digest('hex');
}
