// The journal of one dataset: takes requests in order, writes and syncs them in groups, and notifies each one when it is
// durable (D1). Requests that arrive while a sync runs share the next one.

import { EngineError } from '../errors.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import type { Random } from '../io/random.ts';
import { atEndOfTurn } from '../io/slicer.ts';
import { Pool } from '../points/pool.ts';
import { type JournalFile, JournalFiles, type JournalFilesOptions, type WrittenRecords } from './journal-files.ts';
import { type JournalEntry, JournalGroup, type JournalRecord } from './journal-group.ts';

export interface JournalOptions extends JournalFilesOptions {
  readonly random: Random;
  readonly syncIntervalMs: number;
  /** Longer records are written from where they are, without a copy. */
  readonly copiedRecordBytes: number;
  /** Awaited before each group is written: backpressure while memory is short. */
  readonly room: () => Promise<void> | undefined;
}

const SPARE_GROUPS = 4;

export class JournalWriter {
  readonly #options: JournalOptions;
  readonly #files: JournalFiles;
  readonly #identity: number;
  #filling = new JournalGroup();
  /** Groups that are complete and wait to be stored, in order. */
  readonly #waiting: JournalGroup[] = [];
  readonly #spare = new Pool(SPARE_GROUPS, () => new JournalGroup());
  #flight: Promise<void> | undefined;
  /** The group on its way to disk; never rejects; resolves after its entries were notified. */
  #storing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #nextSequence: number;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#identity = options.random.uint32();
    this.#nextSequence = options.nextSequence;
    const onPoisoned = (error: EngineError): void => {
      this.#cancelTimer?.();
      options.onPoisoned(error);
    };
    this.#files = new JournalFiles({ ...options, onPoisoned }, this.#identity);
    if (options.durability === 'interval') this.#scheduleSync();
  }

  /** Sequence number of the last record that is on stable storage. */
  get syncedSequence(): number {
    return this.#files.syncedSequence;
  }

  /** Files that are not retired, oldest first; `forget` retires one. */
  get files(): readonly JournalFile[] {
    return this.#files.list;
  }

  /** Bytes of these files. */
  get keptBytes(): number {
    return this.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  }

  get syncCount(): number {
    return this.#files.syncCount;
  }

  /** Total duration of syncs; ms. */
  get syncMs(): number {
    return this.#files.syncMs;
  }

  get bytesWritten(): number {
    return this.#files.bytesWritten;
  }

  /**
   * Submits a request. Without a record nothing is stored, but the answer still waits for everything submitted before.
   * `lazy` records are written with the next group and cause no sync.
   * @returns the record's sequence number, or that of the last record before
   */
  submit(record: JournalRecord | undefined, entry: JournalEntry, urgency: 'sync' | 'lazy' = 'sync'): number {
    const { poisoned } = this.#files;
    if (poisoned) {
      entry.fail(poisoned);
      return this.#files.writtenSequence;
    }
    const isLong = record instanceof ByteWriter && record.length > this.#options.copiedRecordBytes;
    if (isLong) this.#endGroup();
    const group = this.#filling;
    if (group.entries.length === 0) group.firstSequence = this.#nextSequence;
    group.entries.push(entry);
    if (record) {
      const facts = { sequence: this.#nextSequence++, identity: this.#identity, syncedSequence: this.syncedSequence };
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
    this.#files.roll();
    await this.#storing;
  }

  /** Whether the next record begins a new file. */
  get rolling(): boolean {
    return this.#files.rolling;
  }

  /** Removes a retired file from the list. If it is the open one, it stays open until the next record. */
  forget(number: number): void {
    this.#files.forget(number);
  }

  /** Resolves once everything submitted before is committed or failed. */
  async drain(): Promise<void> {
    while (this.#flight) await this.#flight;
  }

  /** Forces every record written so far to stable storage. Rejects with POISONED. */
  sync(): Promise<void> {
    return this.#files.sync();
  }

  /** Finishes what was submitted, syncs and closes. */
  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.drain();
    await this.#files.close();
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
      if (group.sizeBytes > 0) await this.#files.append(this.#recordsOf(group));
      await this.#commitAll(group);
    } catch (error) {
      this.#failAll(group, error);
    }
    group.entries = [];
    group.clear();
    this.#spare.release(group);
  }

  #recordsOf(group: JournalGroup): WrittenRecords {
    const { firstSequence, urgent } = group;
    return { bytes: group.written(), firstSequence, lastSequence: this.#lastSequenceOf(group), urgent };
  }

  /** The sequence number of a group's last frame. */
  #lastSequenceOf(group: JournalGroup): number {
    const behind = this.#waiting[0] ?? this.#filling;
    const next = behind.entries.length > 0 ? behind.firstSequence : this.#nextSequence;
    return Math.max(next - 1, group.firstSequence - 1);
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
    const error = cause instanceof EngineError ? cause : this.#files.poison(cause, 'write');
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

  #scheduleSync(): void {
    this.#cancelTimer = this.#options.clock.after(this.#options.syncIntervalMs, () => {
      this.sync().then(
        () => this.#scheduleSync(),
        () => undefined, // poisoned, and reported
      );
    });
  }
}
