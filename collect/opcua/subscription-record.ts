// The subscriptions of the connection that runs, in a file: what a server has sent and nobody has acknowledged, or keeps in its
// queues, is asked for on the next connection, also by the next run.

import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../../disk/whole-files.ts';
import { isOfFullDisk, withFiles } from '../../forward/errors.ts';

export interface RecordedSubscription {
  readonly id: number;
  /** The number by which the server's notifications name a variable, and its node id. */
  readonly items: readonly (readonly [handle: number, nodeId: string])[];
}

interface Recorded {
  readonly endpoint: string;
  readonly subscriptions: readonly RecordedSubscription[];
}

export class SubscriptionRecord {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Empty where the file is missing or damaged, or of another endpoint. */
  async read(endpoint: string): Promise<readonly RecordedSubscription[]> {
    try {
      const recorded = JSON.parse(await readFile(this.#path, 'utf8')) as Recorded;
      return recorded.endpoint === endpoint ? recorded.subscriptions.filter(isSound) : [];
    } catch {
      return [];
    }
  }

  async write(endpoint: string, subscriptions: readonly RecordedSubscription[]): Promise<void> {
    const bytes = Buffer.from(JSON.stringify({ endpoint, subscriptions } satisfies Recorded));
    try {
      await withFiles(`write ${this.#path}`, () => replaceFile(this.#path, bytes));
    } catch (error) {
      if (!isOfFullDisk(error)) throw error;
      await this.clear();
    }
  }

  async clear(): Promise<void> {
    await withFiles(`remove ${this.#path}`, () => rm(this.#path, { force: true }));
  }
}

function isSound({ id, items }: RecordedSubscription): boolean {
  return Number.isInteger(id) && id > 0 && Array.isArray(items);
}
