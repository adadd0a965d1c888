// The annotations of one dataset: all of them in memory, in order of time, and every change in the file before it shows.
// Changes go one after the other.

import type { Annotation, AnnotationCheck, AnnotationContent, AnnotationEdit } from '../annotations.ts';
import { EngineError } from '../errors.ts';
import { ANNOTATIONS_FILE } from '../filenames.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import { readWholeFile } from '../io/whole-file.ts';
import { MAX_ANNOTATION_BYTES, MAX_ANNOTATIONS } from '../limits.ts';
import { compareInstants } from '../types.ts';
import { AnnotationFile, type AnnotationOwner, sizeOf } from './annotation-file.ts';
import { type AnnotationDamage, readAnnotations } from './annotation-reader.ts';
import type { AnnotationChange, RenamedTag } from './annotation-record.ts';

/** Finds what an annotation's tag is called now, where no tag has its name; undefined: it is gone. */
export type FindRenamed = (annotation: Annotation, tagId: number | undefined) => string | undefined;

export class AnnotationStore {
  readonly #owner: AnnotationOwner;
  readonly #file: AnnotationFile;
  readonly #byId = new Map<number, Annotation>();
  /** By start, then id; replaced by another list at each change. */
  #list: readonly Annotation[] = [];
  /** Bytes in the file that the annotations that there are take. */
  #keptBytes = 0;
  #unreadable: EngineError | undefined;
  /** Tags that the file says were renamed, by the names that they got. */
  readonly #renamed = new Map<string, number>();
  /** Annotations whose tags have other names than in the file: written before the next change. */
  #owed: readonly Annotation[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(owner: AnnotationOwner) {
    this.#owner = owner;
    this.#file = new AnnotationFile(owner);
  }

  /**
   * Reads the file, in slices. Damage is reported; throws only passing faults of the system. A crash may have come between
   * the renaming of a tag and the record here.
   */
  async load(findRenamed: FindRenamed = () => undefined): Promise<void> {
    const bytes = this.#readFile();
    if (bytes === undefined) return;
    try {
      await this.#replay(bytes);
      this.#followTags(findRenamed);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
      this.#refuse(`its file cannot be read: ${error.message}`, error);
    }
  }

  /** By start, then id: a list that stays as it is. Throws CORRUPT when they cannot be read. */
  all(): readonly Annotation[] {
    if (this.#unreadable) throw this.#unreadable;
    return this.#list;
  }

  /** Throws ANNOTATION_NOT_FOUND. */
  get(id: number): Annotation {
    if (this.#unreadable) throw this.#unreadable;
    const annotation = this.#byId.get(id);
    if (annotation) return annotation;
    const message = `Dataset '${this.#owner.name}' has no annotation ${id}; it may have been deleted.`;
    throw new EngineError('ANNOTATION_NOT_FOUND', message, { name: String(id) });
  }

  /** Durable once resolved. Throws TOO_MANY_ANNOTATIONS. */
  create(content: AnnotationContent, by: string | undefined): Promise<Annotation> {
    return this.#inTurn(async () => {
      if (this.#byId.size >= MAX_ANNOTATIONS) throw this.#tooMany();
      await this.#makeReady();
      const nowMs = this.#owner.context.clock.nowMs();
      const about = { author: by, createdMs: nowMs, changedBy: undefined, changedMs: nowMs };
      return this.#keep({ ...content, id: this.#file.nextSequence, revision: 1, ...about });
    });
  }

  /** Author and time of creation stay. Durable once resolved. Throws ANNOTATION_NOT_FOUND, and what `check` throws. */
  change(id: number, { content, by, check }: AnnotationEdit): Promise<Annotation> {
    return this.#inTurn(async () => {
      const old = this.get(id);
      check(old);
      await this.#makeReady();
      const about = { changedBy: by, changedMs: this.#owner.context.clock.nowMs() };
      return this.#keep({ ...old, ...content, revision: old.revision + 1, ...about });
    });
  }

  /** What was deleted; durable once resolved. Throws as `change`. */
  delete(id: number, check: AnnotationCheck): Promise<Annotation> {
    return this.#inTurn(async () => {
      const old = this.get(id);
      check(old);
      await this.#makeReady();
      await this.#file.append({ kind: 'delete', id });
      this.#apply({ kind: 'delete', id });
      return old;
    });
  }

  /** The annotations of a tag that was renamed follow it; durable once resolved. */
  async renameTag(renamed: RenamedTag): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.#list.some(({ tag }) => tag === renamed.from)) return;
      await this.#makeReady();
      await this.#file.append({ kind: 'rename-tag', ...renamed });
      this.#note({ kind: 'rename-tag', ...renamed });
      this.#list = this.#list.map(({ id }) => this.#byId.get(id) as Annotation);
    });
  }

  /** Resolves when no change is under way. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => {
      this.#owner.checkWritable();
      if (this.#unreadable) throw this.#unreadable;
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #makeReady(): Promise<void> {
    if (this.#file.needsRewrite(this.#keptBytes)) {
      await this.#file.rewrite(this.#list);
      this.#owed = [];
    }
    for (const annotation of this.#owed) await this.#file.append({ kind: 'keep', annotation });
    this.#owed = [];
  }

  #followTags(findRenamed: FindRenamed): void {
    const moved: Annotation[] = [];
    for (const annotation of this.#list) {
      const { tag } = annotation;
      const present = tag === undefined ? undefined : findRenamed(annotation, this.#renamed.get(tag));
      if (present !== undefined) moved.push({ ...annotation, tag: present });
    }
    for (const annotation of moved) this.#apply({ kind: 'keep', annotation });
    this.#owed = moved;
  }

  async #keep(annotation: Annotation): Promise<Annotation> {
    const old = this.#byId.get(annotation.id);
    const growth = sizeOf(annotation) - (old ? sizeOf(old) : 0);
    if (growth > 0 && this.#keptBytes + growth > MAX_ANNOTATION_BYTES) throw this.#tooMany();
    await this.#file.append({ kind: 'keep', annotation });
    this.#apply({ kind: 'keep', annotation });
    return annotation;
  }

  #apply(change: Exclude<AnnotationChange, { readonly kind: 'rename-tag' }>): void {
    this.#note(change);
    const id = change.kind === 'keep' ? change.annotation.id : change.id;
    const others = this.#list.filter((annotation) => annotation.id !== id);
    if (change.kind === 'keep') others.splice(placeOf(others, change.annotation), 0, change.annotation);
    this.#list = others;
  }

  /** Everything but the list. */
  #note(change: AnnotationChange): void {
    if (change.kind === 'rename-tag') return this.#noteRenamed(change);
    const id = change.kind === 'keep' ? change.annotation.id : change.id;
    const old = this.#byId.get(id);
    if (old) this.#keptBytes -= sizeOf(old);
    if (change.kind === 'delete') {
      this.#byId.delete(id);
      return;
    }
    this.#byId.set(id, change.annotation);
    this.#keptBytes += sizeOf(change.annotation);
  }

  #noteRenamed({ tagId, from, to }: RenamedTag): void {
    this.#renamed.set(to, tagId);
    for (const annotation of [...this.#byId.values()])
      if (annotation.tag === from) this.#note({ kind: 'keep', annotation: { ...annotation, tag: to } });
  }

  #readFile(): Uint8Array | undefined {
    const { vfs } = this.#owner.context;
    const path = `${this.#owner.files.folder}/${ANNOTATIONS_FILE}`;
    try {
      return vfs.statSync(path) ? readWholeFile(vfs, path) : undefined;
    } catch (error) {
      if (isPassing(error)) throw error;
      this.#refuse(`its file cannot be read: ${String(error)}`, error);
      return undefined;
    }
  }

  async #replay(bytes: Uint8Array): Promise<void> {
    const slicer = new Slicer(this.#owner.context);
    const { identity, firstSequence, entries } = readAnnotations(bytes);
    let nextSequence = firstSequence;
    let sizeBytes = bytes.length;
    for (const entry of entries) {
      if (entry.kind === 'damage') {
        this.#reportDamage(entry.damage);
        if (entry.damage.place === 'tail') sizeBytes = entry.damage.offset;
      } else {
        this.#note(entry.change);
        nextSequence = Math.max(nextSequence, entry.sequence + 1);
        if (entry.change.kind === 'keep') nextSequence = Math.max(nextSequence, entry.change.annotation.id + 1);
      }
      const turn = slicer.pause();
      if (turn) await turn;
    }
    this.#list = [...this.#byId.values()].sort(compareAnnotations);
    this.#file.resume({ identity, sizeBytes, nextSequence });
  }

  #reportDamage({ place, offset, bytes, reason }: AnnotationDamage): void {
    const details = { path: ANNOTATIONS_FILE, offset, bytes };
    if (place === 'tail') {
      const message = `The file of annotations ends with ${bytes} bytes of a record that was not finished (${reason}); the next one takes their place.`;
      this.#owner.report('warn', 'annotations.torn', message, details);
    } else {
      const message = `${bytes} bytes of the file of annotations cannot be read (${reason}); they are stepped over.`;
      this.#owner.report('error', 'annotations.damaged', message, details);
    }
  }

  #refuse(why: string, cause: unknown): void {
    const message = `The annotations of dataset '${this.#owner.name}' are not available: ${why}. Put a sound file in its place, or take it away, and start again.`;
    this.#unreadable = new EngineError('CORRUPT', message, { path: ANNOTATIONS_FILE }, cause);
    this.#owner.report('error', 'annotations.unreadable', message, { path: ANNOTATIONS_FILE });
  }

  #tooMany(): EngineError {
    const mostMb = MAX_ANNOTATION_BYTES / 2 ** 20;
    const message = `Dataset '${this.#owner.name}' has ${this.#byId.size} annotations; at most ${MAX_ANNOTATIONS}, and ${mostMb} MiB of them, are kept. Delete some first.`;
    return new EngineError('TOO_MANY_ANNOTATIONS', message, { name: this.#owner.name });
  }
}

function compareAnnotations(a: Annotation, b: Annotation): number {
  return compareInstants(a.start, b.start) || a.id - b.id;
}

/** Place of an annotation in a list that is in order. */
function placeOf(list: readonly Annotation[], annotation: Annotation): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAnnotations(list[middle] as Annotation, annotation) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
