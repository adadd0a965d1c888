// What is counted of the copies of datasets at a centre, and its form for Prometheus.

import { escapeLabel } from './label.ts';

export type CopyState = 'copying' | 'waiting' | 'stopped';

export interface CopySnapshot {
  readonly dataset: string;
  /** The name of the copy. */
  readonly copy: string;
  /** The address of the centre, without secrets. */
  readonly centre: string;
  readonly state: CopyState;
  /** Why it stands still; absent while it does not. */
  readonly reason?: string;
  /** Seconds since all that was accepted was in the copy; absent until then. */
  readonly lagSeconds?: number;
  /** Tags with something that is not in the copy yet. */
  readonly waitingTags: number;
  /** Since the start. */
  readonly copiedPoints: number;
  readonly failures: number;
}

/** Copies that run beside the server. */
export interface CopyList {
  snapshots(): CopySnapshot[];
}

type Figure = readonly [name: string, kind: string, help: string, read: (copy: CopySnapshot) => number | undefined];

const FIGURES: readonly Figure[] = [
  ['varve_copy_points_total', 'counter', 'Points that the centre has acknowledged.', (c) => c.copiedPoints],
  ['varve_copy_failures_total', 'counter', 'Failures to write to the centre.', (c) => c.failures],
  ['varve_copy_waiting_tags', 'gauge', 'Tags with something that is not at the centre yet.', (c) => c.waitingTags],
  ['varve_copy_lag_seconds', 'gauge', 'Since all that was accepted was at the centre.', (c) => c.lagSeconds],
  [
    'varve_copy_going',
    'gauge',
    '1 while the copy goes on, 0 when it stands still.',
    (c) => (c.state === 'copying' ? 1 : 0),
  ],
];

export const COPY_METRIC_NAMES: readonly string[] = FIGURES.map(([name]) => name);

/** Empty when there are no copies. */
export function renderCopyMetrics(copies: readonly CopySnapshot[]): string {
  if (copies.length === 0) return '';
  return FIGURES.map(([name, kind, help, read]) => {
    const samples = copies.map((copy) => {
      const value = read(copy);
      return value === undefined ? '' : `${name}{dataset="${escapeLabel(copy.dataset)}"} ${value}\n`;
    });
    return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.join('')}`;
  }).join('');
}
