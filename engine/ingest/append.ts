// Appends the points of a request: at once, or over several turns of the event loop when it is long.

import type { Dataset } from '../dataset/dataset.ts';
import type { PointBatch, WriteReceipt } from '../types.ts';
import { appendAtOnce, appendInTurns } from './general-append.ts';
import { isLongWrite } from './long-runs.ts';

/** Synchronous when there is nothing to wait for (D15); resolves and rejects as `appendAtOnce`. */
export function append(dataset: Dataset, batch: PointBatch): Promise<WriteReceipt> {
  if (isLongWrite(dataset, batch.runs.length, batch.points))
    return dataset.lane.runAlone(() => appendInTurns(dataset, batch));
  return dataset.lane.isTaken ? dataset.lane.pass(() => appendAtOnce(dataset, batch)) : appendAtOnce(dataset, batch);
}
