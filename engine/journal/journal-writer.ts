// The journal of one dataset: takes requests in order, writes and syncs them in groups, and notifies each one when it is
// durable (D1). Requests that arrive while a sync runs share the next one.

import { EngineError } from '../errors.ts';
import { formatFileNumber } from '../filenames.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { encodeHeader, JOURNAL_HEADER, JOURNAL_MAGIC } from '../format/bytes/file-headers.ts';
import type { Clock } from '../io/clock.ts';
import type { Random } from '../io/random.ts';
import { atEndOfTurn } from '../io/slicer.ts';
import { isDiskFull } from '../io/system-errors.ts';
import type { Vfs, VfsFile } from '../io/vfs.ts';
import { Pool } from '../points/pool.ts';
import type { Durability } from '../types.ts';
import { DurableFile } from './durable-file.ts';
import { type JournalEntry, JournalGroup, type JournalRecord } from './journal-group.ts';

/** One file of the journal. */
export interface JournalFile {
  readonly number: number;
  readonly firstSequence: number;
  /** Sequence number of the last record; below `firstSequence` when there is none. */
  lastSequence: number;
  sizeBytes: number;
}

export interface JournalOptions {
  readonly vfs: Vfs;
  readonly clock: Clock;
  readonly random: Random;
  readonly folder: string;
  readonly durability: Durability;
  readonly fileBytes: number;
  readonly syncIntervalMs: number;
  /** Longer records are written from where they are, without a copy. */
  readonly copiedRecordBytes: number;
  /** Files of earlier processes with records that are in no other file, oldest first. */
  readonly earlier?: readonly JournalFile[];
  readonly firstNumber: number;
  readonly nextSequence: number;
  /** Called once, when a failed write or sync makes the journal unusable. */
  readonly onPoisoned: (error: EngineError) => void;
  /** Awaited before each group is written: backpressure while memory is short. */
  readonly room: () => Promise<void> | undefined;
}

/** Where a write does not wait for the disk, groups up to this size are written on the main thread. */
const SHORT_WRITE_BYTES = 65_536;
const SPARE_GROUPS = 4;

