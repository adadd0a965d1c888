// The ways in which a run of the simulator can end badly, each with the exit code that says so.

import { type Fault, formatFault } from './config/document/faults.ts';

export const EXIT = { fine: 0, failed: 1, usage: 2, io: 74, inUse: 75 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class SimulatorError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SimulatorError';
    this.exitCode = exitCode;
  }
}

export function configurationError(path: string, faults: readonly Fault[]): SimulatorError {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new SimulatorError(EXIT.usage, [`${path} has ${count}:`, ...faults.map(formatFault)].join('\n  '));
}

/** Runs file work; whatever goes wrong there becomes an I/O failure that says at what. */
export async function withFiles<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SimulatorError) throw error;
    throw new SimulatorError(EXIT.io, `cannot ${what}: ${messageOf(error)}`, error);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
