// Why the server should end: a signal, a disk that failed, or a fault of ours. The first reason counts.

import { ExitCode } from '../exit-codes.ts';

export interface EndReason {
  readonly code: ExitCode;
  /** For the log. */
  readonly message: string;
  readonly error?: unknown;
}

export interface EndWatch {
  /** Resolves with the first reason. */
  readonly reason: Promise<EndReason>;
  /** Resolves when waiting for an orderly stop makes no sense any more: a second signal, or a fault while stopping. */
  readonly urgent: Promise<EndReason>;
  report(reason: EndReason): void;
}

/** Watches signals and uncaught errors from now on, for the rest of the process. */
export function watchForEnd(): EndWatch {
  let resolveFirst: ((reason: EndReason) => void) | undefined;
  let resolveSecond: (reason: EndReason) => void = () => undefined;
  const reason = new Promise<EndReason>((resolve) => {
    resolveFirst = resolve;
  });
  const urgent = new Promise<EndReason>((resolve) => {
    resolveSecond = resolve;
  });
  const report = (found: EndReason): void => {
    const resolve = resolveFirst ?? resolveSecond;
    resolveFirst = undefined;
    resolve(found);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => report({ code: ExitCode.Ok, message: `${signal} received` }));
  }
  // A program in an unknown state must not go on; what is on disk is safe whenever the process ends.
  process.on('uncaughtException', (error) => report({ code: ExitCode.Failed, message: 'Uncaught exception', error }));
  process.on('unhandledRejection', (error) => report({ code: ExitCode.Failed, message: 'Unhandled rejection', error }));
  return { reason, urgent, report };
}
