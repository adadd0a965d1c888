// What the engine's errors are over HTTP: one table, compared with docs/api.md by a test.

import { EngineError, type ErrorCode, type WriteCounts } from '../engine/index.ts';
import { countHeaders } from './count-headers.ts';
import { ProblemError } from './problem.ts';

/** Names in the details of an error. */
const MAX_FAULTS = 100;

export interface EngineStatus {
  readonly status: number;
  /** The `key` of the problem. */
  readonly key: string;
}

export const ENGINE_STATUS: Readonly<Record<ErrorCode, EngineStatus>> = {
  DATASET_NOT_FOUND: { status: 404, key: 'Error.DatasetNotFound' },
  TAG_NOT_FOUND: { status: 404, key: 'Error.TagNotFound' },
  CORRECTION_NOT_FOUND: { status: 404, key: 'Error.CorrectionNotFound' },
  CONFLICT: { status: 409, key: 'Error.Conflict' },
  TAG_EXISTS: { status: 409, key: 'Error.TagExists' },
  TAG_RENAMED: { status: 409, key: 'Error.TagRenamed' },
  DATASET_EXISTS: { status: 409, key: 'Error.DatasetExists' },
  DATASET_DELETED: { status: 404, key: 'Error.DatasetNotFound' },
  BAD_NAME: { status: 400, key: 'Error.BadName' },
  BAD_REQUEST: { status: 400, key: 'Error.BadRequest' },
  TOO_FAR_AHEAD: { status: 400, key: 'Error.TooFarAhead' },
  ANNOTATION_NOT_FOUND: { status: 404, key: 'Error.AnnotationNotFound' },
  TOO_MANY_ANNOTATIONS: { status: 409, key: 'Error.TooManyAnnotations' },
  DISK_FULL: { status: 507, key: 'Error.DiskFull' },
  UNAVAILABLE: { status: 503, key: 'Error.DatasetUnavailable' },
  POISONED: { status: 503, key: 'Error.WritingStopped' },
  CLOSED: { status: 503, key: 'Error.Stopping' },
  LOCKED: { status: 503, key: 'Error.Locked' },
  IO: { status: 500, key: 'Error.Io' },
  CORRUPT: { status: 500, key: 'Error.Corrupt' },
  BUG: { status: 500, key: 'Error.Bug' },
};

/** Seconds after which a refused write is worth another try. */
const RETRY_AFTER_SECONDS = '10';

/** The problem of an engine error; every other error is returned as it is. */
export function toProblem(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { status, key } = ENGINE_STATUS[error.code];
  const retry = status === 503 || status === 507 ? ([['Retry-After', RETRY_AFTER_SECONDS]] as const) : [];
  const headers = [...retry, ...storedHeaders(error)];
  const { renamedTo } = error.details;
  const members = typeof renamedTo === 'string' ? { renamedTo } : {};
  return new ProblemError(status, messageOf(error), { key, errors: faultsOf(error), headers, members, cause: error });
}

/** Counts of the points of a long write that were taken before it was stopped. */
function storedHeaders({ details }: EngineError): ReturnType<typeof countHeaders> {
  const stored = details.stored as WriteCounts | undefined;
  return stored === undefined ? [] : countHeaders(stored, stored.rejected);
}

/** Unknown names are said in the reference product's words; what went wrong inside is for the log only. */
function messageOf(error: EngineError): string {
  const name = error.details.name ?? namesOf(error)[0];
  if (ENGINE_STATUS[error.code].status === 500) return 'The server failed to answer this request. Its log has more.';
  const isRenamed = error.details.renamedTo !== undefined;
  if (error.code === 'TAG_NOT_FOUND' && name !== undefined && !isRenamed) return `Tag '${name}' could not be found.`;
  if (error.code === 'DATASET_NOT_FOUND' && name !== undefined) return `Dataset '${name}' could not be found.`;
  return error.message;
}

function faultsOf(error: EngineError): { path: string; message: string }[] {
  if (error.code !== 'TAG_NOT_FOUND') return [];
  const names = namesOf(error);
  return names.length < 2 ? [] : names.map((name) => ({ path: '', message: `Tag '${name}' could not be found.` }));
}

function namesOf(error: EngineError): string[] {
  const names = error.details.names;
  return Array.isArray(names) ? names.slice(0, MAX_FAULTS).map(String) : [];
}
