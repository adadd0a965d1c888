// Batches with points that the historian will never take: kept in a folder for whoever wants to know, in bounds, and told.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { HttpBody } from '../client/http-link.ts';
import { makeDurableFolders } from '../disk/folders.ts';
import { replaceFile } from '../disk/whole-files.ts';
import { isOfFullDisk, withFiles } from '../forward/errors.ts';

const FOLDER = 'refused';
const MOST_KEPT = 100;
/** Refusals of one reason are told once in so long. */
const TELL_AGAIN_MS = 60_000;

export interface Refusal {
  readonly reason: string;
  /** How many points of the batch; all where it is not said. */
  readonly pointCount?: number;
}

export class RefusedBatches {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  /** With those of earlier runs, once they are counted. */
  #keptCount: number | undefined;
  #pointCount = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(storeFolder: string, log: (line: string) => void) {
    this.#folder = join(storeFolder, FOLDER);
    this.#log = log;
  }

  get pointCount(): number {
    return this.#pointCount;
  }

  async keep(body: HttpBody, { reason, pointCount }: Refusal): Promise<void> {
    this.#pointCount += pointCount ?? countPoints(body);
    const where = (await this.#write(body)) ? `kept in ${this.#folder}` : 'not kept: there are too many already';
    if (performance.now() - this.#toldMs < TELL_AGAIN_MS) return;
    this.#toldMs = performance.now();
    this.#log(`${reason}; the batch is ${where}; ${this.#pointCount} points are refused by now`);
  }

  /** Gives whether there was room. */
  async #write({ bytes, encoding }: HttpBody): Promise<boolean> {
    this.#keptCount ??= (await readdir(this.#folder).catch(() => [])).length;
    if (this.#keptCount >= MOST_KEPT) return false;
    this.#keptCount++;
    const name = `${Date.now()}-${this.#keptCount}${encoding === 'gzip' ? '.json.gz' : '.json'}`;
    try {
      await withFiles(`keep a refused batch in ${this.#folder}`, async () => {
        await makeDurableFolders(this.#folder);
        await replaceFile(join(this.#folder, name), bytes);
      });
      return true;
    } catch (error) {
      if (isOfFullDisk(error)) return false;
      throw error;
    }
  }
}

/** Every point of a body begins so, and no text within one does. */
function countPoints({ bytes, encoding }: HttpBody): number {
  const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  return text.split('{"t":').length - 1;
}
