// `npm run bench`: runs suites one after the other, prints their tables and writes everything as JSON.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchOptions, BenchUsageError, parseCommand, USAGE } from './options.ts';
import { formatComparison, readReport } from './report/compare.ts';
import { readCommit, readMachineFacts } from './report/machine.ts';
import { createProgress, type Progress, type ProgressForm } from './report/progress.ts';
import { REPORT_FORMAT, type Report, type SuiteResult } from './report/result.ts';
import { formatReportHead, formatSuite } from './report/tables.ts';
import type { SuiteName } from './suite-names.ts';
import { SuiteRun } from './suite-run.ts';
import { measureSources } from './support/server-under-test.ts';

const RESULTS_FOLDER = fileURLToPath(new URL('results', import.meta.url));
const USAGE_CODE = 2;

type Suite = (suite: SuiteRun) => Promise<void>;

/** Loaded when they are run: a run of one does not pay for the others. */
const SUITES: Readonly<Record<SuiteName, () => Promise<Suite>>> = {
  ingest: async () => (await import('./suites/ingest.ts')).runIngest,
  simulator: async () => (await import('./suites/simulator.ts')).runSimulatorSuite,
  read: async () => (await import('./suites/read.ts')).runRead,
  aggregates: async () => (await import('./suites/aggregates.ts')).runAggregates,
  mixed: async () => (await import('./suites/mixed.ts')).runMixed,
  engine: async () => (await import('./suites/engine.ts')).runEngineSuite,
  scale: async () => (await import('./suites/scale.ts')).runScale,
  limit: async () => (await import('./suites/limit.ts')).runLimit,
  figures: async () => (await import('./suites/figures.ts')).runFigures,
  day: async () => (await import('./suites/day.ts')).runDay,
  peers: async () => (await import('./suites/peers.ts')).runPeers,
};

try {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === 'help') console.log(USAGE);
  else if (command.kind === 'compare') console.log(formatComparison(readReport(command.a), readReport(command.b)));
  else await runSuites(command.options);
} catch (error) {
  if (!(error instanceof BenchUsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = USAGE_CODE;
}

async function runSuites(options: BenchOptions): Promise<void> {
  const startedMs = performance.now();
  const { seed, runs, quick } = options;
  if (options.fromSource) measureSources();
  const machine = readMachineFacts();
  const startedAt = new Date().toISOString();
  const head = { format: REPORT_FORMAT, startedAt, ...readCommit(), seed, runs, quick, machine } as const;
  const path = options.out ?? `${RESULTS_FOLDER}/${head.startedAt.replaceAll(':', '')}-${head.commit}.json`;
  const progress = createProgress(progressForm(options));
  const suites: SuiteResult[] = [];
  console.log(`${formatReportHead(head)}\n`);
  for (const name of options.suites) {
    const suite = await runSuite(name, options, progress);
    suites.push(suite);
    progress.clear();
    console.log(`${formatSuite(suite)}\n`);
    // After each suite: a run that is cut short leaves what it has.
    writeReport(path, { ...head, seconds: (performance.now() - startedMs) / 1000, suites });
  }
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s; written to ${path}`);
  if (suites.some(({ cases }) => cases.some(({ error }) => error !== undefined))) process.exitCode = 1;
}

async function runSuite(name: SuiteName, options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const startedMs = performance.now();
  const suite = new SuiteRun(options, progress.show);
  suite.progress(`${name}:`);
  const run = await SUITES[name]();
  try {
    await run(suite);
  } catch (error) {
    suite.fail(error);
  }
  return { name, seconds: (performance.now() - startedMs) / 1000, cases: suite.cases };
}

function progressForm(options: BenchOptions): ProgressForm {
  if (options.progress) return 'lines';
  return process.stderr.isTTY ? 'one line' : 'none';
}

function writeReport(path: string, report: Report): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, undefined, 1)}\n`);
}
