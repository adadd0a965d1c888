// The log: JSON lines on standard error, written off the main path. Standard output holds the ready line only.

import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { EngineEvent } from '../engine/index.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes out what is still in memory; call it last. */
  flush(): void;
}

export function openLog(level: string): Log {
  const target = destination({ fd: 2, sync: false });
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return { logger: pino(options, target), flush: () => target.flushSync() };
}

/** An event of the engine as a line of the log. */
export function logEvent(logger: Logger, event: EngineEvent): void {
  const { level, message, details, ...known } = event;
  logger[level]({ ...known, ...(details === undefined ? {} : { details }) }, message);
}
