// The engine's one error class and its closed table of codes.

/**
 * - the caller's fault: `*_NOT_FOUND`, `DATASET_EXISTS`, `CONFLICT`, `TAG_EXISTS`, `TAG_RENAMED`, `DATASET_DELETED`, `BAD_NAME`,
 *   `BAD_REQUEST`, `TOO_FAR_AHEAD`, `TOO_MANY_ANNOTATIONS`;
 * - the world's fault: `DISK_FULL` (passes by itself), `UNAVAILABLE` (a dataset that could not be opened, and is tried again), `POISONED` (a sync failed; the process must restart), `IO`, `LOCKED`, `CLOSED`;
 * - damaged bytes: `CORRUPT`, the only code that decoders throw;
 * - our fault: `BUG`.
 */
export type ErrorCode =
  | 'DATASET_NOT_FOUND'
  | 'TAG_NOT_FOUND'
  | 'CORRECTION_NOT_FOUND'
  | 'DATASET_EXISTS'
  | 'CONFLICT'
  | 'TAG_EXISTS'
  | 'TAG_RENAMED'
  | 'DATASET_DELETED'
  | 'BAD_NAME'
  | 'BAD_REQUEST'
  | 'TOO_FAR_AHEAD'
  | 'ANNOTATION_NOT_FOUND'
  | 'TOO_MANY_ANNOTATIONS'
  | 'DISK_FULL'
  | 'UNAVAILABLE'
  | 'POISONED'
  | 'IO'
  | 'LOCKED'
  | 'CLOSED'
  | 'CORRUPT'
  | 'BUG';

export interface ErrorDetails {
  /** Dataset or tag name that the error is about. */
  readonly name?: string;
  /** File inside the data folder. */
  readonly path?: string;
  /** Byte offset in that file. */
  readonly offset?: number;
  readonly [key: string]: unknown;
}

export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }
}

/** Bytes that are not what the format has at this offset. */
export function corrupt(message: string, details: ErrorDetails = {}): EngineError {
  return new EngineError('CORRUPT', message, details);
}
