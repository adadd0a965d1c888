// Names of all files of a copy, below its target:
//
//   <dataset>/<identity>/dataset.json                        the newest document of the dataset
//   <dataset>/<identity>/tags/<range>.json                   documents of tags, 1,000 ids in a file
//   <dataset>/<identity>/ordinals/<range>.json               where the points of these tags go on
//   <dataset>/<identity>/points/<range>/<day>/<ordinals>.parquet
//
// Nothing else puts a path together.

import { createHash } from 'node:crypto';
import type { CopiedDataset } from '../sink.ts';

/** Ids of tags in a range, and so what a file of documents holds at most. */
export const TAGS_A_RANGE = 1000;

/** Ordinals `[from, to)` of a tag. */
export interface OrdinalSpan {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
}

const ENDING = '.parquet';
const HASH_DIGITS = 20;

/** The folder of a dataset: its name, escaped by UTF-8 bytes where it is not of letters, digits, `_`, `-` and inner dots. */
export function folderOf({ name, identity }: CopiedDataset): string {
  return `${escapeName(name)}/${identity}`;
}

/** Whether a folder below the target can be that of a dataset: others, such as `lost+found`, are left alone. */
export function isNameFolder(folder: string): boolean {
  try {
    return escapeName(decodeURIComponent(folder)) === folder;
  } catch {
    return false;
  }
}

export function isIdentityFolder(folder: string): boolean {
  return /^[0-9a-f]{32}$/.test(folder);
}

function escapeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/[!~*'()]|^\.|\.$/g, escapeAscii);
}

function escapeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

export function datasetFile(folder: string): string {
  return `${folder}/dataset.json`;
}

/** The range of a tag, by its id: 0 is that of the ids 0 to 999. */
export function rangeOf(tag: number): number {
  return Math.floor(tag / TAGS_A_RANGE);
}

/** Things of tags by their ranges, in the order they are given. */
export function byRange<T>(items: readonly T[], tagOf: (item: T) => number): [range: number, items: T[]][] {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const range = rangeOf(tagOf(item));
    const group = groups.get(range);
    if (group) group.push(item);
    else groups.set(range, [item]);
  }
  return [...groups];
}

export function tagsFolder(folder: string): string {
  return `${folder}/tags`;
}

export function tagsFile(folder: string, range: number): string {
  return `${tagsFolder(folder)}/${formatRange(range)}.json`;
}

export function ordinalsFolder(folder: string): string {
  return `${folder}/ordinals`;
}

export function ordinalsFile(folder: string, range: number): string {
  return `${ordinalsFolder(folder)}/${formatRange(range)}.json`;
}

/** The range of a file of documents or ordinals by its name; undefined for any other. */
export function rangeOfFile(name: string): number | undefined {
  const first = /^(\d{1,16})-\d{1,16}\.json$/.exec(name)?.[1];
  if (first === undefined) return undefined;
  const range = rangeOf(Number(first));
  return `${formatRange(range)}.json` === name ? range : undefined;
}

/**
 * The file for points of one range. Its name depends on the ordinals alone, and no others have it, so that a batch that is
 * given again replaces its file, and none replaces the points of another: the smallest and the largest ordinal say little
 * where there are several tags, hence the hash over all of them. `earliestMs` is the time of the earliest point: its day is
 * the folder, so that none grows for ever.
 */
export function pointsFile(folder: string, spans: readonly OrdinalSpan[], earliestMs: number): string {
  const hash = createHash('sha256');
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const span of spans) {
    hash.update(`${span.tag}:${span.from}-${span.to};`);
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
  }
  const day = new Date(earliestMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const range = formatRange(rangeOf(spans[0]?.tag ?? 0));
  const digest = hash.digest('hex').slice(0, HASH_DIGITS);
  return `${folder}/points/${range}/${day}/${from}-${to - 1}-${digest}${ENDING}`;
}

function formatRange(range: number): string {
  const first = range * TAGS_A_RANGE;
  return `${first}-${first + TAGS_A_RANGE - 1}`;
}
