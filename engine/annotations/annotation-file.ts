// The file of annotations as it is written: records are appended, each synced before it counts. A file that is long and mostly
// history is written anew under another name and renamed: then it begins with the annotations that there are.

import type { Annotation } from '../annotations.ts';
import { EngineError } from '../errors.ts';
import { ANNOTATIONS_FILE } from '../filenames.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC, encodeHeader } from '../format/bytes/file-headers.ts';
import { beginFrame, endFrame, FRAME_HEADER } from '../format/bytes/frame.ts';
import type { Clock } from '../io/clock.ts';
import type { Random } from '../io/random.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import type { Vfs } from '../io/vfs.ts';
import { replaceFile } from '../io/whole-file.ts';
import { type AnnotationChange, encodeChange } from './annotation-record.ts';

/** A file up to this size is never written anew. */
const SHORT_FILE_BYTES = 2 ** 20;
/** Beyond that, one that is longer than so many times its annotations. */
const MOST_HISTORY = 2;

/** The dataset that the annotations are of. */
export interface AnnotationOwner {
  readonly context: {
    readonly vfs: Vfs;
    readonly random: Random;
    readonly clock: Clock;
    readonly tunables: { readonly sliceMs: number };
    readonly poison: (error: EngineError) => void;
  };
  readonly name: string;
  /** Folder of the dataset. */
  readonly files: { readonly folder: string };
  /** Throws when the dataset cannot be written to. */
  checkWritable(): void;
  report(level: 'warn' | 'error', event: string, message: string, details: { readonly path: string }): void;
}

/** End of the file, and the sequence of its next record. */
export interface AnnotationFileEnd {
  readonly identity: number;
  readonly sizeBytes: number;
  readonly nextSequence: number;
}

export class AnnotationFile {
  readonly #owner: AnnotationOwner;
  /** Undefined while there is no file, or when it is not known how it ends. */
  #end: AnnotationFileEnd | undefined;
  #nextSequence = 1;

  constructor(owner: AnnotationOwner) {
    this.#owner = owner;
  }

  /** Goes on behind what was read. */
  resume(end: AnnotationFileEnd): void {
    this.#end = end;
    this.#nextSequence = end.nextSequence;
  }

  /** Number of the next record, if the file is not written anew before it. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Whether the file must be written anew before the next record. */
  needsRewrite(keptBytes: number): boolean {
    return this.#end === undefined || this.#end.sizeBytes > SHORT_FILE_BYTES + MOST_HISTORY * keptBytes;
  }

  /** Replaces the file by one that holds these annotations; durable once resolved. */
  async rewrite(annotations: Iterable<Annotation>): Promise<void> {
    const { vfs, random, folder } = { ...this.#owner.context, folder: this.#owner.files.folder };
    const slicer = new Slicer(this.#owner.context);
    const identity = random.uint32();
    const out = new ByteWriter();
    const firstSequence = this.#nextSequence;
    encodeHeader(out, ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC, { identity, firstSequence });
    let sequence = firstSequence;
    for (const annotation of annotations) {
      appendRecord(out, { kind: 'keep', annotation }, sequence++, identity);
      const turn = slicer.pause();
      if (turn) await turn;
    }
    // Should this fail, the next record writes the file anew once more.
    this.#end = undefined;
    await this.#onDisk(() => replaceFile(vfs, folder, ANNOTATIONS_FILE, out.written()));
    this.#end = { identity, sizeBytes: out.length, nextSequence: sequence };
    this.#nextSequence = sequence;
  }

  /** Adds a record; durable once resolved. Not before a `rewrite` that is needed. */
  async append(change: AnnotationChange): Promise<void> {
    const end = this.#end;
    if (end === undefined) throw new EngineError('BUG', 'BUG: the file of annotations must be written anew first');
    const out = new ByteWriter();
    appendRecord(out, change, end.nextSequence, end.identity);
    await this.#onDisk(() => this.#appendBytes(out.written(), end.sizeBytes));
    const nextSequence = end.nextSequence + 1;
    this.#end = { ...end, sizeBytes: end.sizeBytes + out.length, nextSequence };
    this.#nextSequence = nextSequence;
  }

  async #appendBytes(bytes: Uint8Array, position: number): Promise<void> {
    const { vfs } = this.#owner.context;
    const file = vfs.openSync(`${this.#owner.files.folder}/${ANNOTATIONS_FILE}`, 'write');
    try {
      // What a crash has torn, or what a full disk has left.
      if (file.sizeSync() > position) file.truncateSync(position);
      await file.write(bytes, position).catch((error: unknown) => {
        file.truncateSync(position);
        throw error;
      });
      await file.sync().catch((error: unknown) => {
        throw this.#poison(error);
      });
    } finally {
      file.closeSync();
    }
  }

  /** A full disk and too many open files pass by themselves; after any other fault nobody knows what is on disk (D11). */
  async #onDisk(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw error instanceof EngineError || isPassing(error) ? error : this.#poison(error);
    }
  }

  #poison(cause: unknown): EngineError {
    const message = `Writing the annotations of dataset '${this.#owner.name}' failed (${String(cause)}).`;
    const error = new EngineError('POISONED', message, { path: ANNOTATIONS_FILE }, cause);
    this.#owner.context.poison(error);
    return error;
  }
}

function appendRecord(out: ByteWriter, change: AnnotationChange, sequence: number, identity: number): void {
  const offset = beginFrame(out);
  encodeChange(out, change);
  endFrame(out, offset, sequence, identity);
}

/** What an annotation takes in the file. */
export function sizeOf(annotation: Annotation): number {
  const out = new ByteWriter();
  encodeChange(out, { kind: 'keep', annotation });
  return FRAME_HEADER.sizeBytes + out.length;
}
