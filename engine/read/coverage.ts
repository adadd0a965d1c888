// Which ordinals of a tag the files hold: what replay must not apply again.

import type { Dataset } from '../dataset/dataset.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import type { OrdinalRange, Tag } from '../tag/tag.ts';
import { PointColumns } from '../types.ts';
import { indexOf, tryRead } from './block-sources.ts';

interface HeldRange {
  readonly from: number;
  to: number;
}

/** Held ordinals of one tag, as ranges in order that do not touch. */
export class Coverage {
  #ranges: HeldRange[] = [];

  /** The first ordinal that is held. */
  get first(): number | undefined {
    return this.#ranges[0]?.from;
  }

  add(from: number, to: number): void {
    if (to <= from) return;
    const last = this.#ranges.at(-1);
    if (!last || from > last.to) {
      this.#ranges.push({ from, to });
      return;
    }
    // Nearly always: a journal goes on where it was.
    if (from >= last.from) last.to = Math.max(last.to, to);
    else this.#merge({ from, to });
  }

  /** Whether nothing from `from` on is held. */
  endsBy(from: number): boolean {
    const last = this.#ranges.at(-1);
    return !last || last.to <= from;
  }

  /** The parts of `[from, to)` that are not held. */
  missing(from: number, to: number): OrdinalRange[] {
    const parts: OrdinalRange[] = [];
    let next = from;
    for (const held of this.#ranges) {
      if (held.to <= next) continue;
      if (held.from >= to) break;
      if (held.from > next) parts.push({ from: next, to: held.from });
      next = held.to;
    }
    if (next < to) parts.push({ from: next, to });
    return parts;
  }

  #merge(added: HeldRange): void {
    const all = [...this.#ranges, added].sort((a, b) => a.from - b.from);
    const merged: HeldRange[] = [];
    for (const range of all) {
      const last = merged.at(-1);
      if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
      else merged.push(range);
    }
    this.#ranges = merged;
  }
}

/**
 * What the tag files and spills of a tag hold. `summary` takes files that the catalog vouches for as a whole;
 * `exact` looks at every block, so that a hole in the middle of a file counts as not held.
 */
export function coverageOf(dataset: Dataset, tag: Tag, detail: 'summary' | 'exact'): Coverage {
  const coverage = new Coverage();
  for (const file of tag.files) {
    if (file.missing) continue;
    // A file that was not synced may have lost blocks in its middle, which the journal still has.
    if (detail === 'summary' && file.damages.length === 0) coverage.add(file.firstOrdinal, file.nextOrdinal);
    else for (const entry of indexOf(dataset, file)) addEntry(coverage, entry);
  }
  for (const spill of dataset.spills) {
    for (const entry of spill.index.ofTag(tag.id)) addEntry(coverage, entry);
  }
  return coverage;
}

/**
 * What the blocks of a tag's files hold from an ordinal on, as far as they can be read: an index may outlive the blocks
 * that a power cut has taken from a file, and a spill with the same points must not go for those.
 */
export function readableCoverageOf(dataset: Dataset, tag: Tag, from: number): Coverage {
  const coverage = new Coverage();
  const points = new PointColumns(64);
  for (const file of tag.files) {
    if (file.missing) continue;
    for (const entry of indexOf(dataset, file)) {
      if (entry.firstOrdinal + entry.ordinalCount <= from) continue;
      points.clear();
      if (tryRead(dataset, { entry, file }, points)) addEntry(coverage, entry);
    }
  }
  return coverage;
}

function addEntry(coverage: Coverage, entry: BlockEntry): void {
  if (entry.sizeBytes > 0) coverage.add(entry.firstOrdinal, entry.firstOrdinal + entry.ordinalCount);
}
