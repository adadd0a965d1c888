// A disk as a plain map of files: taken from a Vfs in memory, damaged, and made into a new one.

import { MemoryVfs } from '../support/memory-vfs.ts';

/** Bytes by path; folders that hold no file are not in it. */
export type DiskImage = ReadonlyMap<string, Uint8Array>;

export function takeImage(vfs: MemoryVfs): DiskImage {
  return new Map(vfs.files().map((path) => [path, vfs.content(path)]));
}

/** A disk with these files. */
export function diskOf(image: DiskImage): MemoryVfs {
  const vfs = new MemoryVfs();
  const made = new Set<string>();
  for (const [path, bytes] of image) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!made.has(folder)) vfs.makeDirectorySync(folder);
    made.add(folder);
    const file = vfs.openSync(path, 'write');
    if (bytes.length > 0) file.writeSync(bytes, 0);
    file.closeSync();
  }
  return vfs;
}

/** The image with one file replaced; undefined takes it away. */
export function withFile(image: DiskImage, path: string, bytes: Uint8Array | undefined): DiskImage {
  const changed = new Map(image);
  if (bytes === undefined) changed.delete(path);
  else changed.set(path, bytes);
  return changed;
}

/** The image with only the files that a test of their path keeps. */
export function keepFiles(image: DiskImage, keep: (path: string) => boolean): DiskImage {
  return new Map([...image].filter(([path]) => keep(path)));
}
