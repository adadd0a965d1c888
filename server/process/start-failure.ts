// Why a start failed, in words that say what to do, with the exit code that says it to programs.

import { get } from 'node:http';
import { EngineError } from '../../engine/index.ts';
import { ExitCode } from '../exit-codes.ts';
import { reachableHost } from './loopback.ts';

const ASK_LIMIT_MS = 1_000;

/** A start that failed for a reason that is no fault of the program. */
export class StartFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Start failure for an error that listening ended with. */
export async function toListenFailure(error: unknown, host: string, port: number): Promise<unknown> {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    const holder = await askWhoListens(host, port);
    const message = `${host}:${port} is in use by ${holder}. Stop it, or choose another port with --port.`;
    return new StartFailure(ExitCode.InUse, message, error);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND') {
    return new StartFailure(ExitCode.Failed, `Cannot listen on ${host}, port ${port}: ${code}.`, error);
  }
  return error;
}

/** Start failure for an error that opening the data folder ended with. */
export function toOpenFailure(error: unknown, folder: string): unknown {
  if (isSystemError(error)) {
    return new StartFailure(ExitCode.Io, `The data folder ${folder} cannot be opened: ${error.message}.`, error);
  }
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'LOCKED') return new StartFailure(ExitCode.InUse, error.message, error);
  if (error.code === 'IO' || error.code === 'POISONED' || error.code === 'DISK_FULL') {
    return new StartFailure(ExitCode.Io, `The data folder ${folder} cannot be opened: ${error.message}`, error);
  }
  return error;
}

/** Whether the operating system gave the error, about a file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** The product that answers there, by its `Server` header. */
export function askWhoListens(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      { host: reachableHost(host), port, path: '/health', timeout: ASK_LIMIT_MS, agent: false },
      (answer) => {
        answer.resume();
        resolve(String(answer.headers.server ?? 'another HTTP server'));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve('another program'));
  });
}
