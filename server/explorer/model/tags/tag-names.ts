// Names of tags where there is little room: which end must be seen, and how much of the path tells two tags apart.

import type { LineRef } from './tag.ts';

const LEAST_TAIL = 5;
const MOST_TAIL = 16;

/** The name in two: the end must stay in sight, what is before it may be cut. */
export function splitName(name: string): readonly [head: string, tail: string] {
  const leaf = leafOf(name).length + 1;
  const tail = Math.min(name.length, Math.max(LEAST_TAIL, Math.min(MOST_TAIL, leaf)));
  return [name.slice(0, name.length - tail), name.slice(name.length - tail)];
}

/** What all names begin with, to their last common dot or slash: it tells none of them apart. Empty for a single name. */
export function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let length = first.length;
  for (const name of others) {
    length = Math.min(length, name.length);
    while (length > 0 && name.slice(0, length) !== first.slice(0, length)) length--;
  }
  return first.slice(0, length).match(/^.*[/.]/)?.[0] ?? '';
}

/** The last part of the name. */
export function leafOf(name: string): string {
  return name.match(/[^/.]+$/)?.[0] ?? name;
}

export interface ShortName {
  /** Part of the path that tells the tag from others of the same leaf; empty when it is the only one. */
  readonly path: string;
  readonly leaf: string;
}

/** For each tag, in their order. Equal names of two datasets carry their datasets. */
export function shortNames(refs: readonly LineRef[]): ShortName[] {
  return refs.map((ref) => {
    const others = refs.filter((other) => other !== ref);
    const leaf = leafOf(ref.name);
    const rivals = others.filter((other) => leafOf(other.name) === leaf);
    return { leaf, path: rivals.length === 0 ? '' : tellingPath(ref, rivals) };
  });
}

function tellingPath(ref: LineRef, rivals: readonly LineRef[]): string {
  const above = parentsOf(ref.name);
  for (let parts = 1; parts <= above.length; parts++) {
    const path = above.slice(-parts).join('');
    const isAlone = rivals.every(({ name }) => parentsOf(name).slice(-parts).join('') !== path);
    if (isAlone) return path.replace(/[/.]$/, '');
  }
  const path = [...above].join('').replace(/[/.]$/, '');
  const isOfOneDataset = rivals.every(({ dataset }) => dataset === ref.dataset);
  if (isOfOneDataset) return path;
  return path === '' ? ref.dataset : `${ref.dataset}: ${path}`;
}

/** The parts before the leaf, each with its separator. */
function parentsOf(name: string): string[] {
  return name.slice(0, name.length - leafOf(name).length).match(/[^/.]*[/.]/g) ?? [];
}

/** Whose full name occurs in another dataset as well. */
export function isRepeated(refs: readonly LineRef[], ref: LineRef): boolean {
  return refs.some((other) => other.name === ref.name && other.dataset !== ref.dataset);
}
