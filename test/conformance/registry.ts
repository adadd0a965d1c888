// Register of the cases of the conformance suite: each under the row that it proves.

import type { CaseContext } from './case-context.ts';
import type { Row } from './coverage.ts';

export interface ConformanceCase {
  readonly row: Row;
  /** What is proved, as a statement. */
  readonly fact: string;
  readonly run: (c: CaseContext) => Promise<void>;
  /** Waits for the real clock, so it begins first and the others run meanwhile. */
  readonly waits: boolean;
  /** What it proves is the same behind either transport. */
  readonly isBehind: boolean;
}

export const cases: ConformanceCase[] = [];

/** Registers a case. It gets a dataset name of its own, so that cases can run at the same time. */
export function proves(row: Row, fact: string, run: (c: CaseContext) => Promise<void>): void {
  cases.push({ row, fact, run, waits: false, isBehind: false });
}

/** Registers a case that takes seconds of real time. */
export function provesInTime(row: Row, fact: string, run: (c: CaseContext) => Promise<void>): void {
  cases.push({ row, fact, run, waits: true, isBehind: false });
}

/** Registers a case of flags, restarts and clocks, which starts servers of its own; over uWebSockets with `--extent full` only. */
export function provesBehind(row: Row, fact: string, run: (c: CaseContext) => Promise<void>): void {
  cases.push({ row, fact, run, waits: false, isBehind: true });
}
