// What a benchmark run gives: figures of cases of suites, with what is needed to judge and repeat them. The JSON that
// `npm run bench` writes is a `Report` as it stands here.

import { median } from './statistics.ts';

export const REPORT_FORMAT = 1;

/** One measured quantity: its value in every run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Which direction is better; `none` for what only describes the case, such as bytes sent. */
  readonly better: 'more' | 'less' | 'none';
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly values: readonly number[];
}

export interface CaseResult {
  /** Cases with the same figures stand in one table. */
  readonly table: string;
  readonly name: string;
  readonly figures: readonly Figure[];
  /** What a reader must know besides: that the server lacks something, what a pause was caused by. */
  readonly notes: readonly string[];
  /** Set when the case could not be measured. */
  readonly error?: string;
}

export interface SuiteResult {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly CaseResult[];
}

export interface MachineFacts {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** File system of the folder that the data is written to. */
  readonly fileSystem: string;
}

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly startedAt: string;
  readonly seconds: number;
  readonly commit: string;
  /** Whether the tree differed from the commit. */
  readonly changed: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly quick: boolean;
  readonly machine: MachineFacts;
  readonly suites: readonly SuiteResult[];
}

/** A figure of all runs of a case. */
export function figure(name: string, unit: string, better: Figure['better'], values: readonly number[]): Figure {
  return { name, unit, better, median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}

/** What one run of a case measured. */
export type RunFigures = readonly RunFigure[];

export interface RunFigure {
  readonly name: string;
  readonly unit: string;
  readonly better: Figure['better'];
  readonly value: number;
}

export function measured(name: string, unit: string, better: Figure['better'], value: number): RunFigure {
  return { name, unit, better, value };
}

/** Joins the runs of a case, which measured the same figures in the same order. */
export function joinRuns(runs: readonly RunFigures[]): Figure[] {
  return (runs[0] ?? []).map(({ name, unit, better }, i) =>
    figure(
      name,
      unit,
      better,
      runs.map((run) => (run[i] as RunFigure).value),
    ),
  );
}
