// Prints suites as tables: a row for each case, a column for each figure, `median (min-max)` in each cell.

import type { CaseResult, Figure, Report, SuiteResult } from './result.ts';

const WIDE_COLUMNS = 8;

export function formatReportHead(report: Omit<Report, 'suites' | 'seconds'>): string {
  const { machine, commit, changed, seed, runs, startedAt } = report;
  return [
    `Varve benchmark, ${startedAt}, commit ${commit}${changed ? ' with changes' : ''}, seed ${seed}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, ${machine.fileSystem}`,
    runs === 1 ? 'one run of each case' : `medians of ${runs} runs (smallest-largest)`,
  ].join('\n');
}

export function formatSuite(suite: SuiteResult): string {
  const titles = [...new Set(suite.cases.map((result) => result.table))];
  const tables = titles.map((title) =>
    formatTable(
      title,
      suite.cases.filter((result) => result.table === title),
    ),
  );
  return [`== ${suite.name} (${suite.seconds.toFixed(0)} s)`, ...tables].join('\n\n');
}

function formatTable(title: string, cases: readonly CaseResult[]): string {
  const columns = new Map<string, string>();
  for (const { figures } of cases) for (const { name, unit } of figures) columns.set(name, columnTitle(name, unit));
  const measuredCases = cases.filter((result) => result.figures.length > 0);
  const rows = measuredCases.map((result) => [result.name, ...[...columns.keys()].map((name) => cellOf(result, name))]);
  const table = rows.length > 0 ? alignRows(turnIfWide([[title, ...columns.values()], ...rows])) : title;
  const remarks = cases.flatMap((result) => [
    ...(result.error === undefined ? [] : [`FAILED ${result.name}: ${result.error}`]),
    ...result.notes.map((note) => `${result.name}: ${note}`),
  ]);
  return [table, ...remarks.map((remark) => `  ${remark}`)].join('\n');
}

/** A few cases with many figures stand side by side. */
function turnIfWide(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const head = rows[0] ?? [];
  if (head.length <= WIDE_COLUMNS || rows.length > head.length / 2) return [...rows];
  return head.map((_, column) => rows.map((row) => row[column] ?? ''));
}

function columnTitle(name: string, unit: string): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

function cellOf(result: CaseResult, name: string): string {
  const found = result.figures.find((entry) => entry.name === name);
  return found ? formatFigure(found) : '';
}

export function formatFigure({ median, min, max, values }: Figure): string {
  if (values.length < 2) return formatNumber(median);
  return `${formatNumber(median)} (${formatNumber(min)}-${formatNumber(max)})`;
}

/** About three digits that count; never an exponent. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 1 || size === 0 ? 2 : 3);
}

/** Columns padded to equal width: the first to the left, the others to the right. */
export function alignRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number);
  const lines = rows.map((row) => row.map(pad).join('  ').trimEnd());
  return [lines[0], '-'.repeat(lines[0]?.length ?? 0), ...lines.slice(1)].join('\n');
}
