// Stores the points of a body, whatever its format.

import type { PointBatch, WriteReceipt } from '../../../engine/index.ts';
import type { Service } from '../service/service.ts';
import { auditingCreation, type WriteTarget } from './audit-creation.ts';
import { NOTHING_WRITTEN } from './receipt.ts';

/** Longest text value. */
export const MAX_TEXT_BYTES = 65_536;

/** A write without points creates nothing, and so is none to a dataset that is not there. */
export function storeBatch(
  service: Service,
  target: WriteTarget,
  batch: PointBatch,
): Promise<WriteReceipt> | WriteReceipt {
  const { engine } = service;
  const hasPoints = batch.runs.some(({ count }) => count > 0);
  return auditingCreation(service, target, () =>
    hasPoints || engine.hasDataset(target.dataset)
      ? engine.append(target.dataset, batch, target.late)
      : NOTHING_WRITTEN,
  );
}
