// Replay: applies from the journals what the files do not hold. Points go by their ordinals, so that doing it twice, or
// over files of another moment (a live copy), gives the same.

import { corrupt, EngineError } from '../errors.ts';
import { formatFileNumber, JOURNAL_FOLDER } from '../filenames.ts';
import { ByteReader } from '../format/byte-cursors.ts';
import { type CutRange, decodeRecord, type RecordVisitor } from '../format/journal-record.ts';
import type { DecodedRun } from '../format/run-decoder.ts';
import { type JournalFileContent, listJournals, readFirstSequence, readJournal } from '../journal/journal-reader.ts';
import { JournalWriter } from '../journal/journal-writer.ts';
import { endAtTear } from '../journal/torn-tail.ts';
import { PointColumns, type TagDefinition } from '../types.ts';
import { appendToHead, noteNewest } from './apply-write.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { Dataset } from './dataset.ts';
import { retireFile } from './file-removal.ts';
import { headParts } from './head-arena.ts';
import { HeadSpiller } from './head-spiller.ts';
import { cutTail, reportDamage } from './journal-damage.ts';
import { newestOf } from './new-points.ts';
import { Slicer } from './slicer.ts';
import type { Tag } from './tag.ts';
import type { TagFile } from './tag-file.ts';
import { takeFiles } from './tag-file-recovery.ts';
import { rebuildTag } from './tag-recovery.ts';

export interface ReplayOptions {
  /** Records up to this one are not looked at. */
  readonly afterSequence: number;
  /** Records up to this one may be missing: they are in files. */
  readonly checkpointSequence: number;
  /** Files of tags that only the journal knows. */
  readonly unknownFiles: Map<number, TagFile[]>;
  readonly coverage: 'summary' | 'exact';
}

export interface ReplayResult {
  readonly records: number;
  readonly lastSequence: number;
  /** Numbers and sizes of all journal files, which are superfluous after the next checkpoint. */
  readonly files: readonly { readonly number: number; readonly sizeBytes: number }[];
  /** Tags that records spoke of. */
  readonly touched: ReadonlySet<Tag>;
}

/** Reads the journals in order. Throws only system errors; damage is reported. */
export async function replayJournals(dataset: Dataset, options: ReplayOptions): Promise<ReplayResult> {
  const { vfs } = dataset.context;
  const folder = `${dataset.folder}/${JOURNAL_FOLDER}`;
  const numbers = listJournals(vfs, folder);
  const replay = new Replay(dataset, options);
  const first = firstNeeded(
    numbers.map((number) => readFirstSequence(vfs, folder, number)),
    options.afterSequence,
  );
  const files = numbers.map((number) => ({
    number,
    sizeBytes: vfs.statSync(`${folder}/${formatFileNumber(number)}`)?.sizeBytes ?? 0,
  }));
  for (const [i, number] of numbers.entries()) {
    if (i < first) continue;
    const isLast = i === numbers.length - 1;
    const whole = readJournal(vfs, folder, number);
    const content = isLast ? endAtTear(whole, Math.max(options.checkpointSequence, replay.lastSequence)) : whole;
    await replay.file(content);
    for (const damage of content.damages) reportDamage(dataset, content, damage);
    if (isLast) await cutTail(dataset, content);
  }
  return { records: replay.records, lastSequence: replay.lastSequence, files, touched: replay.touched };
}

/** The first file that may hold a record behind `afterSequence`. A file with an unreadable header is looked at. */
function firstNeeded(firstSequences: readonly (number | undefined)[], afterSequence: number): number {
  let first = 0;
  for (const [i, sequence] of firstSequences.entries())
    if (sequence !== undefined && sequence <= afterSequence + 1) first = i;
  return first;
}

interface FedTag {
  readonly tag: Tag;
  readonly coverage: Coverage;
}

class Replay {
  records = 0;
  lastSequence: number;
  /** Of the last record in the files read so far: files never overlap. */
  #fileSequence = 0;
  /** The file being read. */
  #file = new ByteReader(new Uint8Array(0));
  readonly touched = new Set<Tag>();
  readonly #dataset: Dataset;
  readonly #options: ReplayOptions;
  /** Tags of which not only the head holds points, or not in order, and what of each is held by now; by id. */
  readonly #fed = new Map<number, FedTag>();
  readonly #points = new PointColumns(4096);
  readonly #slicer: Slicer;
  readonly #visitor: RecordVisitor;
  /** Ids of tags that records spoke of before any defined them. */
  readonly #rebuilt = new Set<number>();

