// Corrections from their acceptance on: numbered, then, once they are in the log, in force.

import type { Correction } from '../../corrections/correction.ts';
import type { Signature } from '../../corrections.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { DatasetTags } from '../../dataset/dataset-tags.ts';
import { EngineError } from '../../errors.ts';
import { notifyCorrected } from '../../ingest/point-watch.ts';
import { MAX_CORRECTED_POINTS, MAX_CORRECTIONS } from '../../limits.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { PointColumns } from '../../types.ts';

/** What is stored of a request. */
export type Planned = Omit<Correction, 'id' | 'firstPoint' | 'made' | 'undone'>;

/** What goes into the log. */
export type Numbered = Omit<Correction, 'made' | 'undone'>;

/** Who made a correction, and why. */
export type Author = Pick<Signature, 'by' | 'reason'>;

/** Only what is readable now is corrected: points on their way to disk may yet be refused, and others get their ordinals. */
export function endsOf(tags: DatasetTags, tagId: number): Pick<Planned, 'endOrdinal' | 'endLate'> {
  const tag = tags.byId.get(tagId);
  if (tag === undefined || tag.leaving) throw new EngineError('TAG_NOT_FOUND', 'The tag was deleted meanwhile.');
  const late = tags.late.get(tagId);
  return { endOrdinal: tag.nextOrdinal, endLate: FIRST_LATE_ORDINAL + (late?.nextOrdinal ?? 0) };
}

/** Throws BAD_REQUEST when the dataset has no room for it. */
export function numberOf(dataset: Dataset, planned: Planned): Numbered {
  const { corrections } = dataset;
  checkRoom(dataset, planned.points);
  const firstPoint = corrections.takePoints(planned.tagId, planned.points.count);
  return { ...planned, id: corrections.takeId(), firstPoint };
}

/** Throws BAD_REQUEST when the dataset has no room for a correction with these points. */
export function checkRoom(dataset: Dataset, points: PointColumns): void {
  checkRoomFor(dataset, 1);
  const { pointCount } = dataset.corrections;
  if (pointCount + points.count <= MAX_CORRECTED_POINTS) return;
  const message = `The corrections of the dataset have ${pointCount} points; ${MAX_CORRECTED_POINTS} are allowed.`;
  throw new EngineError('BAD_REQUEST', message);
}

/** Throws BAD_REQUEST when the dataset has no room for so many corrections. */
export function checkRoomFor({ corrections }: Dataset, count: number): void {
  if (corrections.count + count <= MAX_CORRECTIONS) return;
  const message = `The dataset has ${corrections.count} corrections, and would have ${count} more; ${MAX_CORRECTIONS} are allowed.`;
  throw new EngineError('BAD_REQUEST', message);
}

/** To be called once it is in the log, durably. */
export function putInForce(dataset: Dataset, correction: Numbered, made: Signature): void {
  if (dataset.tags.byId.get(correction.tagId)) dataset.corrections.add({ ...correction, made });
  notifyCorrected(dataset, correction.tagId, correction);
}
