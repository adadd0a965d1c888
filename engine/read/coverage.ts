// Which ordinals of a tag the files hold: what replay must not apply again.

import type { Dataset } from '../dataset/dataset.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import type { OrdinalRange } from '../tag/deleted-ranges.ts';
import type { Tag } from '../tag/tag.ts';
import { PointColumns } from '../types.ts';
import { indexOf, tryRead } from './block-sources.ts';

interface HeldRange {
  readonly from: number;
  to: number;
}

/** The stored ordinals of one tag, as sorted ranges that do not touch. */
export class Coverage {
  #ranges: HeldRange[] = [];

  /** The first stored ordinal. */
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
    // Common case: a journal continues where it was.
    if (from >= last.from) last.to = Math.max(last.to, to);
    else this.#merge({ from, to });
  }

  /** Whether nothing is stored from `from` on. */
  endsBy(from: number): boolean {
    const last = this.#ranges.at(-1);
    return !last || last.to <= from;
  }

  /** The parts of `[from, to)` that are not stored. */
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
 * The ordinals in the tag files and spills of a tag. `summary` trusts the summaries of files in the catalog; `exact`
 * examines every block, so that a gap in the middle of a file counts as missing.
 */
export function coverageOf(dataset: Dataset, tag: Tag, detail: 'summary' | 'exact'): Coverage {
  const coverage = new Coverage();
  for (const file of tag.files) {
    if (file.missing) continue;
    // A file that was not synced may have lost blocks in its middle, whose points are still in the journal.
    if (detail === 'summary' && file.damages.length === 0) coverage.add(file.firstOrdinal, file.nextOrdinal);
    else for (const entry of indexOf(dataset, file)) addEntry(coverage, entry);
  }
  for (const spill of dataset.files.spills) {
    for (const entry of spill.index.ofTag(tag.id)) addEntry(coverage, entry);
  }
  return coverage;
}

/**
 * The ordinals from `from` on in readable blocks of a tag's files: after a power failure an index may list blocks that are
 * lost, and then a spill with the same points must be kept.
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
