// Points on their way to the historian: every batch goes to disk first, in order, and leaves it with the historian's answer. The
// folder is bounded; while it is full nothing more is taken, and the server's history has what comes then.

import { join } from 'node:path';
import { type HttpBody, type HttpTarget, packBody } from '../client/http-link.ts';
import { makeDurableFolders } from '../disk/folders.ts';
import { replaceFile } from '../disk/whole-files.ts';
import { BatchStore } from '../forward/batch-store.ts';
import { RefusedError, withFiles } from '../forward/errors.ts';
import { type HistorianClient, UnavailableError } from '../forward/historian-client.ts';
import { Lane } from '../forward/lane.ts';
import { LinkState } from '../forward/link-state.ts';
import { formatBody, type NamedPoint } from './point.ts';

const GATHER_MS = 200;
const MOST_POINTS = 10_000;
const REFUSED = 'refused';
const MOST_REFUSED = 100;
/** Refusals that somebody can undo: a token that is replaced, a dataset that is made again, a server that is set up. */
const CURABLE = [401, 403, 404, 409, 413];
const WHEN_FULL =
  'points are dropped; the history of the OPC UA server is read when there is room again, where it has one';

export interface BufferOptions {
  readonly folder: string;
  readonly limitBytes: number;
  readonly target: HttpTarget;
  readonly client: HistorianClient;
  /** Done before the first batch is sent: the dataset and its tags. Rejects while it cannot be done. */
  readonly prepare: () => Promise<void>;
  readonly onStored: (points: readonly NamedPoint[]) => void;
  readonly onFailure: (error: unknown) => void;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export class PointBuffer {
  readonly #options: BufferOptions;
  readonly #store: BatchStore;
  readonly #lane: Lane;
  readonly #linkState: LinkState;
  #gathered: NamedPoint[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isDropping = false;
  #droppedCount = 0;
  #refusedCount = 0;
  #curableTold = '';

  private constructor(options: BufferOptions, store: BatchStore) {
    this.#options = options;
    this.#store = store;
    this.#linkState = new LinkState(store.folder, options.log, WHEN_FULL);
    const client = { postData: (body: HttpBody) => this.#post(body) };
    this.#lane = new Lane({ client, store, linkState: this.#linkState, signal: options.signal });
  }

  static async open(options: BufferOptions): Promise<PointBuffer> {
    const { store, left } = await BatchStore.open(options.folder, options.limitBytes);
    const buffer = new PointBuffer(options, store);
    if (left.length > 0) options.log(`sending ${left.length} batches that an earlier run left in ${options.folder}`);
    for (const batch of left) buffer.#lane.offerStored(batch);
    return buffer;
  }

  get sizeBytes(): number {
    return this.#store.sizeBytes;
  }

  get droppedCount(): number {
    return this.#droppedCount;
  }

  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Whether points were dropped, and half of the room is free again: it is time to take points from the last stored ones on. */
  get canResume(): boolean {
    return this.#isDropping && this.#store.sizeBytes <= this.#store.limitBytes / 2;
  }

  /** Takes points again. */
  resume(): void {
    if (this.canResume) this.#isDropping = false;
  }

  add(points: readonly NamedPoint[]): void {
    for (const point of points) this.#gathered.push(point);
    if (this.#gathered.length >= MOST_POINTS) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), GATHER_MS);
  }

  /** Resolves when everything that was added is on disk, or dropped since it is full. */
  async written(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Resolves when all batches are with the historian, or the signal is aborted. */
  async sent(): Promise<void> {
    await this.written();
    await this.#lane.forwarded();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const points = this.#gathered;
    if (points.length === 0) return;
    this.#gathered = [];
    this.#writing = this.#writing.then(() => this.#writeBatch(points)).catch(this.#options.onFailure);
  }

  async #writeBatch(points: readonly NamedPoint[]): Promise<void> {
    const body = await packBody(this.#options.target, Buffer.from(formatBody(points)));
    // What follows a dropped batch is dropped, too: else nobody could tell later from where on to read the server's history.
    this.#isDropping ||= !this.#store.hasRoomFor(body);
    if (this.#isDropping) {
      this.#droppedCount += points.length;
      this.#linkState.storeIsFull(this.#store.limitBytes);
      return;
    }
    const batch = await this.#store.add(body);
    this.#options.onStored(points);
    this.#lane.offerStored(batch);
  }

  /** A batch that can never be taken must not hold up the ones behind it: it is kept beside them. */
  async #post(body: HttpBody): Promise<void> {
    try {
      await this.#options.prepare();
      await this.#options.client.postData(body);
      this.#curableTold = '';
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (CURABLE.includes(error.status)) throw this.#curable(error);
      await this.#setAside(body, error);
    }
  }

  #curable(error: RefusedError): UnavailableError {
    if (this.#curableTold !== error.message) this.#options.log(`${error.message}; the points wait until it takes them`);
    this.#curableTold = error.message;
    return new UnavailableError(error.message, { cause: error });
  }

  async #setAside({ bytes, encoding }: HttpBody, error: RefusedError): Promise<void> {
    this.#refusedCount++;
    const isKept = this.#refusedCount <= MOST_REFUSED;
    if (isKept) await this.#keepRefused(bytes, encoding === 'gzip' ? '.json.gz' : '.json');
    const where = isKept ? `kept in ${join(this.#store.folder, REFUSED)}` : 'dropped: too many are kept already';
    this.#options.log(`${error.message}; the batch is ${where}`);
  }

  async #keepRefused(bytes: Buffer, ending: string): Promise<void> {
    const folder = join(this.#store.folder, REFUSED);
    await withFiles(`keep a refused batch in ${folder}`, async () => {
      await makeDurableFolders(folder);
      await replaceFile(join(folder, `${Date.now()}-${this.#refusedCount}${ending}`), bytes);
    });
  }
}
