// Replay: applies from the journals what the files do not hold. Points are identified by their ordinals, so that replaying
// twice, or over files of another moment (a live copy), gives the same result.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import { EngineError } from '../errors.ts';
import { formatFileNumber, JOURNAL_FOLDER } from '../filenames.ts';
import { retireFile } from '../flush/file-removal.ts';
import { HeadSpiller } from '../flush/head-spiller.ts';
import { decodeRecord } from '../format/record/journal-record.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import type { JournalFile } from '../journal/journal-files.ts';
import { type JournalFileContent, listJournals, readFirstSequence, readJournal } from '../journal/journal-reader.ts';
import { JournalWriter } from '../journal/journal-writer.ts';
import { endAtTear } from '../journal/torn-tail.ts';
import type { Tag } from '../tag/tag.ts';
import { PointColumns } from '../types.ts';
import { reportDamage, truncateTail } from './journal-damage.ts';
import { ReplayVisitor, type VisitorOptions } from './replay-visitor.ts';

export interface ReplayOptions extends VisitorOptions {
  /** Records up to this one are skipped. */
  readonly afterSequence: number;
  /** Records up to this one may be missing: they are in files. */
  readonly checkpointSequence: number;
  /** Records up to this one give only points, of tags that are in the catalog; 0 where that is damaged. */
  readonly catalogSequence: number;
}

export interface ReplayResult {
  readonly records: number;
  readonly lastSequence: number;
  /** Numbers and sizes of all journal files. */
  readonly files: readonly { readonly number: number; readonly sizeBytes: number }[];
  /** Journals with applied records: needed until the next checkpoint. */
  readonly needed: readonly JournalFile[];
  /** Tags with records. */
  readonly touched: ReadonlySet<Tag>;
}

/** Reads the journals in order. Throws only system errors; damage is reported. */
export async function replayJournals(dataset: Dataset, options: ReplayOptions): Promise<ReplayResult> {
  const { vfs } = dataset.context;
  const folder = `${dataset.files.folder}/${JOURNAL_FOLDER}`;
  const numbers = listJournals(vfs, folder);
  const replay = new Replay(dataset, options);
  const firstSequences = numbers.map((number) => readFirstSequence(vfs, folder, number));
  const first = firstNeeded(firstSequences, options.afterSequence);
  const files = numbers.map((number) => ({
    number,
    sizeBytes: vfs.statSync(`${folder}/${formatFileNumber(number)}`)?.sizeBytes ?? 0,
  }));
  const needed: JournalFile[] = [];
  for (const [i, number] of numbers.entries()) {
    if (i < first) continue;
    const firstSequence = replay.lastSequence + 1;
    const isLast = i === numbers.length - 1;
    const whole = readJournal(vfs, folder, number);
    const content = isLast ? endAtTear(whole, Math.max(options.checkpointSequence, replay.lastSequence)) : whole;
    await replay.file(content);
    for (const damage of content.damages) reportDamage(dataset, damage);
    const { lastSequence } = replay;
    // Nothing is lost after the last record of an earlier file if the next file continues its sequence.
    if (isLast || firstSequences[i + 1] === lastSequence + 1) await truncateTail(dataset, content);
    const sizeBytes = content.frames.at(-1)?.payloadEnd ?? 0;
    if (lastSequence >= firstSequence) needed.push({ number, firstSequence, lastSequence, sizeBytes });
  }
  return { records: replay.records, lastSequence: replay.lastSequence, files, needed, touched: replay.touched };
}

/** The first file that may hold a record after `afterSequence`. Files with an unreadable header are read. */
function firstNeeded(firstSequences: readonly (number | undefined)[], afterSequence: number): number {
  let first = 0;
  for (const [i, sequence] of firstSequences.entries())
    if (sequence !== undefined && sequence <= afterSequence + 1) first = i;
  return first;
}

class Replay {
  records = 0;
  lastSequence: number;
  /** Sequence number of the last record in the files read so far: files never overlap. */
  #fileSequence = 0;
  readonly #dataset: Dataset;
  readonly #options: ReplayOptions;
  readonly #points = new PointColumns(4096);
  readonly #slicer: Slicer;
  readonly #visitor: ReplayVisitor;
  /** Heads of more bytes are spilled. */
  #spillAtBytes: number;

