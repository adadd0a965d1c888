// The corrections of a dataset in memory: all that can be listed, and what those in force come to, tag by tag.

import type { Signature } from '../corrections.ts';
import { compareInstants, type Instant } from '../types.ts';
import { Amendment } from './amendment.ts';
import type { Correction, LoggedCorrection } from './correction.ts';

/** The corrections of a tag, oldest first. */
class TagCorrections {
  readonly all: Correction[] = [];
  #nextPoint = 0;
  #amendment: Amendment | undefined;

  /** The number of the next point that a correction gives to the tag: never one that was in use. */
  get nextPoint(): number {
    return this.#nextPoint;
  }

  takePoints(from: number, count: number): void {
    this.#nextPoint = Math.max(this.#nextPoint, from + count);
  }

  /** What those in force come to; undefined when none is. Found when it is read first. */
  get amendment(): Amendment | undefined {
    const inForce = this.#amendment ? [] : this.all.filter(({ undone }) => undone === undefined);
    if (inForce.length > 0) this.#amendment = new Amendment(inForce);
    return this.#amendment;
  }

  change(corrections: readonly Correction[]): void {
    this.all.splice(0, this.all.length, ...corrections);
    this.#amendment = undefined;
  }
}

export class DatasetCorrections {
  readonly #byTag = new Map<number, TagCorrections>();
  readonly #tagOf = new Map<number, number>();
  #nextId = 1;
  #pointCount = 0;

  /** Of all corrections that can be listed. */
  get count(): number {
    return this.#tagOf.size;
  }

  get pointCount(): number {
    return this.#pointCount;
  }

  /** The next id: never one that was in use. */
  takeId(): number {
    return this.#nextId++;
  }

  /** An id that is in use by a correction that is not listed: its tag was deleted. */
  skip(id: number): void {
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /** What the corrections in force come to for a tag; undefined when there are none, as for nearly all. */
  amendmentOf(tagId: number): Amendment | undefined {
    return this.#byTag.size === 0 ? undefined : this.#byTag.get(tagId)?.amendment;
  }

  /** Numbers for points that a correction gives to a tag: the first of them. */
  takePoints(tagId: number, count: number): number {
    const tag = this.#tag(tagId);
    const first = tag.nextPoint;
    tag.takePoints(first, count);
    return first;
  }

  /** Corrections of a tag, oldest first. */
  ofTag(tagId: number): readonly Correction[] {
    return this.#byTag.get(tagId)?.all ?? [];
  }

  find(id: number): Correction | undefined {
    const tagId = this.#tagOf.get(id);
    return tagId === undefined ? undefined : this.ofTag(tagId).find((correction) => correction.id === id);
  }

  /** Newest first. */
  *all(): Generator<Correction> {
    for (const id of [...this.#tagOf.keys()].reverse()) yield this.find(id) as Correction;
  }

  add(correction: LoggedCorrection): void {
    const { id, tagId, points, firstPoint } = correction;
    this.skip(id);
    if (this.#tagOf.has(id)) return;
    const tag = this.#tag(tagId);
    tag.takePoints(firstPoint, points.count);
    tag.change([...tag.all, { ...correction, undone: undefined }]);
    this.#tagOf.set(id, tagId);
    this.#pointCount += points.count;
  }

  /** Takes a correction out of force; nothing happens when it is not listed, or was undone. */
  undo(id: number, undone: Signature): void {
    const tagId = this.#tagOf.get(id);
    if (tagId === undefined) return;
    const tag = this.#tag(tagId);
    tag.change(tag.all.map((one) => (one.id === id && !one.undone ? { ...one, undone } : one)));
  }

  /** Forgets those of a tag that was deleted. */
  forgetTag(tagId: number): void {
    const tag = this.#byTag.get(tagId);
    if (tag === undefined) return;
    this.#forget(tag.all);
    this.#byTag.delete(tagId);
  }

  /** Forgets those of a tag that end before a time: what is before it was purged, and the point of that time is read. */
  forgetBefore(tagId: number, time: Instant): void {
    const tag = this.#byTag.get(tagId);
    if (tag === undefined) return;
    const purged = tag.all.filter(({ end }) => compareInstants(end, time) < 0);
    if (purged.length === 0) return;
    this.#forget(purged);
    tag.change(tag.all.filter((correction) => !purged.includes(correction)));
  }

  #forget(corrections: readonly Correction[]): void {
    for (const { id, points } of corrections) {
      this.#tagOf.delete(id);
      this.#pointCount -= points.count;
    }
  }

  #tag(tagId: number): TagCorrections {
    const known = this.#byTag.get(tagId);
    if (known) return known;
    const tag = new TagCorrections();
    this.#byTag.set(tagId, tag);
    return tag;
  }
}