  constructor(dataset: Dataset, options: ReplayOptions) {
    this.#dataset = dataset;
    this.#options = options;
    this.lastSequence = options.afterSequence;
    this.#slicer = new Slicer(dataset.context);
    this.#visitor = {
      define: (id, definition) => this.#define(id, definition),
      delete: (ids) => this.#delete(ids),
      run: (run, points) => this.#run(run, points),
      cut: (cuts) => this.#cut(cuts),
    };
  }

  async file(content: JournalFileContent): Promise<void> {
    const { firstSequence, path } = content;
    if (firstSequence !== undefined && firstSequence <= this.#fileSequence) {
      const message = `A journal begins with record ${firstSequence}; the one before ends with ${this.#fileSequence}. It is left alone.`;
      this.#dataset.report('error', 'journal.foreign', message, { path });
      return;
    }
    this.#fileSequence = content.frames.at(-1)?.sequence ?? this.#fileSequence;
    this.#file = new ByteReader(content.bytes);
    for (const frame of content.frames) {
      if (frame.sequence <= this.lastSequence) continue;
      this.#noteMissing(content, frame.sequence);
      this.lastSequence = frame.sequence;
      this.records++;
      try {
        decodeRecord(content.bytes, frame.payloadStart, frame.payloadEnd, this.#points, this.#visitor);
      } catch (error) {
        if (this.#noteUnreadable(content, frame.payloadStart, error) === 'foreign') return;
      }
      if (this.#dataset.arena.usedBytes > this.#dataset.context.tunables.headLimitBytes) await this.#spill();
      await this.#slicer.pause();
    }
  }

  #define(id: number, definition: TagDefinition): void {
    const dataset = this.#dataset;
    if (dataset.tombstones.has(id)) return;
    const known = dataset.byId.get(id);
    if (known) {
      this.#redefine(known, definition);
      return;
    }
    if (dataset.names.find(definition.name)) {
      dataset.report(
        'error',
        'journal.double-name',
        `Two tags of the journal are called '${definition.name}'; the second is left alone.`,
      );
      return;
    }
    const tag = dataset.addTag(definition, id);
    tag.visible = true;
    takeFiles(tag, this.#options.unknownFiles.get(id) ?? []);
    this.#options.unknownFiles.delete(id);
    this.touched.add(tag);
  }

  /** Tags are never renamed: another name is the right one of a tag that was rebuilt, or the record is not ours. */
  #redefine(tag: Tag, definition: TagDefinition): void {
    const dataset = this.#dataset;
    if (tag.name !== definition.name && !tag.isSystem) {
      if (!this.#rebuilt.has(tag.id) || dataset.names.find(definition.name)) {
        throw corrupt(`it calls tag '${tag.name}' '${definition.name}'`, { isForeign: true });
      }
      dataset.names.delete(tag.name);
      dataset.names.add(definition.name, tag);
    }
    tag.definition = definition;
    tag.durableDefinition = definition;
    this.touched.add(tag);
  }

  #delete(ids: readonly number[]): void {
    const dataset = this.#dataset;
    for (const id of ids) {
      dataset.tombstones.add(id);
      dataset.nextTagId = Math.max(dataset.nextTagId, id + 1);
      this.#fed.delete(id);
      const tag = dataset.byId.get(id);
      if (tag) forgetTag(dataset, tag);
    }
  }

  #run(run: DecodedRun, points: PointColumns): void {
    const dataset = this.#dataset;
    const tag = this.#feedHead(run, points) ?? this.#feedLacking(run, points);
    if (!tag) return;
    if (run.firstOrdinal + run.count > tag.nextOrdinal) this.#moveOn(tag, run, points);
    if (Number.isNaN(tag.oldestMs)) tag.oldestMs = points.timesMs[0] as number;
    if (!tag.isSystem) noteNewest(dataset, points.timesMs[run.count - 1] as number, run.stamped);
  }

  /**
   * Puts a run behind a head that alone holds points of its tag, all of them below the run: after a crash that is so for
   * nearly all. Undefined, with nothing changed, when it is not.
   */
  #feedHead(run: DecodedRun, points: PointColumns): Tag | undefined {
    const dataset = this.#dataset;
    const tag = dataset.byId.get(run.tagId);
    if (!tag || tag.files.length > 0 || dataset.spills.length > 0 || this.#fed.has(run.tagId)) return undefined;
    const { head } = tag;
    if (!head || head.count === 0) this.touched.add(tag);
    else if (head.nextOrdinal > run.firstOrdinal) return undefined;
    else if (run.columnsEnd > 0 && head.type === run.type && head.nextOrdinal === run.firstOrdinal) {
      dataset.arena.appendCoded(head, run, this.#file, points, 0);
      return tag;
    }
    appendToHead(dataset, tag, run.type, run.firstOrdinal, points, 0, run.count);
    return tag;
  }

  /** Applies what of a run is not held yet; undefined when its tag was deleted. */
  #feedLacking(run: DecodedRun, points: PointColumns): Tag | undefined {
    const dataset = this.#dataset;
    const fed = this.#fed.get(run.tagId) ?? this.#feed(run);
    if (!fed) return undefined;
    const { tag, coverage } = fed;
    const { type, firstOrdinal } = run;
    const end = firstOrdinal + run.count;
    if (coverage.endsBy(firstOrdinal)) appendToHead(dataset, tag, type, firstOrdinal, points, 0, run.count);
    else {
      for (const { from, to } of coverage.lacking(firstOrdinal, end))
        appendToHead(dataset, tag, type, from, points, from - firstOrdinal, to - from);
    }
    coverage.add(firstOrdinal, end);
    return tag;
  }

  /** Finds the tag of a run, and what of its points is held; undefined when the tag was deleted. */
  #feed(run: DecodedRun): FedTag | undefined {
    const dataset = this.#dataset;
    if (dataset.tombstones.has(run.tagId)) return undefined;
    const tag = dataset.byId.get(run.tagId) ?? this.#rebuild(run);
    this.touched.add(tag);
    const fed = { tag, coverage: coverageOf(dataset, tag, this.#options.coverage) };
    for (const part of headParts(tag.head)) fed.coverage.add(part.firstOrdinal, part.nextOrdinal);
    this.#fed.set(run.tagId, fed);
    return fed;
  }

  /** The record that defines the tag is lost. */
  #rebuild({ tagId, type }: DecodedRun): Tag {
    const { unknownFiles } = this.#options;
    const tag = rebuildTag(this.#dataset, tagId, unknownFiles.get(tagId) ?? [], type);
    unknownFiles.delete(tagId);
    this.#rebuilt.add(tagId);
    return tag;
  }

  #moveOn(tag: Tag, run: DecodedRun, points: PointColumns): void {
    const { firstOrdinal, count, type } = run;
    const skip = Math.max(0, tag.nextOrdinal - firstOrdinal);
    const isLater = (points.timesMs[skip] as number) > tag.admittedMs;
    // Behind a cut it stays to be found: what the cut has left may share the time of these points.
    const isKnown = tag.cuts.length === 0 || tag.hasPoints;
    if (isKnown) tag.newest = newestOf(points, skip, count, type, isLater ? undefined : tag.newest);
    tag.nextOrdinal = firstOrdinal + count;
    tag.settle();
  }

  #cut(cuts: readonly CutRange[]): void {
    for (const { tagId, from, to } of cuts) {
      const tag = this.#dataset.byId.get(tagId);
      if (!tag || tag.cuts.some((cut) => cut.from === from && cut.to === to)) continue;
      tag.cuts = [...tag.cuts, { from, to }];
      tag.newest = undefined; // found again from what is left
      tag.settle();
      this.touched.add(tag);
    }
  }

  /** Memory is bounded by configuration also here: what was gathered becomes a spill. */
  async #spill(): Promise<void> {
    const spiller = new HeadSpiller(this.#dataset);
    const tags = [...this.touched].filter((tag) => !tag.deleted).sort((a, b) => a.id - b.id);
    for (const tag of tags) {
      spiller.add(tag);
      await spiller.flushWhenFull();
    }
    await spiller.finish();
  }

  #noteMissing(content: JournalFileContent, sequence: number): void {
    const expected = Math.max(this.lastSequence, this.#options.checkpointSequence) + 1;
    if (sequence <= expected) return;
    const count = sequence - expected;
    this.#dataset.report(
      'error',
      'journal.missing',
      `${count} records of the journal are missing before record ${sequence}; points that no other file holds are lost.`,
      {
        path: content.path,
        from: expected,
        to: sequence - 1,
      },
    );
  }

  #noteUnreadable({ path }: JournalFileContent, offset: number, error: unknown): 'damaged' | 'foreign' {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    if (error.details.isForeign) {
      const message = `A journal is of another dataset (${error.message}); the rest of it is left alone.`;
      this.#dataset.report('error', 'journal.foreign', message, { path, offset });
      return 'foreign';
    }
    const message = `A record of the journal cannot be read: ${error.message}.`;
    this.#dataset.report('error', 'journal.damaged', message, { path, offset });
    return 'damaged';
  }
}

