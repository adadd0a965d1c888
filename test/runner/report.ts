// What a run prints: a line for each suite when its last file has ended, then every failure with its reason, totals and
// the files that took longest; those that share a process are one, as nobody can tell their times apart.

import type { BatchOutcome } from './batch-run.ts';
import { suiteOf, type TestBatch } from './test-files.ts';
import type { TestResult } from './test-result.ts';

const SLOWEST = 20;
/** Lines that are shown of what a file with a failure has printed. */
const MOST_OUTPUT_LINES = 60;

export type Detail = 'quiet' | 'verbose';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function countFiles(batches: readonly TestBatch[]): number {
  return batches.reduce((sum, { paths }) => sum + paths.length, 0);
}

/** Tests, and batches that failed as a whole. */
export function countOutcomes(outcomes: readonly BatchOutcome[]): Counts {
  const tests = outcomes.flatMap(({ results }) => results).filter(({ isSuite }) => !isSuite);
  const faults = outcomes.filter(({ fault }) => fault !== undefined).length;
  return {
    passed: tests.filter(({ verdict }) => verdict === 'passed').length,
    failed: outcomes.flatMap(({ results }) => results.filter(isFailure)).length + faults,
    skipped: tests.filter(({ verdict }) => verdict === 'skipped' || verdict === 'todo').length,
  };
}

/** A test that failed only because a test in it did has no reason of its own. */
function isFailure({ verdict, reason }: TestResult): boolean {
  return verdict === 'failed' && reason !== undefined;
}

export function formatSuite(outcomes: readonly BatchOutcome[]): string {
  const [first] = outcomes as [BatchOutcome, ...BatchOutcome[]];
  const wallMs = outcomes.reduce((sum, outcome) => sum + outcome.wallMs, 0);
  return `${suiteOf(first)}: ${formatCounts(countOutcomes(outcomes))} in ${formatSeconds(wallMs)}`;
}

function formatCounts({ passed, failed, skipped }: Counts): string {
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} FAILED`);
  if (skipped > 0) parts.push(`${skipped} left out`);
  return parts.join(', ');
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/** Every test of a batch, and everything that it has printed. */
export function formatBatch({ name, results, output, wallMs, cpuMs }: BatchOutcome): string {
  const lines = results.map(({ titles, verdict, durationMs, reason, notes }) => {
    const indent = '  '.repeat(titles.length);
    const why = verdict === 'skipped' && reason !== undefined ? `: ${reason}` : '';
    const title = `${indent}${verdict} ${titles.at(-1)}${why} (${durationMs.toFixed(1)} ms)`;
    return [title, ...notes.map((note) => `${indent}  ${note}`)].join('\n');
  });
  const head = `${name} (${formatSeconds(wallMs)}, ${formatSeconds(cpuMs)} of CPU time)`;
  return [head, ...lines, ...indentLines(output)].join('\n');
}

function indentLines(text: string): string[] {
  const trimmed = text.trimEnd();
  return trimmed === '' ? [] : trimmed.split('\n').map((line) => `    ${line}`);
}

export function formatFailures(outcomes: readonly BatchOutcome[]): string {
  return outcomes.flatMap(failuresOf).join('\n\n');
}

function failuresOf({ name, results, fault, output }: BatchOutcome): string[] {
  const failures = results.filter(isFailure).map(({ file, titles, reason = '', notes }) => {
    const title = `FAILED ${file ?? name}: ${titles.join(' > ')}`;
    return [title, ...notes.map((note) => `  ${note}`), ...indentLines(reason)].join('\n');
  });
  if (fault !== undefined) failures.push(`FAILED ${name}: ${fault}`);
  if (failures.length === 0) return [];
  const lines = indentLines(output);
  if (lines.length === 0) return failures;
  const shown = lines.slice(-MOST_OUTPUT_LINES);
  const which = shown.length < lines.length ? `the last ${shown.length} of ${lines.length} lines` : 'what';
  return [...failures, [`${name} printed (${which}):`, ...shown].join('\n')];
}

export function formatSlowest(outcomes: readonly BatchOutcome[]): string {
  const slowest = [...outcomes].sort((a, b) => b.wallMs - a.wallMs).slice(0, SLOWEST);
  const lines = slowest.map(({ name, paths, wallMs, cpuMs }) => {
    const whose = paths.length === 1 ? name : `${name} (${paths.length} files)`;
    return `${formatSeconds(wallMs).padStart(8)}  ${formatSeconds(cpuMs).padStart(8)} of CPU time  ${whose}`;
  });
  return ['The files that took longest:', ...lines].join('\n');
}

/** `wallMs` and `cpuMs` are those of the whole run. */
export function formatTotals(outcomes: readonly BatchOutcome[], wallMs: number, cpuMs: number): string {
  const times = `${formatSeconds(wallMs)}, ${formatSeconds(cpuMs)} of CPU time`;
  return `${countFiles(outcomes)} files: ${formatCounts(countOutcomes(outcomes))} in ${times}`;
}
