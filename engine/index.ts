// The engine's only door.

export { AGGREGATE_NAMES, type AggregateFunction, findAggregate } from './aggregates/aggregate-functions.ts';
export { checkFolder, checkUnusedFolder } from './check/check.ts';
export type { CheckFinding, CheckReport } from './check/check-log.ts';
export type { CopyPlan, GrowingFile, ReplacedFile } from './check/copy-plan.ts';
export { checkDatasetCopy, listDatasetFolders, placeForDataset, planDatasetCopy } from './check/folder-tools.ts';
export * from './corrections.ts';
export * from './engine.ts';
export * from './errors.ts';
export { HOLD_FILE } from './filenames.ts';
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
} from './limits.ts';
export { Pool } from './pool.ts';
export * from './statistics.ts';
export { type EngineOptions, openEngine } from './store/open-engine.ts';
export * from './types.ts';
export * from './value-types.ts';