export class JournalWriter {
  readonly #options: JournalOptions;
  #filling = new JournalGroup();
  /** Groups that are complete and wait to be stored, in order. */
  readonly #waiting: JournalGroup[] = [];
  readonly #spare = new Pool(SPARE_GROUPS, () => new JournalGroup());
  #flight: Promise<void> | undefined;
  /** The group on its way to disk; never rejects; resolves after its entries were notified. */
  #storing: Promise<void> | undefined;
  #file: VfsFile | undefined;
  /** The file instead at `group`, where each write is durable. */
  #durableFile: DurableFile | undefined;
  readonly #identity: number;
  #poisoned: EngineError | undefined;
  #cancelTimer: (() => void) | undefined;
  #nextNumber: number;
  #nextSequence: number;
  #rollRequested = false;
  readonly #files: JournalFile[];
  /** Sequence numbers of the last record passed to the kernel and the last one on stable storage. */
  #writtenSequence: number;
  #syncedSequence: number;
  #syncing: Promise<void> | undefined;
  syncCount = 0;
  /** Total duration of syncs; ms. */
  syncMs = 0;
  bytesWritten = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#files = [...(options.earlier ?? [])];
    this.#identity = options.random.uint32();
    this.#nextNumber = options.firstNumber;
    this.#nextSequence = options.nextSequence;
    this.#writtenSequence = options.nextSequence - 1;
    this.#syncedSequence = this.#writtenSequence;
    if (options.durability === 'interval') this.#scheduleSync();
  }

  get poisoned(): EngineError | undefined {
    return this.#poisoned;
  }

  /** Sequence number of the last record that is on stable storage. */
  get syncedSequence(): number {
    return this.#syncedSequence;
  }

  get writtenSequence(): number {
    return this.#writtenSequence;
  }

  /** Files that are not retired, oldest first; `forget` retires one. */
  get files(): readonly JournalFile[] {
    return this.#files;
  }

  /** Bytes of these files. */
  get keptBytes(): number {
    return this.#files.reduce((sum, file) => sum + file.sizeBytes, 0);
  }

  /** Whether some entry is neither committed nor failed. */
  get busy(): boolean {
    return this.#flight !== undefined || this.#hasWaiting;
  }

  /**
   * Submits a request. Without a record nothing is stored, but the answer still waits for everything submitted before.
   * `lazy` records are written with the next group and cause no sync.
   * @returns the record's sequence number, or that of the last record before
   */
  submit(record: JournalRecord | undefined, entry: JournalEntry, urgency: 'sync' | 'lazy' = 'sync'): number {
    if (this.#poisoned) {
      entry.fail(this.#poisoned);
      return this.#writtenSequence;
    }
    const isLong = record instanceof ByteWriter && record.length > this.#options.copiedRecordBytes;
    if (isLong) this.#endGroup();
    const group = this.#filling;
    if (group.entries.length === 0) group.firstSequence = this.#nextSequence;
    group.entries.push(entry);
    if (record) {
      const facts = { sequence: this.#nextSequence++, identity: this.#identity, syncedSequence: this.#syncedSequence };
      if (isLong) group.adopt(record, facts);
      else group.add(record, facts);
      if (urgency === 'sync') group.urgent = true;
    }
    if (isLong) this.#endGroup();
    this.#flight ??= this.#flushAtEndOfTurn();
    return this.#nextSequence - 1;
  }

  /** What is submitted from now on goes to another group. */
  #endGroup(): void {
    if (this.#filling.entries.length === 0) return;
    this.#waiting.push(this.#filling);
    this.#filling = this.#spare.take();
  }

  get #hasWaiting(): boolean {
    return this.#waiting.length > 0 || this.#filling.entries.length > 0;
  }

  /** Makes the next group begin a new file. Resolves once every group of the current file is committed or failed. */
  async roll(): Promise<void> {
    this.#rollRequested = true;
    await this.#storing;
  }

  /** Whether the next record begins a new file. */
  get rolling(): boolean {
    return this.#rollRequested;
  }

  /** Removes a retired file from the list. If it is the open one, it stays open until the next record. */
  forget(number: number): void {
    const index = this.#files.findIndex((file) => file.number === number);
    if (index >= 0) this.#files.splice(index, 1);
  }

  /** Resolves once everything submitted before is committed or failed. */
  async drain(): Promise<void> {
    while (this.#flight) await this.#flight;
  }

  /** Forces every record written so far to stable storage. Rejects with POISONED. */
  async sync(): Promise<void> {
    if (this.#poisoned) throw this.#poisoned;
    if (this.#durableFile) this.#syncedSequence = this.#writtenSequence;
    const current = this.#files.at(-1);
    if (!this.#file || !current || this.#writtenSequence <= this.#syncedSequence) return;
    await this.#syncFile(this.#file, current, this.#writtenSequence);
  }

  /** Finishes what was submitted, syncs and closes. */
  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.drain();
    await this.#closeFile();
  }

  /** Requests that arrived in the same turn of the event loop share a group. */
  #flushAtEndOfTurn(): Promise<void> {
    return new Promise((resolve) => atEndOfTurn(() => resolve(this.#flush())));
  }

  /** Nothing is awaited before the first write begins, unless it must be: long work would come in between. */
  async #flush(): Promise<void> {
    while (this.#hasWaiting) {
      const room = this.#options.room();
      if (room) await room;
      if (this.#waiting.length === 0) this.#endGroup();
      const group = this.#waiting.shift() as JournalGroup;
      this.#storing = this.#settle(group);
      await this.#storing;
      this.#storing = undefined;
    }
    this.#flight = undefined;
  }

  async #settle(group: JournalGroup): Promise<void> {
    try {
      if (group.sizeBytes > 0) await this.#store(group);
      await this.#commitAll(group);
    } catch (error) {
      this.#failAll(group, error);
    }
    group.entries = [];
    group.clear();
    this.#spare.release(group);
  }

  async #store(group: JournalGroup): Promise<void> {
    if (this.#poisoned) throw this.#poisoned;
    const file = this.#fileGoingOn() ?? (await this.#nextFile(group));
    const position = file.sizeBytes;
    const bytes = group.written();
    if (this.#durableFile) await this.#appendDurably(this.#durableFile, bytes);
    else await this.#write(this.#file as VfsFile, bytes, position);
    file.sizeBytes = position + bytes.length;
    file.lastSequence = this.#lastSequenceOf(group);
    this.#writtenSequence = file.lastSequence;
    // Records that wait for nobody count as synced when somebody asks: a later record never says more than it must.
    if (this.#durableFile && group.urgent) this.#syncedSequence = file.lastSequence;
    this.bytesWritten += bytes.length;
  }

  /** A failure but a full disk is that of a sync: nothing is written any more (D11). */
  async #appendDurably(file: DurableFile, bytes: Uint8Array): Promise<void> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    try {
      await file.append(bytes);
    } catch (error) {
      if (!isDiskFull(error)) throw this.#poison(error, 'sync');
      await this.#rollback(() => file.cut(), error);
    }
    this.syncMs += clock.monotonicMs() - startMs;
    this.syncCount++;
  }

  async #write(file: VfsFile, bytes: Uint8Array, position: number): Promise<void> {
    try {
      // For a few bytes, a round trip to another thread takes longer than the write call.
      if (bytes.length <= SHORT_WRITE_BYTES) file.writeSync(bytes, position);
      else await file.write(bytes, position);
    } catch (error) {
      const cut = (): Promise<void> => {
        file.truncateSync(position);
        return this.#alone(() => file.sync());
      };
      await this.#rollback(cut, error);
    }
  }

  async #syncFile(file: VfsFile, { firstSequence }: JournalFile, sequence: number): Promise<void> {
    await this.#alone(async () => {
      if (this.#syncedSequence >= sequence) return;
      if (this.#poisoned) throw this.#poisoned;
      try {
        const { clock } = this.#options;
        const startMs = clock.monotonicMs();
        await file.sync();
        this.syncMs += clock.monotonicMs() - startMs;
        // The first sync of a file also syncs its name (D13).
        if (this.#syncedSequence < firstSequence) await this.#options.vfs.syncDirectory(this.#options.folder);
      } catch (error) {
        throw this.#poison(error, 'sync');
      }
      this.syncCount++;
      this.#syncedSequence = sequence;
    });
  }

  /** One sync at a time (D11): of two concurrent syncs of a file the kernel reports a write error to only one. */
  async #alone(work: () => Promise<void>): Promise<void> {
    while (this.#syncing) await this.#syncing;
    let end = (): void => undefined;
    this.#syncing = new Promise((resolve) => {
      end = resolve;
    });
    try {
      await work();
    } finally {
      this.#syncing = undefined;
      end();
    }
  }

  /** The sequence number of a group's last frame. */
  #lastSequenceOf(group: JournalGroup): number {
    const behind = this.#waiting[0] ?? this.#filling;
    const next = behind.entries.length > 0 ? behind.firstSequence : this.#nextSequence;
    return Math.max(next - 1, group.firstSequence - 1);
  }

  /** The open file, if the next group goes to it. Frames carry the file's identity, so a file changes only between groups. */
  #fileGoingOn(): JournalFile | undefined {
    const current = this.#files.at(-1);
    const isOpen = this.#file !== undefined || this.#durableFile !== undefined;
    if (!isOpen || !current || this.#rollRequested) return undefined;
    return current.sizeBytes < this.#options.fileBytes ? current : undefined;
  }

  async #nextFile(group: JournalGroup): Promise<JournalFile> {
    this.#rollRequested = false;
    await this.#closeFile();
    return this.#openFile(group.firstSequence);
  }

  async #closeFile(): Promise<void> {
    const [file, durableFile] = [this.#file, this.#durableFile];
    if (!this.#poisoned) await this.sync();
    this.#file = undefined;
    this.#durableFile = undefined;
    file?.closeSync();
    durableFile?.close();
  }

  async #openFile(firstSequence: number): Promise<JournalFile> {
    const { vfs, folder } = this.#options;
    const number = this.#nextNumber;
    const header = new ByteWriter(64);
    encodeHeader(header, JOURNAL_HEADER, JOURNAL_MAGIC, { identity: this.#identity, number, firstSequence });
    const path = `${folder}/${formatFileNumber(number)}`;
    try {
      await this.#begin(path, header.written());
    } catch (error) {
      vfs.removeSync(path);
      throw fullOr(error, () => this.#poison(error, 'create'));
    }
    this.#nextNumber++;
    const file: JournalFile = { number, firstSequence, lastSequence: firstSequence - 1, sizeBytes: header.length };
    this.#files.push(file);
    return file;
  }

  /** Creates the file with its header; at `group` both are durable, its name included (D13). */
  async #begin(path: string, header: Uint8Array): Promise<void> {
    const { vfs, folder, durability } = this.#options;
    const isDurable = durability === 'group';
    const file = vfs.openSync(path, isDurable ? 'write-through' : 'write');
    try {
      if (!isDurable) file.writeSync(header, 0);
      else {
        const durableFile = new DurableFile(file);
        await durableFile.begin(header);
        await vfs.syncDirectory(folder);
        this.#durableFile = durableFile;
      }
    } catch (error) {
      file.closeSync();
      throw error;
    }
    if (!isDurable) this.#file = file;
  }

  /** Cuts a half-written group off, so that the next record follows the last good one. */
  async #rollback(cut: () => Promise<void>, cause: unknown): Promise<never> {
    try {
      // A refused record must not reappear after a power failure.
      await cut();
    } catch (error) {
      throw this.#poison(error, 'truncate');
    }
    throw fullOr(cause, () => this.#poison(cause, 'write'));
  }

  async #commitAll(group: JournalGroup): Promise<void> {
    const entries = group.entries;
    group.entries = []; // an error in one must not fail entries that were acknowledged
    for (const entry of entries) {
      const applying = entry.commit();
      if (applying) await applying;
    }
  }

  #failAll(group: JournalGroup, cause: unknown): void {
    const error = cause instanceof EngineError ? cause : this.#poison(cause, 'write');
    this.#endGroup();
    const behind = this.#waiting.splice(0);
    const entries = [group, ...behind].flatMap((one) => one.entries);
    this.#nextSequence = group.firstSequence;
    for (const one of behind) {
      one.entries = [];
      one.clear();
      this.#spare.release(one);
    }
    for (const entry of entries.reverse()) entry.fail(error);
  }

  #poison(cause: unknown, during: string): EngineError {
    if (this.#poisoned) return this.#poisoned;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new EngineError(
      'POISONED',
      `The journal's ${during} failed (${reason}). Nothing more is written; the process must be started again.`,
      { path: this.#options.folder },
      cause,
    );
    this.#poisoned = error;
    this.#cancelTimer?.();
    this.#options.onPoisoned(error);
    return error;
  }

  #scheduleSync(): void {
    this.#cancelTimer = this.#options.clock.after(this.#options.syncIntervalMs, () => {
      this.sync().then(
        () => this.#scheduleSync(),
        () => undefined, // poisoned, and reported
      );
    });
  }
}

/** DISK_FULL for a full disk, which is retried; `otherwise` for every other error. */
function fullOr(cause: unknown, otherwise: () => EngineError): EngineError {
  if (!isDiskFull(cause)) return otherwise();
  const message = 'The disk is full: the request was not stored. It is safe to send it again.';
  return new EngineError('DISK_FULL', message, {}, cause);
}
