// The engine's only door.

export * from './engine.ts';
export * from './errors.ts';
export { DEFAULT_TUNABLES, type EngineTunables } from './limits.ts';
export { checkFolder, checkUnusedFolder } from './store/check.ts';
export type { CheckFinding, CheckReport } from './store/check-log.ts';
export { type EngineOptions, openEngine } from './store/open-engine.ts';
export * from './types.ts';
export * from './value-types.ts';
