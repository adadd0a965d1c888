// Points on their way to the historian: every batch goes to disk first, in order, and leaves it with the historian's answer. The
// folder is bounded; while it is full nothing more is taken, and the server's history has what comes then.

import { type HttpBody, type HttpTarget, packBody } from '../client/http-link.ts';
import { BatchStore, type StoredBatch } from '../forward/batch-store.ts';
import { hasDiskRoom } from '../forward/disk-room.ts';
import { isOfFullDisk, RefusedError } from '../forward/errors.ts';
import { type HistorianClient, type PostReceipt, UnavailableError } from '../forward/historian-client.ts';
import { Lane } from '../forward/lane.ts';
import { LinkState } from '../forward/link-state.ts';
import { figuresOf, type StoreFigures } from '../forward/store-figures.ts';
import { GatheredPoints } from './gathered-points.ts';
import { formatBody, type NamedPoint } from './point.ts';
import { RefusedBatches } from './refused-batches.ts';

const GATHER_MS = 200;
/** Points that may wait in memory for a disk that is slow. */
const MOST_UNWRITTEN = 500_000;
/** Refusals that somebody can undo: a token that is replaced, a dataset that is made again, a server that is set up. */
const CURABLE = [401, 403, 404, 409, 413];
/** Room that a disk must have again before it is used, in batches of the size that found none. */
const BATCHES_OF_ROOM = 4;
const WHEN_FULL =
  'points are dropped; the history of the OPC UA server is read when there is room again, where it has one';

export interface BufferOptions {
  readonly folder: string;
  readonly limitBytes: number;
  readonly target: HttpTarget;
  readonly client: Pick<HistorianClient, 'postData'>;
  /** Done before a batch is sent: the dataset and its tags. Rejects while it cannot be done. */
  readonly prepare: () => Promise<void>;
  /** The historian was away: it may be another one when it is back. */
  readonly onAway: () => void;
  readonly onStored: (points: readonly NamedPoint[]) => void;
  /** Points are lost from here on, until `resume`. */
  readonly onDropping: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface BufferCounts {
  /** Points that found no room. */
  readonly dropped: number;
  /** Points that the historian does not take, ever. */
  readonly refused: number;
  /** Points that were late, for a dataset that takes none such. */
  readonly ignored: number;
}

export class PointBuffer {
  readonly #options: BufferOptions;
  readonly #store: BatchStore;
  readonly #lane: Lane;
  readonly #linkState: LinkState;
  readonly #refused: RefusedBatches;
  #gathered = new GatheredPoints();
  #lastGathered: GatheredPoints | undefined;
  #writing: Promise<void> = Promise.resolve();
  #unwrittenCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDropping = false;
  /** Bytes that the disk had no room for. */
  #missedBytes = 0;
  #droppedCount = 0;
  #ignoredCount = 0;
  #curableTold = '';

