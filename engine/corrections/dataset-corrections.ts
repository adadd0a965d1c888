// The corrections of a dataset in memory: all that can be listed, and what those in force come to, tag by tag.

import type { Signature } from '../corrections.ts';
import { compareInstants, FIRST_INSTANT, type Instant } from '../types.ts';
import { Amendment, justBefore } from './amendment.ts';
import type { Correction, LoggedCorrection } from './correction.ts';

/** The corrections of a tag, and what they come to: found when that is read first, and kept up with each change from then on. */
class TagCorrections {
  /** By id, oldest first. */
  readonly #byId = new Map<number, Correction>();
  #nextPoint = 0;
  #amendment: Amendment | undefined;
  #cuts: Amendment | undefined;
  /** The last time that a forgotten one is about. */
  #forgottenEnd: Instant | undefined;

  /** Oldest first. */
  get all(): Correction[] {
    return [...this.#byId.values()];
  }

  /** The number of the next point that a correction gives to the tag: never one that was in use. */
  get nextPoint(): number {
    return this.#nextPoint;
  }

  takePoints(from: number, count: number): void {
    this.#nextPoint = Math.max(this.#nextPoint, from + count);
  }

  /** What those in force come to; undefined when none is. */
  get amendment(): Amendment | undefined {
    this.#amendment ??= Amendment.of(this.all.filter(isInForce));
    return undefinedIfNothing(this.#amendment);
  }

  /** What removals come to alone. */
  get cuts(): Amendment | undefined {
    this.#cuts ??= Amendment.of(this.all.filter(isCut));
    return undefinedIfNothing(this.#cuts);
  }

  add(correction: Correction): void {
    this.#byId.set(correction.id, correction);
    this.#amendment = this.#amendment?.under(Amendment.of([correction]));
    if (isCut(correction)) this.#cuts = this.#cuts?.under(Amendment.of([correction]));
  }

  /** Takes one out of force; gives it as it is then. */
  undo(correction: Correction, undone: Signature): Correction {
    const changed = { ...correction, undone };
    this.#byId.set(changed.id, changed);
    this.#addUpAgain(correction.start, correction.end);
    return changed;
  }

  /** Forgets those that end before a time; gives them. */
  forgetBefore(time: Instant): Correction[] {
    const forgotten = this.all.filter(({ end }) => compareInstants(end, time) < 0);
    if (forgotten.length === 0) return forgotten;
    for (const { id, end } of forgotten) {
      this.#byId.delete(id);
      if (!this.#forgottenEnd || compareInstants(end, this.#forgottenEnd) > 0) this.#forgottenEnd = end;
    }
    // No cut is among them: those end at the end of all times.
    this.#addUpAgain(FIRST_INSTANT, justBefore(time));
    return forgotten;
  }

  /** Whether some are, or were, about a time at or behind one. The log has the forgotten ones, too: a restart brings them back. */
  reach(start: Instant): boolean {
    if (this.#forgottenEnd && compareInstants(this.#forgottenEnd, start) >= 0) return true;
    return this.all.some((one) => !isCut(one) && compareInstants(one.end, start) >= 0);
  }

  /** Adds up again after corrections have gone: only their range changes, and only corrections that reach it have a say. */
  #addUpAgain(start: Instant, end: Instant): void {
    const isThere = (one: Correction): boolean =>
      isInForce(one) && compareInstants(one.end, start) >= 0 && compareInstants(one.start, end) <= 0;
    this.#amendment = this.#amendment?.replacedBetween(start, end, Amendment.of(this.all.filter(isThere)));
  }
}

function isInForce({ undone }: Correction): boolean {
  return undone === undefined;
}

function isCut({ kind }: Correction): boolean {
  return kind === 'cut';
}

function undefinedIfNothing(amendment: Amendment): Amendment | undefined {
  return amendment.points.length === 0 && amendment.hidden.length === 0 ? undefined : amendment;
}

export class DatasetCorrections {
  readonly #byTag = new Map<number, TagCorrections>();
  /** By id, oldest first. */
  readonly #byId = new Map<number, Correction>();
  #nextId = 1;
  #pointCount = 0;

  /** Number of all corrections that can be listed. */
  get count(): number {
    return this.#byId.size;
  }

  get pointCount(): number {
    return this.#pointCount;
  }

  /** The next id: never one that was in use. */
  takeId(): number {
    return this.#nextId++;
  }

  /** Whether one was ever accepted; it may be on its way to disk. */
  get isUsed(): boolean {
    return this.#nextId > 1;
  }

  /** An id that is in use by a correction that is not listed: its tag was deleted. */
  skip(id: number): void {
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /** What the corrections in force come to for a tag; undefined when there are none, as for nearly all. */
  amendmentOf(tagId: number): Amendment | undefined {
    return this.#byTag.size === 0 ? undefined : this.#byTag.get(tagId)?.amendment;
  }

  /** What the removals of a tag's points come to; undefined when there are none. */
  cutsOf(tagId: number): Amendment | undefined {
    return this.#byTag.get(tagId)?.cuts;
  }

  /** Whether corrections have put points of a tag at or behind a time, or hide some there, or may after a restart. */
  reach(tagId: number, start: Instant): boolean {
    return this.#byTag.get(tagId)?.reach(start) ?? false;
  }

  /** Numbers for points that a correction gives to a tag: the first of them. */
  takePoints(tagId: number, count: number): number {
    const tag = this.#tag(tagId);
    const first = tag.nextPoint;
    tag.takePoints(first, count);
    return first;
  }

  /** Ids of tags with corrections. */
  tagIds(): number[] {
    return [...this.#byTag.keys()];
  }

  /** Corrections of a tag, oldest first. */
  ofTag(tagId: number): readonly Correction[] {
    return this.#byTag.get(tagId)?.all ?? [];
  }

  find(id: number): Correction | undefined {
    return this.#byId.get(id);
  }

  /** Newest first. */
  all(): Correction[] {
    return [...this.#byId.values()].reverse();
  }

  add(logged: LoggedCorrection): void {
    const { id, tagId, points, firstPoint } = logged;
    this.skip(id);
    if (this.#byId.has(id)) return;
    const correction = { ...logged, undone: undefined };
    const tag = this.#tag(tagId);
    tag.takePoints(firstPoint, points.count);
    tag.add(correction);
    this.#byId.set(id, correction);
    this.#pointCount += points.count;
  }

  /** Takes a correction out of force; nothing happens when it is not listed, or was undone. */
  undo(id: number, undone: Signature): void {
    const correction = this.#byId.get(id);
    if (correction && !correction.undone) this.#byId.set(id, this.#tag(correction.tagId).undo(correction, undone));
  }

  /** Forgets those of a tag that was deleted. */
  forgetTag(tagId: number): void {
    this.#forget(this.ofTag(tagId));
    this.#byTag.delete(tagId);
  }

  /** Forgets those of a tag that end before a time: what is before it was purged, and the point of that time is read. */
  forgetBefore(tagId: number, time: Instant): void {
    this.#forget(this.#byTag.get(tagId)?.forgetBefore(time) ?? []);
  }

  #forget(corrections: readonly Correction[]): void {
    for (const { id, points } of corrections) {
      this.#byId.delete(id);
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
