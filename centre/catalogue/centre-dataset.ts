// A dataset as it is copied at the centre: its tags, and the corrections of their points, in memory.

import { CorrectionLogReader, DatasetCorrections, EngineError, type TagDefinition } from '../../engine/index.ts';
import { keyOf } from '../../replication/clickhouse/clickhouse-sink.ts';
import type { CopiedDataset, DatasetDocument, TagDocument } from '../../replication/sink.ts';
import type { Rows } from '../points/row-reader.ts';

/** The system tag that holds the log of corrections. */
export const CORRECTIONS_TAG = 14;
const SYSTEM_PREFIX = '$System.';

export class CentreDataset implements CopiedDataset {
  readonly name: string;
  readonly identity: string;
  /** By which its rows are known. */
  readonly key: bigint;
  document: DatasetDocument;
  /** Bytes at the centre, of one replica; and the time of the oldest point, ms: Infinity without one. */
  sizeBytes = 0;
  oldestMs = Number.POSITIVE_INFINITY;
  corrections = new DatasetCorrections();
  /** The ordinal of the next entry of the log. */
  nextEntry = 0;
  /** The largest revision of a document of a tag. */
  revision = 0;
  readonly byId = new Map<number, TagDocument>();
  readonly #users = new Map<string, TagDocument>();
  readonly #system = new Map<string, TagDocument>();
  /** By the id of the tag whose late points they hold. */
  readonly #late = new Map<number, TagDocument>();
  /** Ids of tags that were deleted. */
  readonly #gone = new Set<number>();
  #log = new CorrectionLogReader();

  constructor({ name, identity }: CopiedDataset, document: DatasetDocument) {
    this.name = name;
    this.identity = identity;
    this.key = keyOf({ identity });
    this.document = document;
  }

  get tagCount(): number {
    return this.#users.size;
  }

  get userTags(): Iterable<TagDocument> {
    return this.#users.values();
  }

  get systemTags(): Iterable<TagDocument> {
    return this.#system.values();
  }

  /** The tag that holds the late points of another. */
  lateOf(tag: TagDocument): TagDocument | undefined {
    return this.#late.get(tag.id);
  }

  /** By name: the user tag, else the system tag; `$System.<name>` is always the system tag. */
  find(name: string): TagDocument | undefined {
    const own = name.startsWith(SYSTEM_PREFIX) ? name.slice(SYSTEM_PREFIX.length) : name;
    return this.#users.get(name) ?? this.#system.get(own);
  }

  /** Throws TAG_NOT_FOUND. */
  tagNamed(name: string): TagDocument {
    const tag = this.find(name);
    if (tag) return tag;
    throw new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.`, { name, names: [name] });
  }

  definitionOf(tagId: number): TagDefinition | undefined {
    return this.byId.get(tagId)?.definition;
  }

  /** Takes a document, unless a later one is known. */
  take(document: TagDocument): void {
    this.revision = Math.max(this.revision, document.revision);
    // An id is never used again, and an older document may come once more.
    if (this.#gone.has(document.id)) return;
    const known = this.byId.get(document.id);
    if (known && known.revision >= document.revision) return;
    if (known) this.#forget(known);
    if (document.isDeleted) {
      this.corrections.forgetTag(document.id);
      this.byId.delete(document.id);
      this.#gone.add(document.id);
      return;
    }
    this.byId.set(document.id, document);
    const { lateOf, isSystem, definition } = document;
    if (lateOf !== undefined) this.#late.set(lateOf, document);
    else (isSystem ? this.#system : this.#users).set(definition.name, document);
  }

  #forget({ id, lateOf, isSystem, definition }: TagDocument): void {
    if (lateOf !== undefined) this.#late.delete(lateOf);
    const named = isSystem ? this.#system : this.#users;
    if (named.get(definition.name)?.id === id) named.delete(definition.name);
  }

  /** Takes entries of the log of corrections, in order, each once. */
  takeEntries({ points, ordinals, start, end }: Rows): void {
    for (let i = start; i < end; i++) {
      if ((ordinals[i] as number) < this.nextEntry) continue;
      this.nextEntry = (ordinals[i] as number) + 1;
      if (points.nulls[i] !== 0) continue;
      const at = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
      this.#takeEntry(points.texts.at(points.numbers[i] as number), at);
    }
  }

  #takeEntry(text: string, at: { readonly ms: number; readonly ticks: number }): void {
    try {
      const read = this.#log.read(text, at);
      if (read === undefined) return;
      if ('undone' in read) this.corrections.undo(read.id, read.undone);
      else if (this.byId.has(read.tagId)) this.corrections.add(read);
      else this.corrections.skip(read.id);
    } catch (error) {
      // An entry that cannot be read is not in force at the edge, either.
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    }
  }
}
