// Appends the points of a request. A usual one is one batch, appended at once. A long one is appended batch by batch, each with a
// record of its own; between two of them the event loop has its turn (D17). All of it is checked first. Once a batch fails, nothing
// of those behind it is stored (D2).

import type { Dataset } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import { nextTurn, Slicer } from '../io/slicer.ts';
import type { PointBatch, WriteReceipt } from '../types.ts';
import { appendBatch, appendRequest } from './append-batch.ts';
import { type Batch, cutBatches, isLongRequest } from './batch.ts';
import { checkBatch, giveServerTimes, limitsNow, type TimeLimits } from './check-batch.ts';
import type { PendingAppend } from './pending-append.ts';
import { Receipt } from './receipts.ts';

/** Synchronous when there is nothing to wait for (D15); rejects as `appendRequest` and `appendInBatches` do. */
export function append(dataset: Dataset, request: PointBatch): Promise<WriteReceipt> {
  const {
    context,
    writing: { lane },
  } = dataset;
  if (isLongRequest(request, context.tunables)) return lane.runAlone(() => appendInBatches(dataset, request));
  return lane.isTaken ? lane.pass(() => appendRequest(dataset, request)) : appendRequest(dataset, request);
}

/**
 * Resolves when all of it is durable; run it in the dataset's lane. Rejects as `appendRequest` throws, with nothing stored; or,
 * between two batches, with what stops writing: `details.stored` then has the counts of the points before, where there are any.
 */
async function appendInBatches(dataset: Dataset, request: PointBatch): Promise<WriteReceipt> {
  dataset.checkWritable();
  const { context } = dataset;
  const slicer = new Slicer(context);
  giveServerTimes(dataset.tags, request);
  const batches = await cutBatches(request, context.tunables, () => slicer.pause());
  const limits = limitsNow(dataset);
  for (const batch of batches) {
    checkBatch(dataset, batch, limits);
    const pause = slicer.pause();
    if (pause) await pause;
  }
  return new BatchSequence(dataset, limits).append(batches);
}

class BatchSequence {
  readonly #dataset: Dataset;
  readonly #limits: TimeLimits;
  readonly #stored: WriteReceipt[] = [];

  constructor(dataset: Dataset, limits: TimeLimits) {
    this.#dataset = dataset;
    this.#limits = limits;
  }

  /** A batch is decided while the one before is on its way to disk: of one request, two at most are. */
  async append(batches: readonly Batch[]): Promise<WriteReceipt> {
    let last: PendingAppend | undefined;
    let storing = Promise.resolve();
    try {
      for (const batch of batches) {
        await nextTurn();
        // What is submitted behind a failed batch might be stored without it.
        if (last?.error) break;
        const before = storing;
        last = appendBatch(this.#dataset, batch, this.#limitsNow());
        storing = this.#noteStored(last);
        await before;
      }
      await storing;
    } catch (error) {
      await storing.catch(() => undefined);
      throw this.#withStored(error, batches);
    }
    return Receipt.merged(this.#stored);
  }

  /** A cutoff that purge has moved on meanwhile holds for the batches behind it (D9). */
  #limitsNow(): TimeLimits {
    const expiryMs = Math.max(this.#limits.expiryMs, this.#dataset.cutoffs.userMs);
    return { ...this.#limits, expiryMs };
  }

  #noteStored({ settled }: PendingAppend): Promise<void> {
    const noted = settled.then((receipt) => void this.#stored.push(receipt));
    noted.catch(() => undefined); // told when its turn comes
    return noted;
  }

  /** A dataset that is gone holds nothing. */
  #withStored(error: unknown, batches: readonly Batch[]): unknown {
    if (!(error instanceof EngineError) || this.#stored.length === 0 || this.#dataset.deleted) return error;
    const { written, ignored, repeated, rejected, ahead, expired } = Receipt.merged(this.#stored);
    const pointCount = batches.reduce((sum, batch) => sum + batch.pointCount, 0);
    const taken = written + ignored + repeated + expired;
    const why = error.code === 'DISK_FULL' ? 'The disk is full:' : error.message;
    const message = `${why} the first ${taken} of ${pointCount} points of the request were taken, those behind them were not stored. It is safe to send all of it again.`;
    const stored = { written, ignored, repeated, rejected, ahead, expired };
    return new EngineError(error.code, message, { ...error.details, stored }, error);
  }
}
