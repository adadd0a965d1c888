// What a disk holds after a power cut: everything synced, and of the rest as much as the mode says or chance keeps.

import {
  DirectoryNode,
  directoriesOf,
  type EntryChange,
  type FileChange,
  FileNode,
  type Image,
  type Node,
} from './memory-disk.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What becomes of the unsynced changes of a file. */
export type ContentMode =
  /** All are gone. */
  | 'nothing'
  /** All are there, as after kill -9. */
  | 'everything'
  /** Some of the first, and the next one perhaps torn anywhere. */
  | 'prefix'
  /** Each sector as it was at some moment, with or without the size that the changes led to. */
  | 'sectors'
  /** The file has its size, and zeros where the changes were. */
  | 'sizes';

/** What becomes of the unsynced changes of a directory. A rename is whole or absent. */
export type EntryMode = 'nothing' | 'everything' | 'prefix' | 'subset';

export interface PowerCut {
  /** `any`: by chance, for each file. */
  readonly content: ContentMode | 'any';
  /** `any`: by chance, for the whole disk. */
  readonly entries: EntryMode | 'any';
  readonly random: SeededRandom;
}

type WriteChange = FileChange & { readonly kind: 'write' };

const SECTOR_BYTES = 512;
const CONTENT_MODES: readonly ContentMode[] = ['nothing', 'everything', 'prefix', 'sectors', 'sizes'];
const ENTRY_MODES: readonly EntryMode[] = ['nothing', 'everything', 'prefix', 'subset'];

/** The tree below `root` as it is after the cut, all of it durable. Takes nothing from the original. */
export function cutPower(root: DirectoryNode, cut: PowerCut): DirectoryNode {
  const entryMode = cut.entries === 'any' ? cut.random.pick(ENTRY_MODES) : cut.entries;
  const keeps = chooseEntryChanges(entryMode, cut.random);
  const copies = new Map<Node, Node>();
  const copy = (node: Node): Node => {
    let made = copies.get(node);
    if (made === undefined) {
      made = node.kind === 'file' ? copyFile(node, cut) : new DirectoryNode(node.modifiedMs);
      copies.set(node, made);
      if (node.kind === 'directory') fillDirectory(made as DirectoryNode, survivingEntries(node, keeps), copy);
    }
    return made;
  };
  return copy(root) as DirectoryNode;
}

function fillDirectory(directory: DirectoryNode, entries: Map<string, Node>, copy: (node: Node) => Node): void {
  for (const [name, node] of entries) {
    const made = copy(node);
    directory.current.set(name, made);
    directory.durable.set(name, made);
  }
}

function survivingEntries(directory: DirectoryNode, keeps: (change: EntryChange) => boolean): Map<string, Node> {
  const entries = new Map(directory.durable);
  for (const change of directory.unsynced) {
    if (!keeps(change)) continue;
    for (const removed of change.removes) if (removed.directory === directory) entries.delete(removed.name);
    for (const added of change.adds) if (added.directory === directory) entries.set(added.name, added.node);
  }
  return entries;
}

/** A decision on every change, the same one each time it is asked for. */
function chooseEntryChanges(mode: EntryMode, random: SeededRandom): (change: EntryChange) => boolean {
  if (mode !== 'prefix') {
    const probability = { nothing: 0, everything: 1, subset: random.unit() }[mode];
    return remember(() => random.chance(probability));
  }
  const keptCount = remember((directory: DirectoryNode) => random.between(0, directory.unsynced.length));
  return (change) =>
    [...directoriesOf(change)].every((directory) => directory.unsynced.indexOf(change) < keptCount(directory));
}

function remember<K, V>(decide: (key: K) => V): (key: K) => V {
  const decisions = new Map<K, V>();
  return (key) => {
    let decision = decisions.get(key);
    if (decision === undefined) {
      decision = decide(key);
      decisions.set(key, decision);
    }
    return decision;
  };
}

function copyFile(file: FileNode, cut: PowerCut): FileNode {
  const mode = cut.content === 'any' ? cut.random.pick(CONTENT_MODES) : cut.content;
  return new FileNode(file.modifiedMs, survivingImage(file, mode, cut.random));
}

function survivingImage(file: FileNode, mode: ContentMode, random: SeededRandom): Image {
  const image = file.durable.clone();
  switch (mode) {
    case 'nothing':
      break;
    case 'everything':
      for (const change of file.unsynced) image.apply(change);
      break;
    case 'prefix':
      applyPrefix(image, file.unsynced, random);
      break;
    case 'sectors':
      applySectors(image, file.unsynced, random);
      break;
    case 'sizes':
      for (const change of file.unsynced) {
        image.resize(change.kind === 'truncate' ? change.sizeBytes : Math.max(image.sizeBytes, endOf(change)));
      }
      break;
  }
  return image;
}

function applyPrefix(image: Image, changes: readonly FileChange[], random: SeededRandom): void {
  const wholeCount = random.between(0, changes.length);
  for (const change of changes.slice(0, wholeCount)) image.apply(change);
  const torn = changes[wholeCount];
  if (torn?.kind !== 'write' || random.chance(0.3)) return;
  image.apply({ ...torn, bytes: torn.bytes.subarray(0, random.between(0, torn.bytes.length)) });
}

/** Each sector is as it was after some of the changes that touch it: none, the first, the first two… */
function applySectors(image: Image, changes: readonly FileChange[], random: SeededRandom): void {
  const keepsOf = new Map<number, () => boolean>();
  const probability = random.unit();
  for (const change of changes) {
    if (change.kind === 'truncate') {
      if (random.chance(0.5)) image.apply(change);
      continue;
    }
    for (const part of splitBySector(change)) {
      const sector = Math.floor(part.offset / SECTOR_BYTES);
      const keeps = keepsOf.get(sector) ?? keepUntilFirstLoss(random, probability);
      keepsOf.set(sector, keeps);
      if (keeps()) image.apply(part);
    }
    // The size is metadata, which may have reached the disk without the last sectors.
    if (random.chance(0.5)) image.resize(Math.max(image.sizeBytes, endOf(change)));
  }
}

function keepUntilFirstLoss(random: SeededRandom, probability: number): () => boolean {
  let isKept = true;
  return () => {
    isKept &&= random.chance(probability);
    return isKept;
  };
}

function splitBySector(change: WriteChange): WriteChange[] {
  const parts: WriteChange[] = [];
  for (let start = change.offset; start < endOf(change); ) {
    const end = Math.min(endOf(change), (Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    const bytes = change.bytes.subarray(start - change.offset, end - change.offset);
    parts.push({ kind: 'write', offset: start, bytes });
    start = end;
  }
  return parts;
}

function endOf(change: WriteChange): number {
  return change.offset + change.bytes.length;
}
