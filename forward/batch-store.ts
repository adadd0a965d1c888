// Batches that wait on disk for the server, one file each, named by a running number, behind which the number of its points may
// stand: `000000000042.json`, `000000000042-1500.json.gz`. Bounded in bytes. A file is whole and synced before its batch counts as safe, and goes only after the server's answer.

import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBody } from '../client/http-link.ts';
import { makeDurableFolders } from '../disk/folders.ts';
import { replaceFile } from '../disk/whole-files.ts';
import { withFiles } from './errors.ts';

export const STORE_LIMIT_BYTES = 256 * 1024 * 1024;

export interface StoredBatch {
  readonly path: string;
  readonly sizeBytes: number;
  readonly encoding: HttpBody['encoding'];
  /** 0 where it is not known. */
  readonly pointCount: number;
  /** When it came to disk, in milliseconds since 1970. */
  readonly storedMs: number;
}

const NUMBER_DIGITS = 12;
const FILE_NAME = /^\d{12}(?:-(\d{1,9}))?\.json(\.gz)?$/;

export class BatchStore {
  readonly folder: string;
  readonly limitBytes: number;
  /** In the order in which they came. */
  readonly #batches = new Set<StoredBatch>();
  #sizeBytes = 0;
  #pointCount = 0;
  #nextNumber = 0;

  private constructor(folder: string, limitBytes: number) {
    this.folder = folder;
    this.limitBytes = limitBytes;
  }

  /** Opens the store; also tells what an earlier run left, in order. */
  static async open(folder: string, limitBytes: number): Promise<{ store: BatchStore; left: StoredBatch[] }> {
    const store = new BatchStore(folder, limitBytes);
    const left = await withFiles(`open the store ${folder}`, () => store.#load());
    return { store, left };
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get batchCount(): number {
    return this.#batches.size;
  }

  /** Points that wait, as far as their number is known. */
  get pointCount(): number {
    return this.#pointCount;
  }

  /** When the oldest batch that waits came, in milliseconds since 1970. */
  get oldestMs(): number | undefined {
    for (const { storedMs } of this.#batches) return storedMs;
    return undefined;
  }

  hasRoomFor(body: HttpBody): boolean {
    return this.#sizeBytes + body.bytes.length <= this.limitBytes;
  }

  /** Keeps a batch; when it resolves, the batch survives a power cut. */
  async add(body: HttpBody, pointCount = 0): Promise<StoredBatch> {
    const number = String(this.#nextNumber++).padStart(NUMBER_DIGITS, '0');
    const counted = pointCount === 0 ? '' : `-${pointCount}`;
    const path = join(this.folder, `${number}${counted}.json${body.encoding === 'gzip' ? '.gz' : ''}`);
    const { encoding, bytes } = body;
    const batch = { path, sizeBytes: bytes.length, encoding, pointCount, storedMs: Date.now() };
    // Its room is taken before it is written: others ask for room meanwhile.
    this.#count(batch);
    try {
      await withFiles(`store a batch in ${this.folder}`, () => replaceFile(path, bytes));
    } catch (error) {
      this.#discount(batch);
      throw error;
    }
    return batch;
  }

  async read(batch: StoredBatch): Promise<HttpBody> {
    const bytes = await withFiles(`read ${batch.path}`, () => readFile(batch.path));
    return { bytes, encoding: batch.encoding };
  }

  async remove(batch: StoredBatch): Promise<void> {
    await withFiles(`remove ${batch.path}`, () => rm(batch.path, { force: true }));
    this.#discount(batch);
  }

  #count(batch: StoredBatch): void {
    this.#batches.add(batch);
    this.#sizeBytes += batch.sizeBytes;
    this.#pointCount += batch.pointCount;
  }

  #discount(batch: StoredBatch): void {
    if (!this.#batches.delete(batch)) return;
    this.#sizeBytes -= batch.sizeBytes;
    this.#pointCount -= batch.pointCount;
  }

  async #load(): Promise<StoredBatch[]> {
    await makeDurableFolders(this.folder);
    const names = (await readdir(this.folder)).filter((name) => FILE_NAME.test(name)).sort();
    const left: StoredBatch[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      const { size: sizeBytes, mtimeMs: storedMs } = await stat(path);
      const [, points = '0', gz] = FILE_NAME.exec(name) ?? [];
      const encoding = gz === undefined ? 'identity' : 'gzip';
      const batch: StoredBatch = { path, sizeBytes, encoding, pointCount: Number(points), storedMs };
      left.push(batch);
      this.#count(batch);
      this.#nextNumber = Number(name.slice(0, NUMBER_DIGITS)) + 1;
    }
    return left;
  }
}
