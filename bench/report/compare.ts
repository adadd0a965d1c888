// Compares two reports: the ratio of the medians of every figure that both have.

import { readFileSync } from 'node:fs';
import { BenchUsageError } from '../options.ts';
import { type CaseResult, type Figure, REPORT_FORMAT, type Report } from './result.ts';
import { alignRows, formatFigure } from './tables.ts';

/** Throws a BenchUsageError when the file is none of ours. */
export function readReport(path: string): Report {
  let report: Partial<Report>;
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Partial<Report>;
  } catch (error) {
    throw new BenchUsageError(`${path} cannot be read as a report: ${error instanceof Error ? error.message : error}`);
  }
  if (report.format !== REPORT_FORMAT || !Array.isArray(report.suites)) {
    throw new BenchUsageError(`${path} is not a report of this benchmark (format ${REPORT_FORMAT})`);
  }
  return report as Report;
}

/** A table of `b / a`; the last column says when the ranges of the two do not touch, and who is better. */
export function formatComparison(a: Report, b: Report): string {
  const rows: string[][] = [];
  for (const suite of b.suites) {
    const before = a.suites.find(({ name }) => name === suite.name);
    for (const result of suite.cases) {
      const other = before?.cases.find(({ table, name }) => table === result.table && name === result.name);
      if (other) rows.push(...comparisonRows(`${suite.name}: ${result.name}`, other, result));
    }
  }
  const head = [
    `a: ${a.startedAt} ${a.commit}, ${a.machine.processor}`,
    `b: ${b.startedAt} ${b.commit}, ${b.machine.processor}`,
  ];
  if (rows.length === 0) return [...head, 'The two reports have no figure in common.'].join('\n');
  return [...head, '', alignRows([['case', 'figure', 'a', 'b', 'b / a', ''], ...rows])].join('\n');
}

function comparisonRows(title: string, a: CaseResult, b: CaseResult): string[][] {
  return b.figures.flatMap((after) => {
    const before = a.figures.find(({ name, unit }) => name === after.name && unit === after.unit);
    if (!before) return [];
    const ratio = after.median / before.median;
    const shown = Number.isFinite(ratio) ? ratio.toFixed(2) : '-';
    return [
      [title, `${after.name}, ${after.unit}`, formatFigure(before), formatFigure(after), shown, verdict(before, after)],
    ];
  });
}

/** Two single runs tell nothing about noise. */
const RUNS_TO_JUDGE = 3;

function verdict(a: Figure, b: Figure): string {
  if (Math.min(a.values.length, b.values.length) < RUNS_TO_JUDGE) return '';
  if (a.better === 'none' || (a.min <= b.max && b.min <= a.max)) return '';
  const isMore = b.min > a.max;
  return isMore === (a.better === 'more') ? 'better' : 'worse';
}
