// The engine's only door.

export { AGGREGATE_NAMES, type AggregateFunction, findAggregate } from './aggregates/aggregate-functions.ts';
export type { Calculation } from './aggregates/calculation.ts';
export type { DigestNeeds } from './aggregates/digest-needs.ts';
export { isUsable, statusOf } from './aggregates/input/aggregate-rules.ts';
export { digestOfEnds } from './aggregates/input/ends-digest.ts';
export { ExactSum } from './aggregates/input/exact-sum.ts';
export type { RunDigest } from './aggregates/input/run-digest.ts';
export type * from './annotations.ts';
export { checkFolder, checkUnusedFolder } from './check/check.ts';
export type { CheckFinding, CheckReport } from './check/check-log.ts';
export type { CopyPlan, GrowingFile, ReplacedFile } from './check/copy-plan.ts';
export {
  checkDatasetCopy,
  forgetIdentity,
  listDatasetFolders,
  placeForDataset,
  planDatasetCopy,
} from './check/folder-tools.ts';
export {
  type AmendedPoint,
  Amendment,
  FIRST_AMENDED_ORDINAL,
  justBefore,
  justBehind,
} from './corrections/amendment.ts';
export type { Correction } from './corrections/correction.ts';
export { CorrectionLogReader } from './corrections/correction-entry.ts';
export { DatasetCorrections } from './corrections/dataset-corrections.ts';
export * from './corrections.ts';
export { SYSTEM_ALIASES, underAskedName } from './dataset/system-aliases.ts';
export * from './engine.ts';
export * from './errors.ts';
export { HOLD_FILE } from './filenames.ts';
export type * from './following.ts';
export { numberAt } from './format/block/block-statistics.ts';
export { lockFolder, lockForReading } from './io/folder-lock.ts';
export { isTurnOver, nextTurn } from './io/slicer.ts';
export { nodeThreads, type StartThread } from './io/worker-thread.ts';
export {
  DEFAULT_TUNABLES,
  type EngineTunables,
  MAX_AGGREGATE_RESULTS,
  MAX_ANNOTATION_BYTES,
  MAX_ANNOTATION_TEXT,
  MAX_ANNOTATIONS,
  MAX_CORRECTION_POINTS,
  MAX_SEARCHED_POINTS,
  MOST_NAMED,
} from './limits.ts';
export { Pool } from './points/pool.ts';
export { derivedCursor } from './read/derived-cursor.ts';
export { readAggregates } from './read/intervals/aggregated-read.ts';
export { readStatistics } from './read/intervals/statistics-read.ts';
export type { FindSources, NeededPoints, TakePoints, TaskSource } from './read/intervals/task-source.ts';
export * from './reads.ts';
export { appendReduced, IntervalReducer } from './reduction/interval-reducer.ts';
export * from './statistics.ts';
export { type EngineOptions, openEngine } from './store/open-engine.ts';
export { FIRST_LATE_ORDINAL } from './tag/late-tag.ts';
export { sequenceOf } from './tag/listed/tag-sequence.ts';
export { newestFrom, pushPoint, valueAt } from './tag/stored-value.ts';
export { sameValue } from './tag/tag.ts';
export { TagIdSet } from './tag/tag-id-set.ts';
export { TextList } from './text-list.ts';
export * from './types.ts';
export * from './value-types.ts';
export type * from './watches.ts';
