// Why a backup or a restore failed, in words that say what to do, with the exit code that says it to programs.

import { EngineError } from '../../../engine/index.ts';
import { ExitCode } from '../../exit-codes.ts';

/** A failure that is no fault of the program. */
export class BackupFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Prints why it failed and gives the exit code; anything else is thrown on. */
export function reportFailure(error: unknown): ExitCode {
  const failure = toFailure(error);
  if (failure === undefined) throw error;
  process.stderr.write(`${failure.message}\n`);
  return failure.exitCode;
}

function toFailure(error: unknown): BackupFailure | undefined {
  if (error instanceof BackupFailure) return error;
  if (error instanceof EngineError && error.code === 'LOCKED')
    return new BackupFailure(ExitCode.InUse, `${error.message}. Stop the server first.`, error);
  if (error instanceof EngineError && error.code === 'BAD_NAME')
    return new BackupFailure(ExitCode.Usage, error.message, error);
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : new BackupFailure(ExitCode.Io, `The disk refused: ${message}.`, error);
}
