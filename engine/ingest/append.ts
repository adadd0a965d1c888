// Appends the points of a request: a usual one as one batch, at once; a long one batch by batch.

import type { Dataset } from '../dataset/dataset.ts';
import type { PointBatch, WriteReceipt } from '../types.ts';
import { appendRequest } from './append-batch.ts';
import { appendInBatches } from './append-batches.ts';
import { isLongRequest } from './cut-batches.ts';

/** Synchronous when there is nothing to wait for (D15); rejects as `appendRequest` and `appendInBatches` do. */
export function append(dataset: Dataset, request: PointBatch): Promise<WriteReceipt> {
  const {
    context,
    writing: { lane },
  } = dataset;
  if (isLongRequest(request, context.tunables)) return lane.runAlone(() => appendInBatches(dataset, request));
  return lane.isTaken ? lane.pass(() => appendRequest(dataset, request)) : appendRequest(dataset, request);
}
