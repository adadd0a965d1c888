// The files of one dataset's journal: one of them is open and takes groups of records, one after the other; a failed write
// is cut off again, and a failed sync ends it all (D11).

import { EngineError } from '../errors.ts';
import { formatFileNumber } from '../filenames.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { encodeHeader, JOURNAL_HEADER, JOURNAL_MAGIC } from '../format/bytes/file-headers.ts';
import type { Clock } from '../io/clock.ts';
import { isDiskFull } from '../io/system-errors.ts';
import type { Vfs, VfsFile } from '../io/vfs.ts';
import type { Durability } from '../types.ts';
import { DurableFile } from './durable-file.ts';

/** One file of the journal. */
export interface JournalFile {
  readonly number: number;
  readonly firstSequence: number;
  /** Sequence number of the last record; below `firstSequence` when there is none. */
  lastSequence: number;
  sizeBytes: number;
}

export interface JournalFilesOptions {
  readonly vfs: Vfs;
  readonly clock: Clock;
  readonly folder: string;
  readonly durability: Durability;
  readonly fileBytes: number;
  /** Files of earlier processes with records that are in no other file, oldest first. */
  readonly earlier?: readonly JournalFile[];
  readonly firstNumber: number;
  readonly nextSequence: number;
  /** Called once, when a failed write or sync makes the journal unusable. */
  readonly onPoisoned: (error: EngineError) => void;
}

/** Records that are written at once. */
export interface WrittenRecords {
  readonly bytes: Uint8Array;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Whether somebody waits for them to be on stable storage. */
  readonly urgent: boolean;
}

/** Groups up to this size are written on the main thread when a write does not wait for the disk. */
const SHORT_WRITE_BYTES = 65_536;

/** One `append` at a time; `sync` at any time. */
export class JournalFiles {
  readonly #options: JournalFilesOptions;
  /** Identity of this process, in the header of each file and in each record: bytes of another one are never taken for its own. */
  readonly #identity: number;
  #file: VfsFile | undefined;
  /** The file instead at `group`, where each write is durable. */
  #durableFile: DurableFile | undefined;
  #poisoned: EngineError | undefined;
  #nextNumber: number;
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

  constructor(options: JournalFilesOptions, identity: number) {
    this.#options = options;
    this.#identity = identity;
    this.#files = [...(options.earlier ?? [])];
    this.#nextNumber = options.firstNumber;
    this.#writtenSequence = options.nextSequence - 1;
    this.#syncedSequence = this.#writtenSequence;
  }

  get poisoned(): EngineError | undefined {
    return this.#poisoned;
  }

  get writtenSequence(): number {
    return this.#writtenSequence;
  }

  get syncedSequence(): number {
    return this.#syncedSequence;
  }

  /** Files that are not retired, oldest first. */
  get list(): readonly JournalFile[] {
    return this.#files;
  }

  get rolling(): boolean {
    return this.#rollRequested;
  }

  /** The next records begin a new file. */
  roll(): void {
    this.#rollRequested = true;
  }

  /** Removes a retired file from the list. If it is the open one, it stays open until the next record. */
  forget(number: number): void {
    const index = this.#files.findIndex((file) => file.number === number);
    if (index >= 0) this.#files.splice(index, 1);
  }

  /**
   * Appends records; at `group` they are durable once resolved. Nothing is awaited before the write begins, unless a file
   * must be begun. Rejects with DISK_FULL, which leaves nothing of them and may be tried again, or with POISONED.
   */
  async append({ bytes, firstSequence, lastSequence, urgent }: WrittenRecords): Promise<void> {
    if (this.#poisoned) throw this.#poisoned;
    const file = this.#fileGoingOn() ?? (await this.#nextFile(firstSequence));
    const position = file.sizeBytes;
    if (this.#durableFile) await this.#appendDurably(this.#durableFile, bytes);
    else await this.#write(this.#file as VfsFile, bytes, position);
    file.sizeBytes = position + bytes.length;
    file.lastSequence = lastSequence;
    this.#writtenSequence = lastSequence;
    // Records that wait for nobody count as synced when somebody asks: a later record never says more than it must.
    if (this.#durableFile && urgent) this.#syncedSequence = lastSequence;
    this.bytesWritten += bytes.length;
  }

  /** Forces every record written so far to stable storage. Rejects with POISONED. */
  async sync(): Promise<void> {
    if (this.#poisoned) throw this.#poisoned;
    if (this.#durableFile) this.#syncedSequence = this.#writtenSequence;
    const current = this.#files.at(-1);
    if (!this.#file || !current || this.#writtenSequence <= this.#syncedSequence) return;
    await this.#syncFile(this.#file, current, this.#writtenSequence);
  }

  /** Syncs and closes the open file. */
  async close(): Promise<void> {
    const [file, durableFile] = [this.#file, this.#durableFile];
    if (!this.#poisoned) await this.sync();
    this.#file = undefined;
    this.#durableFile = undefined;
    file?.closeSync();
    durableFile?.close();
  }

  /** Nothing is written any more, because of this. Gives what refuses everything from now on. */
  poison(cause: unknown, during: string): EngineError {
    if (this.#poisoned) return this.#poisoned;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new EngineError(
      'POISONED',
      `The journal's ${during} failed (${reason}). Nothing more is written; the process must be started again.`,
      { path: this.#options.folder },
      cause,
    );
    this.#poisoned = error;
    this.#options.onPoisoned(error);
    return error;
  }

  /** The open file, if the next records go to it. Frames carry the file's identity, so a file changes only between groups. */
  #fileGoingOn(): JournalFile | undefined {
    const current = this.#files.at(-1);
    const isOpen = this.#file !== undefined || this.#durableFile !== undefined;
    if (!isOpen || !current || this.#rollRequested) return undefined;
    return current.sizeBytes < this.#options.fileBytes ? current : undefined;
  }

  async #nextFile(firstSequence: number): Promise<JournalFile> {
    this.#rollRequested = false;
    await this.close();
    return this.#openFile(firstSequence);
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
      throw fullOr(error, () => this.poison(error, 'create'));
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

  /** A failure but a full disk is that of a sync: nothing is written any more (D11). */
  async #appendDurably(file: DurableFile, bytes: Uint8Array): Promise<void> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    try {
      await file.append(bytes);
    } catch (error) {
      if (!isDiskFull(error)) throw this.poison(error, 'sync');
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
        throw this.poison(error, 'sync');
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

  /** Cuts a half-written group off, so that the next record follows the last good one. */
  async #rollback(cut: () => Promise<void>, cause: unknown): Promise<never> {
    try {
      // A refused record must not reappear after a power failure.
      await cut();
    } catch (error) {
      throw this.poison(error, 'truncate');
    }
    throw fullOr(cause, () => this.poison(cause, 'write'));
  }
}

/** DISK_FULL for a full disk, which is retried; `otherwise` for every other error. */
function fullOr(cause: unknown, otherwise: () => EngineError): EngineError {
  if (!isDiskFull(cause)) return otherwise();
  const message = 'The disk is full: the request was not stored. It is safe to send it again.';
  return new EngineError('DISK_FULL', message, {}, cause);
}
