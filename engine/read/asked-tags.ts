// The tags and markers of a read request, looked up at once, or in slices when there are very many.

import type { Dataset } from '../dataset/dataset.ts';
import { SYSTEM_ALIASES } from '../dataset/system-aliases.ts';
import { EngineError } from '../errors.ts';
import { Slicer } from '../io/slicer.ts';
import { MOST_NAMED } from '../limits.ts';
import type { ReadMarker, ReadRequest } from '../reads.ts';
import type { Tag } from '../tag/tag.ts';
import { TagIdSet } from '../tag/tag-id-set.ts';
import type { TagDefinition } from '../types.ts';

/** Most tags that are looked up at once: some tens of ms. */
export const MOST_AT_ONCE = 1024;
/** Tags between two looks at the clock. */
export const FOUND_AT_ONCE = 32;

export interface FoundTags {
  readonly tags: readonly Tag[];
  /** The first marker of each tag, by the tag's id. */
  readonly markers: ReadonlyMap<number, ReadMarker>;
  /** Aliases and former names that tags were requested by, by index. */
  readonly aliases: ReadonlyMap<number, string>;
}

/** The part of a request that says which tags it is about. */
export type TagChoice = Pick<ReadRequest, 'tags' | 'after' | 'skipMissing'>;

export class AskedTags implements FoundTags {
  readonly dataset: Dataset;
  readonly request: TagChoice;
  readonly tags: Tag[] = [];
  readonly markers = new Map<number, ReadMarker>();
  readonly aliases = new Map<number, string>();
  readonly #ids = new TagIdSet();
  readonly #missing: string[] = [];
  /** Number of names, and then of markers, looked up so far. */
  #doneCount = 0;

  constructor(dataset: Dataset, request: TagChoice) {
    this.dataset = dataset;
    this.request = request;
  }

  get isLong(): boolean {
    return this.#count > MOST_AT_ONCE;
  }

  get #count(): number {
    return this.request.tags.length + this.request.after.length;
  }

  /** Definition of a tag that was found, under the name it was asked for. */
  definitionOf(index: number): TagDefinition {
    const { definition } = this.tags[index] as Tag;
    const alias = this.aliases.get(index);
    return alias === undefined ? definition : { ...definition, name: alias };
  }

  find(): FoundTags {
    this.#findUpTo(this.#count);
    return this;
  }

  async findInSlices(): Promise<void> {
    const slicer = new Slicer(this.dataset.context);
    while (this.#doneCount < this.#count) {
      checkStillThere(this.dataset);
      this.#findUpTo(Math.min(this.#count, this.#doneCount + FOUND_AT_ONCE));
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
  }

  #findUpTo(count: number): void {
    const { tags: names, after } = this.request;
    for (; this.#doneCount < count; this.#doneCount++) {
      const index = this.#doneCount;
      if (index < names.length) this.#findTag(names[index] as string);
      if (index === names.length - 1) this.#refuseMissing();
      if (index >= names.length) this.#addMarker(after[index - names.length] as ReadMarker);
    }
  }

  #findTag(name: string): void {
    const tag = this.dataset.tags.find(name);
    if (tag) {
      if (tag.isSystem ? SYSTEM_ALIASES.has(name) : tag.name !== name) this.aliases.set(this.tags.length, name);
      this.tags.push(tag);
      if (this.request.after.length > 0) this.#ids.add(tag.id);
    } else if (!this.request.skipMissing) {
      this.#missing.push(name);
      if (this.#missing.length === MOST_NAMED) this.#refuseMissing();
    }
  }

  #refuseMissing(): void {
    if (this.#missing.length > 0) throw this.dataset.tags.notFound(this.#missing);
  }

  #addMarker(marker: ReadMarker): void {
    const { tagId } = marker;
    if (!this.#ids.has(tagId)) {
      throw new EngineError(
        'BAD_REQUEST',
        'A marker in "after" is not of one of the requested tags, or the tag was deleted and created again since. Read again from the start.',
      );
    }
    if (!this.markers.has(tagId)) this.markers.set(tagId, marker);
  }
}

/** An open cursor pins its files, but a deletion may remove them before it is opened. */
export function checkStillThere({ deleted, name }: Dataset): void {
  if (deleted) throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' was deleted during the read.`, { name });
}