/** Takes a deleted tag and its points out of memory. */
export function forgetTag(dataset: Dataset, tag: Tag): void {
  dataset.removeTag(tag);
  for (let part = tag.head; part; part = part.older) if (part.count > 0) dataset.arena.drop(part, part.count);
  tag.head = undefined;
  for (const file of tag.files) dataset.dirtyFiles.delete(file);
}

/** Begins a new journal behind everything that was replayed. */
export function openJournal(dataset: Dataset, replay: ReplayResult, checkpointSequence: number): void {
  const { vfs, clock, random, durability, tunables, poison } = dataset.context;
  const lastSequence = Math.max(replay.lastSequence, checkpointSequence);
  dataset.appliedSequence = lastSequence;
  for (const { number, sizeBytes } of replay.files) {
    retireFile(dataset, `${JOURNAL_FOLDER}/${formatFileNumber(number)}`, sizeBytes, undefined);
  }
  dataset.journal = new JournalWriter({
    vfs,
    clock,
    random,
    durability,
    folder: `${dataset.folder}/${JOURNAL_FOLDER}`,
    fileBytes: tunables.journalFileBytes,
    syncIntervalMs: tunables.syncIntervalMs,
    firstNumber: (replay.files.at(-1)?.number ?? 0) + 1,
    nextSequence: lastSequence + 1,
    onPoisoned: poison,
    room: () => dataset.room(),
  });
}
