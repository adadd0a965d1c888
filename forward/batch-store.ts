// Batches that wait on disk for the server, one file each, named by a running number: `000000000042.json` or `.json.gz`.
// Bounded in bytes. A file is whole and synced before its batch counts as safe, and goes only after the server's answer.

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
}

const NUMBER_DIGITS = 12;

export class BatchStore {
  readonly folder: string;
  readonly limitBytes: number;
  #sizeBytes = 0;
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

  hasRoomFor(body: HttpBody): boolean {
    return this.#sizeBytes + body.bytes.length <= this.limitBytes;
  }

  /** Keeps a batch; when it resolves, the batch survives a power cut. */
  async add(body: HttpBody): Promise<StoredBatch> {
    const number = String(this.#nextNumber++).padStart(NUMBER_DIGITS, '0');
    const path = join(this.folder, `${number}.json${body.encoding === 'gzip' ? '.gz' : ''}`);
    this.#sizeBytes += body.bytes.length;
    await withFiles(`store a batch in ${this.folder}`, () => replaceFile(path, body.bytes));
    return { path, sizeBytes: body.bytes.length, encoding: body.encoding };
  }

  async read(batch: StoredBatch): Promise<HttpBody> {
    const bytes = await withFiles(`read ${batch.path}`, () => readFile(batch.path));
    return { bytes, encoding: batch.encoding };
  }

  async remove(batch: StoredBatch): Promise<void> {
    await withFiles(`remove ${batch.path}`, () => rm(batch.path, { force: true }));
    this.#sizeBytes -= batch.sizeBytes;
  }

  async #load(): Promise<StoredBatch[]> {
    await makeDurableFolders(this.folder);
    const names = (await readdir(this.folder)).filter((name) => /^\d{12}\.json(\.gz)?$/.test(name)).sort();
    const left: StoredBatch[] = [];
    for (const name of names) {
      const path = join(this.folder, name);
      const sizeBytes = (await stat(path)).size;
      left.push({ path, sizeBytes, encoding: name.endsWith('.gz') ? 'gzip' : 'identity' });
      this.#sizeBytes += sizeBytes;
      this.#nextNumber = Number(name.slice(0, NUMBER_DIGITS)) + 1;
    }
    return left;
  }
}