  constructor(dataset: Dataset, options: ReplayOptions) {
    this.#dataset = dataset;
    this.#spillAtBytes = dataset.context.tunables.headLimitBytes;
    this.#options = options;
    this.lastSequence = options.afterSequence;
    this.#slicer = new Slicer(dataset.context);
    this.#visitor = new ReplayVisitor(dataset, options);
  }

  get touched(): ReadonlySet<Tag> {
    return this.#visitor.touched;
  }

  async file(content: JournalFileContent): Promise<void> {
    const { firstSequence, path } = content;
    if (firstSequence !== undefined && firstSequence <= this.#fileSequence) {
      const message = `A journal begins with record ${firstSequence}; the one before ends with ${this.#fileSequence}. It is left alone.`;
      this.#dataset.report('error', 'journal.foreign', message, { path });
      return;
    }
    this.#fileSequence = content.frames.at(-1)?.sequence ?? this.#fileSequence;
    this.#visitor.beginFile(content.bytes);
    for (const frame of content.frames) {
      if (frame.sequence <= this.lastSequence) continue;
      this.#noteMissing(content, frame.sequence);
      this.lastSequence = frame.sequence;
      this.records++;
      this.#visitor.beginRecord({ isInCatalog: frame.sequence <= this.#options.catalogSequence });
      try {
        decodeRecord(content.bytes, frame.payloadStart, frame.payloadEnd, this.#points, this.#visitor);
      } catch (error) {
        if (this.#noteUnreadable(content, frame.payloadStart, error) === 'foreign') return;
      }
      if (this.#dataset.memory.arena.usedBytes > this.#spillAtBytes) await this.#spill();
      await this.#slicer.pause();
    }
  }

  /** Keeps memory within the configured limit: spills the heads. */
  async #spill(): Promise<void> {
    const spiller = new HeadSpiller(this.#dataset);
    const tags = [...this.touched].filter((tag) => !tag.deleted).sort((a, b) => a.id - b.id);
    try {
      for (const tag of tags) {
        spiller.add(tag);
        await spiller.flushWhenFull();
      }
      await spiller.finish();
      this.#spillAtBytes = this.#dataset.context.tunables.headLimitBytes;
    } catch (error) {
      const failure = this.#noteUnspilled(error); // before anything else can fail
      spiller.abandon();
      if (failure !== undefined) throw failure;
    }
  }

  /**
   * On a full disk heads may grow to what they may hold in normal running (see `Dataset.room`) plus what the journals hold, so
   * that the dataset stays readable. Returns the error to throw when there is more, or when the disk has another fault.
   */
  #noteUnspilled(error: unknown): unknown {
    if (!isPassing(error)) return poison(this.#dataset, 'A spill', error);
    const { headLimitBytes, journalLimitBytes } = this.#dataset.context.tunables;
    const isAtLimit = this.#spillAtBytes > headLimitBytes;
    this.#spillAtBytes = 2 * headLimitBytes + journalLimitBytes;
    return isAtLimit ? error : undefined;
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

/** Begins a new journal after everything that was replayed. */
export function openJournal(dataset: Dataset, replay: ReplayResult, checkpointSequence: number): void {
  const { vfs, clock, random, durability, tunables, poison } = dataset.context;
  const lastSequence = Math.max(replay.lastSequence, checkpointSequence);
  dataset.progress.advanceApplied(lastSequence);
  const needed = new Set(replay.needed.map(({ number }) => number));
  for (const { number, sizeBytes } of replay.files) {
    if (needed.has(number)) continue;
    retireFile(dataset, `${JOURNAL_FOLDER}/${formatFileNumber(number)}`, sizeBytes, undefined);
  }
  dataset.writing.journal = new JournalWriter({
    vfs,
    clock,
    random,
    durability,
    folder: `${dataset.files.folder}/${JOURNAL_FOLDER}`,
    fileBytes: tunables.journalFileBytes,
    syncIntervalMs: tunables.syncIntervalMs,
    copiedRecordBytes: tunables.copiedRecordBytes,
    earlier: replay.needed,
    firstNumber: (replay.files.at(-1)?.number ?? 0) + 1,
    nextSequence: lastSequence + 1,
    onPoisoned: poison,
    room: () => dataset.room(),
  });
}
