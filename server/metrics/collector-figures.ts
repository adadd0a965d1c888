// What is told of the collector that runs in the server's process (`--opcua`), and its form for Prometheus.

import { escapeLabel } from './label.ts';

export type CollectorState = 'connecting' | 'connected' | 'waiting' | 'stopped';

export interface CollectorSnapshot {
  readonly kind: 'opcua';
  /** The dataset that it fills. */
  readonly dataset: string;
  /** `waiting`: no server can be reached, and it tries again; `stopped`: it has failed. */
  readonly state: CollectorState;
  /** Servers that it may use, the preferred one first. */
  readonly endpoints: readonly string[];
  /** The server that it is connected to; absent while there is none. */
  readonly connectedTo?: string;
  /** What went wrong last, with the time; absent when nothing has. */
  readonly lastError?: string;
  readonly variables: number;
  /** Stored, over the last ten seconds. */
  readonly pointsPerSecond: number;
  /** How far the last stored points were behind the clock; absent where there are none. */
  readonly lagSeconds?: number;
  readonly counts: Readonly<Record<CollectorCount, number>>;
  /** What is on disk and not in the dataset yet. */
  readonly waiting: Readonly<Record<'points' | 'bytes' | 'batches' | 'seconds', number>>;
}

/** Name of the count, its name in the metrics, its meaning. */
export const COLLECTOR_COUNTS = [
  ['stored', 'points_stored_total', 'Points on disk or in the dataset.'],
  ['filtered', 'points_filtered_total', 'Points held back by the deadband.'],
  ['overflowed', 'queue_overflows_total', 'Values before which the queue at the server has lost others.'],
  ['dropped', 'points_dropped_total', 'Points that found no room in the buffer.'],
  ['refused', 'points_refused_total', 'Points that the dataset never takes.'],
  ['ignored', 'points_ignored_total', 'Points too late for the rules of the dataset.'],
] as const satisfies readonly (readonly [string, string, string])[];

export type CollectorCount = (typeof COLLECTOR_COUNTS)[number][0];

type Gauge = readonly [name: string, help: string, read: (collector: CollectorSnapshot) => number | undefined];

const GAUGES: readonly Gauge[] = [
  ['connected', '1 while a server is connected.', ({ state }) => (state === 'connected' ? 1 : 0)],
  ['variables', 'Variables that were found.', ({ variables }) => variables],
  ['lag_seconds', 'How far the last stored points were behind the clock.', ({ lagSeconds }) => lagSeconds],
  ['buffer_points', 'Points that wait on disk.', ({ waiting }) => waiting.points],
  ['buffer_bytes', 'Bytes of these.', ({ waiting }) => waiting.bytes],
  ['buffer_age_seconds', 'Age of the oldest batch that waits on disk.', ({ waiting }) => waiting.seconds],
];

const PREFIX = 'varve_collector_';

export const COLLECTOR_METRIC_NAMES: readonly string[] = [
  ...COLLECTOR_COUNTS.map(([, name]) => `${PREFIX}${name}`),
  ...GAUGES.map(([name]) => `${PREFIX}${name}`),
];

/** Empty when there are no collectors. */
export function renderCollectorMetrics(collectors: readonly CollectorSnapshot[]): string {
  if (collectors.length === 0) return '';
  const series = (name: string, kind: string, help: string, read: Gauge[2]): string => {
    const samples = collectors.flatMap((collector) => {
      const value = read(collector);
      return value === undefined ? [] : [`${PREFIX}${name}{dataset="${escapeLabel(collector.dataset)}"} ${value}\n`];
    });
    return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${kind}\n${samples.join('')}`;
  };
  return [
    ...COLLECTOR_COUNTS.map(([count, name, help]) => series(name, 'counter', help, ({ counts }) => counts[count])),
    ...GAUGES.map(([name, help, read]) => series(name, 'gauge', help, read)),
  ].join('');
}

/** Collectors that run beside the server. */
export interface CollectorList {
  snapshots(): CollectorSnapshot[];
}