  private constructor(options: BufferOptions, store: BatchStore) {
    this.#options = options;
    this.#store = store;
    this.#refused = new RefusedBatches(store.folder, options.log);
    this.#linkState = new LinkState(store.folder, options.log, WHEN_FULL);
    const client = { postData: (body: HttpBody) => this.#post(body) };
    const { signal, onFailure } = options;
    this.#lane = new Lane({ client, store, linkState: this.#linkState, signal, onFailure });
  }

  /** Also gives what an earlier run left, in order. */
  static async open(options: BufferOptions): Promise<{ buffer: PointBuffer; left: readonly StoredBatch[] }> {
    const { store, left } = await BatchStore.open(options.folder, options.limitBytes);
    const buffer = new PointBuffer(options, store);
    if (left.length > 0) options.log(`sending ${left.length} batches that an earlier run left in ${options.folder}`);
    for (const batch of left) buffer.#lane.offerStored(batch);
    return { buffer, left };
  }

  get figures(): StoreFigures {
    return figuresOf(this.#store, Date.now());
  }

  get counts(): BufferCounts {
    return { dropped: this.#droppedCount, refused: this.#refused.pointCount, ignored: this.#ignoredCount };
  }

  /** Whether points were dropped, and half of the room is free again: it is time to take points from the last stored ones on. */
  get canResume(): boolean {
    if (!this.#isDropping || this.#store.sizeBytes > this.#store.limitBytes / 2) return false;
    return this.#missedBytes === 0 || hasDiskRoom(this.#store.folder, this.#missedBytes * BATCHES_OF_ROOM);
  }

  /** Takes points again, once those from before are written or dropped. */
  async resume(): Promise<void> {
    await this.written();
    if (!this.canResume) return;
    this.#isDropping = false;
    this.#missedBytes = 0;
    this.#linkState.hasRoom();
  }

  add(points: readonly NamedPoint[]): void {
    for (const point of points) {
      this.#gathered.add(point);
      if (this.#gathered.isFull) this.#write();
    }
    if (!this.#gathered.isEmpty) this.#timer ??= setTimeout(() => this.#write(), GATHER_MS);
  }

  /** Resolves when everything that was added is on disk, or dropped since it is full. */
  async written(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Resolves at the same moment without hurrying it; never for points that are dropped. */
  async kept(): Promise<void> {
    await (this.#gathered.isEmpty ? this.#lastGathered : this.#gathered)?.kept();
  }

  /** Resolves when all batches are with the historian, or the signal is aborted. */
  async sent(): Promise<void> {
    await this.written();
    await this.#lane.forwarded();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#gathered;
    if (gathered.isEmpty) return;
    this.#gathered = new GatheredPoints();
    this.#lastGathered = gathered;
    const { points } = gathered;
    if (this.#unwrittenCount > MOST_UNWRITTEN) return this.#drop(points);
    this.#unwrittenCount += points.length;
    this.#writing = this.#writing
      .then(() => this.#writeBatch(gathered))
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#unwrittenCount -= points.length;
      });
  }

  async #writeBatch(gathered: GatheredPoints): Promise<void> {
    const { points } = gathered;
    const body = await packBody(this.#options.target, Buffer.from(formatBody(points)));
    // What follows a dropped batch is dropped, too: else nobody could tell later from where on to read the server's history.
    if (this.#isDropping || !this.#store.hasRoomFor(body)) return this.#drop(points);
    let batch: StoredBatch;
    try {
      batch = await this.#store.add(body, points.length);
    } catch (error) {
      if (!isOfFullDisk(error)) throw error;
      this.#missedBytes = body.bytes.length;
      return this.#drop(points);
    }
    this.#options.onStored(points);
    gathered.keep();
    this.#lane.offerStored(batch);
  }

  #drop(points: readonly NamedPoint[]): void {
    this.#droppedCount += points.length;
    if (this.#missedBytes > 0) this.#linkState.diskIsFull();
    else this.#linkState.storeIsFull(this.#store.limitBytes);
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#options.onDropping();
  }

  async #post(body: HttpBody): Promise<void> {
    try {
      await this.#options.prepare();
    } catch (error) {
      // No fault of the batch, whatever it is that the historian does not like.
      if (error instanceof RefusedError) throw this.#curable(error);
      throw this.#awayFrom(error);
    }
    try {
      await this.#judge(await this.#options.client.postData(body, 'lenient'), body);
      this.#curableTold = '';
    } catch (error) {
      if (!(error instanceof RefusedError)) throw this.#awayFrom(error);
      if (CURABLE.includes(error.status)) throw this.#curable(error);
      // A batch that can never be taken must not hold up the ones behind it.
      await this.#refused.keep(body, { reason: error.message });
    }
  }

  /** The faulty points of a batch hold up neither its others nor the ones behind it. */
  async #judge({ rejectedCount, ignoredCount, fault }: PostReceipt, body: HttpBody): Promise<void> {
    if (rejectedCount > 0) {
      const reason = `the server refused ${rejectedCount} points of a batch: ${fault ?? 'it does not say why'}`;
      await this.#refused.keep(body, { reason, pointCount: rejectedCount });
    }
    if (ignoredCount > 0 && this.#ignoredCount === 0)
      this.#options.log(
        `the dataset takes no late points, and has left out ${ignoredCount}: want its rule late=accept`,
      );
    this.#ignoredCount += ignoredCount;
  }

  #awayFrom(error: unknown): unknown {
    if (error instanceof UnavailableError) this.#options.onAway();
    return error;
  }

  #curable(error: RefusedError): UnavailableError {
    if (this.#curableTold !== error.message) this.#options.log(`${error.message}; the points wait until it takes them`);
    this.#curableTold = error.message;
    this.#options.onAway();
    return new UnavailableError(error.message, { cause: error });
  }
}
