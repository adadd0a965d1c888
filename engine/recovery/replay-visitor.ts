// Applies the operations of replayed journal records; of points, only those that are not stored yet.

import type { Dataset } from '../dataset/dataset.ts';
import { corrupt } from '../errors.ts';
import type { TagFile } from '../files/tag-file.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import type { DeletedRange, RecordVisitor } from '../format/record/journal-record.ts';
import type { DecodedRun } from '../format/record/run-decoder.ts';
import { headParts } from '../head/head.ts';
import { appendToHead, forgetTag } from '../ingest/commit-append.ts';
import { type Coverage, coverageOf } from '../read/coverage.ts';
import { newestOf } from '../tag/stored-value.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns, TagDefinition } from '../types.ts';
import { takeFiles } from './tag-file-recovery.ts';
import { rebuildTag } from './tag-recovery.ts';

export interface VisitorOptions {
  /** Files of tags that only the journal defines. */
  readonly unknownFiles: Map<number, TagFile[]>;
  readonly coverage: 'summary' | 'exact';
}

interface StoredOrdinals {
  readonly tag: Tag;
  readonly coverage: Coverage;
}

export class ReplayVisitor implements RecordVisitor {
  /** Tags with records. */
  readonly touched = new Set<Tag>();
  readonly #dataset: Dataset;
  readonly #options: VisitorOptions;
  /** Whether a sound catalog has what the record has made of tags: then it may have what later ones have made of them. */
  #isInCatalog = false;
  /** The file with the records. */
  #file = new ByteReader(new Uint8Array(0));
  /** Tags with points outside the head, or out of order, with the ordinals stored so far; by id. */
  readonly #stored = new Map<number, StoredOrdinals>();
  /** Ids of tags that had records before their definition. */
  readonly #rebuilt = new Set<number>();

  constructor(dataset: Dataset, options: VisitorOptions) {
    this.#dataset = dataset;
    this.#options = options;
  }

  beginFile(bytes: Uint8Array): void {
    this.#file = new ByteReader(bytes);
  }

  beginRecord({ isInCatalog }: { readonly isInCatalog: boolean }): void {
    this.#isInCatalog = isInCatalog;
  }

