// The ways in which a program that sends points can end badly, each with the exit code that says so.

import { isDiskFull } from '../disk/disk-full.ts';

export const EXIT = { fine: 0, failed: 1, usage: 2, io: 74, inUse: 75 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Expected: told in its own words, without a trace. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** The historian does not take a request, and would not take it the next time. */
export class RefusedError extends RunError {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(EXIT.failed, message);
    this.status = status;
  }
}

/** The run was stopped before what it waited for came about; not a failure. */
export class RunEndedError extends Error {
  override readonly name = 'RunEndedError';
}

/** Runs file work; whatever goes wrong there becomes an I/O failure that says at what. */
export async function withFiles<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(EXIT.io, `cannot ${what}: ${messageOf(error)}`, error);
  }
}

/** Whether a disk had no room for what was to be written; also of an error of `withFiles`. */
export function isOfFullDisk(error: unknown): boolean {
  return isDiskFull((error as Error | undefined)?.cause ?? error);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
