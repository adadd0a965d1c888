// A disk as a plain map of files: taken from a Vfs in memory, damaged, and made into a new one.

import { DirectoryNode, FileNode, Image } from '../support/memory-disk.ts';
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

/** A disk over the very bytes of the image: what is changed in them shows, until the disk's own writes make a copy. */
export function lentDiskOf(image: DiskImage): MemoryVfs {
  const root = new DirectoryNode(0);
  for (const [path, bytes] of image) {
    const [name, ...folders] = path.split('/').reverse() as [string, ...string[]];
    let directory = root;
    for (const folder of folders.reverse()) directory = folderIn(directory, folder);
    addNode(directory, name, new FileNode(0, Image.over(bytes)));
  }
  return new MemoryVfs({}, root);
}

function folderIn(directory: DirectoryNode, name: string): DirectoryNode {
  const known = directory.current.get(name);
  if (known?.kind === 'directory') return known;
  const made = new DirectoryNode(0);
  addNode(directory, name, made);
  return made;
}

function addNode(directory: DirectoryNode, name: string, node: FileNode | DirectoryNode): void {
  directory.current.set(name, node);
  directory.durable.set(name, node);
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