  define(id: number, definition: TagDefinition): void {
    const dataset = this.#dataset;
    if (this.#isInCatalog || dataset.tags.tombstones.has(id)) return;
    const known = dataset.tags.byId.get(id);
    if (known) {
      this.#redefine(known, definition);
      return;
    }
    if (dataset.tags.names.findPresent(definition.name)) {
      dataset.report(
        'error',
        'journal.double-name',
        `Two tags of the journal are called '${definition.name}'; the second is left alone.`,
      );
      return;
    }
    const tag = dataset.tags.add(definition, id);
    tag.visible = true;
    takeFiles(tag, this.#options.unknownFiles.get(id) ?? []);
    this.#options.unknownFiles.delete(id);
    this.touched.add(tag);
  }

  /** A different name is a later one, or the true one of a rebuilt tag; or the record is not ours. */
  #redefine(tag: Tag, definition: TagDefinition): void {
    const dataset = this.#dataset;
    const renames = renameCount(definition) - renameCount(tag.definition);
    if (renames < 0) return; // what the catalog has is later
    if (tag.name !== definition.name && !tag.isSystem) {
      const isLater = renames > 0 && isFormerName(definition, tag.name);
      if (!(isLater || this.#rebuilt.has(tag.id)) || dataset.tags.names.findPresent(definition.name)) {
        throw corrupt(`it calls tag '${tag.name}' '${definition.name}'`, { isForeign: true });
      }
      dataset.tags.rename(tag, tag.definition, definition);
    } else tag.definition = definition;
    tag.durableDefinition = definition;
    this.touched.add(tag);
  }

  delete(ids: readonly number[]): void {
    const dataset = this.#dataset;
    for (const id of ids) {
      dataset.tags.tombstones.add(id);
      dataset.tags.nextId = Math.max(dataset.tags.nextId, id + 1);
      this.#stored.delete(id);
      const tag = dataset.tags.byId.get(id);
      if (tag) forgetTag(dataset, tag);
    }
  }

  run(run: DecodedRun, points: PointColumns): void {
    const dataset = this.#dataset;
    const tag = this.#appendToOnlyHead(run, points) ?? this.#appendMissing(run, points);
    if (!tag) return;
    if (tag.isLate) return noteReplayedLate(tag, run, points);
    if (run.firstOrdinal + run.count > tag.nextOrdinal) this.#advance(tag, run, points);
    // For a tag with deleted ranges it is found at the end, among the remaining points.
    if (Number.isNaN(tag.oldestMs) && tag.deletedRanges.length === 0) tag.oldestMs = points.timesMs[0] as number;
    if (!tag.isSystem) dataset.progress.noteNewest(points.timesMs[run.count - 1] as number, run.stamped);
  }

  /**
   * Appends a run to a head that alone holds points of its tag, all of them below the run: the common case after a crash.
   * Undefined, with nothing changed, in other cases.
   */
  #appendToOnlyHead(run: DecodedRun, points: PointColumns): Tag | undefined {
    const dataset = this.#dataset;
    const tag = dataset.tags.byId.get(run.tagId);
    if (!tag || tag.files.length > 0 || dataset.files.spills.length > 0 || this.#stored.has(run.tagId))
      return undefined;
    const { head } = tag;
    if (!head || head.count === 0) this.touched.add(tag);
    else if (head.nextOrdinal > run.firstOrdinal) return undefined;
    else if (run.columnsEnd > 0 && head.type === run.type && head.nextOrdinal === run.firstOrdinal) {
      dataset.memory.arena.appendRecorded(head, run, this.#file);
      return tag;
    }
    appendToHead(dataset.memory, tag, run.type, run.firstOrdinal, points, 0, run.count);
    return tag;
  }

  /** Applies the points of a run that are not stored yet; undefined when its tag was deleted. */
  #appendMissing(run: DecodedRun, points: PointColumns): Tag | undefined {
    const dataset = this.#dataset;
    const stored = this.#stored.get(run.tagId) ?? this.#findStored(run);
    if (!stored) return undefined;
    const { tag, coverage } = stored;
    const { type, firstOrdinal } = run;
    const end = firstOrdinal + run.count;
    if (coverage.endsBy(firstOrdinal)) appendToHead(dataset.memory, tag, type, firstOrdinal, points, 0, run.count);
    else {
      for (const { from, to } of coverage.missing(firstOrdinal, end))
        appendToHead(dataset.memory, tag, type, from, points, from - firstOrdinal, to - from);
    }
    coverage.add(firstOrdinal, end);
    return tag;
  }

  /** Finds the tag of a run and its stored ordinals; undefined when the tag was deleted. */
  #findStored(run: DecodedRun): StoredOrdinals | undefined {
    const dataset = this.#dataset;
    if (dataset.tags.tombstones.has(run.tagId)) return undefined;
    const known = dataset.tags.byId.get(run.tagId);
    if (known === undefined && this.#isInCatalog) return undefined;
    const tag = known ?? this.#rebuild(run);
    this.touched.add(tag);
    const stored = { tag, coverage: coverageOf(dataset, tag, this.#options.coverage) };
    for (const part of headParts(tag.head)) stored.coverage.add(part.firstOrdinal, part.nextOrdinal);
    this.#stored.set(run.tagId, stored);
    return stored;
  }

  /** Rebuilds a tag whose definition is lost. */
  #rebuild({ tagId, type }: DecodedRun): Tag {
    const { unknownFiles } = this.#options;
    const tag = rebuildTag(this.#dataset, tagId, unknownFiles.get(tagId) ?? [], type);
    unknownFiles.delete(tagId);
    this.#rebuilt.add(tagId);
    return tag;
  }

  #advance(tag: Tag, run: DecodedRun, points: PointColumns): void {
    const { firstOrdinal, count, type } = run;
    const skip = Math.max(0, tag.nextOrdinal - firstOrdinal);
    const isLater = (points.timesMs[skip] as number) > tag.acceptedMs;
    // With deleted ranges it is found at the end: remaining points may share the time of these.
    const isKnown = tag.deletedRanges.length === 0 || tag.hasPoints;
    if (isKnown) tag.newest = newestOf(points, skip, count, type, isLater ? undefined : tag.newest);
    tag.nextOrdinal = firstOrdinal + count;
    tag.settle();
  }

  deletion(deletedRanges: readonly DeletedRange[]): void {
    if (this.#isInCatalog) return;
    for (const { tagId, from, to } of deletedRanges) {
      const tag = this.#dataset.tags.byId.get(tagId);
      if (!tag || tag.deletedRanges.some((deleted) => deleted.from === from && deleted.to === to)) continue;
      tag.deleteRange({ from, to }, undefined); // newest and oldest are found again among the remaining points
      tag.settle();
      this.touched.add(tag);
    }
  }
}

/** Late points are no newest ones. */
function noteReplayedLate(tag: Tag, { firstOrdinal, count }: DecodedRun, points: PointColumns): void {
  tag.nextOrdinal = Math.max(tag.nextOrdinal, firstOrdinal + count);
  const firstMs = points.timesMs[0] as number;
  if (!(tag.oldestMs <= firstMs)) tag.oldestMs = firstMs;
  tag.settle();
}

function renameCount({ former }: TagDefinition): number {
  return former?.count ?? 0;
}

function isFormerName({ former }: TagDefinition, name: string): boolean {
  return former?.names.some((one) => one.name === name) ?? false;
}
