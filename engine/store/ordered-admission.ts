// The short cut through admission for requests as most are: all their tags exist and have their types, and every point is
// later than the newest of its tag. Such runs are checked and put in the journal record in one go. Its slow twin in
// admission.ts does the same for every request. Benchmark: bench ingest.

import type { ByteWriter } from '../format/byte-cursors.ts';
import { beginPoints } from '../format/journal-record.ts';
import type { RunEncoder } from '../format/run-encoder.ts';
import type { PointBatch, PointColumns, PointRun } from '../types.ts';
import { ValueType } from '../types.ts';
import { isAllNew } from './new-points.ts';
import { AdmittedRun } from './pending-write.ts';
import { giveBackRecord, takeRecord } from './record-buffers.ts';
import { newestFrom } from './stored-value.ts';
import { Tag } from './tag.ts';

/** A request that was admitted: nothing of it is late or repeated. */
export interface OrderedRequest {
  readonly runs: AdmittedRun[];
  /** What the journal stores of it; to be given back when it is settled. */
  readonly record: ByteWriter;
}

/** Tells the tags of one request from those of all others. */
let request = 0;

/**
 * Admits a request whose every run is in order; undefined, with nothing changed, when it is another.
 * @param aheadMs later points are counted as ahead of time, which is not done here
 */
export function admitInOrder({ points, runs }: PointBatch, aheadMs: number): OrderedRequest | undefined {
  if (runs.length === 0) return undefined;
  request++;
  const record = takeRecord();
  const encoder = beginPoints(record, runs.length);
  const admitted: AdmittedRun[] = [];
  for (const run of runs) {
    const one = admitRun(points, run, encoder, aheadMs);
    if (one === undefined) {
      giveBackRecord(record);
      return undefined;
    }
    one.columnsEnd = one.columnsStart > 0 ? record.length : 0;
    admitted.push(one);
  }
  for (const run of admitted) note(points, run);
  return { runs: admitted, record };
}

function admitRun(points: PointColumns, run: PointRun, encoder: RunEncoder, aheadMs: number): AdmittedRun | undefined {
  const { tag, start, count } = run;
  if (!(tag instanceof Tag) || !isUsual(tag, run)) return undefined;
  tag.lastRequest = request;
  const lastMs = points.timesMs[start + count - 1] as number;
  const newest = tag.admitted;
  if (lastMs > aheadMs || (newest !== undefined && !((points.timesMs[start] as number) > newest.ms))) return undefined;
  const admitted = new AdmittedRun(run, tag);
  admitted.count = count;
  if (encoder.plainRun(admitted, points, start)) {
    admitted.coding = encoder.coding;
    admitted.columnsStart = encoder.columnsStart;
    return admitted;
  }
  if (!isAllNew(newest, points, start, start + count)) return undefined;
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
  encoder.run(admitted, points, start);
  return admitted;
}

/** Whether the run's points go to a tag as it is, and to no run before of this request. */
function isUsual(tag: Tag, run: PointRun): boolean {
  if (tag.deleted || tag.leaving || tag.lastRequest === request) return false;
  return run.count > 0 && run.stamped === 0 && tag.type === run.type && tag.type !== ValueType.Open;
}

function note(points: PointColumns, run: AdmittedRun): void {
  const { count } = run;
  const tag = run.tag as Tag;
  run.written = count;
  run.newest = newestFrom(points, run.start + count - 1, run.type, undefined);
  tag.admitted = run.newest;
  tag.admittedOrdinal += count;
}
