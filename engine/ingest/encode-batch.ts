// The journal record of a batch of the general path.

import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginPoints, encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import { takeRecord } from '../journal/record-buffers.ts';
import type { AcceptedRun } from './accepted/receipts.ts';
import type { Batch } from './batch.ts';
import type { OperationBeside } from './pending-append.ts';

/** What is beside the points first, then definitions, then points. Undefined when neither is to be stored. */
export function encodeBatch(
  batch: Batch,
  runs: readonly AcceptedRun[],
  beside: OperationBeside | undefined,
): ByteWriter | undefined {
  let writing = 0;
  let definitionsBytes = 0;
  for (const { tag, count, createsTag, typeChange } of runs) {
    if (count > 0) writing++;
    if (tag && (createsTag || typeChange)) definitionsBytes += mostDefineBytes(tag.definition);
  }
  if (writing === 0 && definitionsBytes === 0) return undefined;
  const record = takeRecord(batch, definitionsBytes);
  beside?.encode(record);
  if (definitionsBytes > 0) for (const run of runs) encodeDefinition(record, run);
  if (writing === 0) return record;
  const encoder = beginPoints(record, writing);
  for (const run of runs) if (run.count > 0) encoder.run(run, batch.points, run.start);
  return record;
}

function encodeDefinition(record: ByteWriter, { tag, createsTag, typeChange }: AcceptedRun): void {
  if (tag && createsTag) encodeDefine(record, tag.id, tag.definition);
  if (tag && typeChange) encodeDefine(record, tag.id, typeChange.after);
}
