// The rows of the tag list over several datasets: each dataset beyond the chosen one has a row of its own above its tags.

import type { TagRow } from './tag-tree.ts';

export interface BrowseRow extends TagRow {
  readonly dataset: string;
}

export interface RowGroup {
  readonly dataset: string;
  readonly rows: readonly TagRow[];
  readonly tagCount: number;
}

/** Datasets without rows are left out; when only the chosen one has any, it needs no row. */
export function browseRows(groups: readonly RowGroup[], chosen: string | undefined): BrowseRow[] {
  const filled = groups.filter(({ rows }) => rows.length > 0);
  const isPlain = filled.every(({ dataset }) => dataset === chosen);
  return filled.flatMap(({ dataset, rows, tagCount }) => {
    if (isPlain) return rows.map((row) => ({ ...row, dataset }));
    const inside = rows.map((row) => ({ ...row, dataset, path: `${dataset}\n${row.path}`, level: row.level + 1 }));
    return [datasetRow(dataset, tagCount), ...inside];
  });
}

/** From one row to another, both with them, in the order of the list; without the first only the second. */
export function rowsBetween(rows: readonly BrowseRow[], anchor: string | undefined, path: string): BrowseRow[] {
  const to = rows.findIndex((row) => row.path === path);
  const from = anchor === undefined ? -1 : rows.findIndex((row) => row.path === anchor);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return rows.slice(Math.max(0, first), last + 1);
}

function datasetRow(dataset: string, below: number): BrowseRow {
  return { dataset, path: `${dataset}\n`, label: dataset, level: 1, tagName: undefined, below, isOpen: true };
}
