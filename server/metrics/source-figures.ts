// What is counted of sources, clients of brokers that bring points, and its form for Prometheus.

import { escapeLabel } from './label.ts';

/** A message that could not become points. */
export interface BadMessage {
  readonly time: string;
  readonly topic: string;
  readonly reason: string;
  /** Its beginning, as text. */
  readonly payload: string;
}

export type SourceState = 'connecting' | 'connected' | 'waiting' | 'holding' | 'stopped';

export interface SourceSnapshot {
  readonly name: string;
  /** Without user and password. */
  readonly url: string;
  readonly state: SourceState;
  /** Since when the broker is connected; absent while it is not. */
  readonly connectedSince?: string;
  /** What went wrong last, with the time; absent when nothing has. */
  readonly lastError?: string;
  /** Datasets that it has written to or is to write to. */
  readonly datasets: readonly string[];
  readonly counts: Readonly<Record<SourceCount, number>>;
  /** Stored, over the last ten seconds. */
  readonly pointsPerSecond: number;
  /** How long the last stored points had waited since their message came; absent where there are none. */
  readonly lagSeconds?: number;
  readonly pendingMessages: number;
  readonly pendingBytes: number;
  /** The last ones, newest first. */
  readonly badMessages: readonly BadMessage[];
}

/** Name of the count, its name in the metrics, its meaning. */
export const SOURCE_COUNTS = [
  ['connections', 'connections_total', 'Connections to the broker.'],
  ['messages', 'messages_total', 'Messages that came.'],
  ['bytes', 'bytes_total', 'Bytes of their payloads.'],
  ['redelivered', 'redelivered_total', 'Messages that the broker sent again.'],
  ['acknowledged', 'acknowledged_total', 'Messages acknowledged to the broker.'],
  ['bad', 'bad_messages_total', 'Messages that could not become points, wholly or in part.'],
  ['unmapped', 'unmapped_messages_total', 'Messages whose topic has no mapping, or that were retained and not wanted.'],
  ['written', 'points_written_total', 'Points stored.'],
  ['filtered', 'points_filtered_total', 'Points held back by the deadband.'],
  ['ignored', 'points_ignored_total', 'Points dropped as earlier than the newest.'],
  ['repeated', 'points_repeated_total', 'Points that were stored already.'],
  ['expired', 'points_expired_total', 'Points dropped as older than the purge rules keep.'],
  ['rejected', 'points_rejected_total', 'Values that were left out as faulty.'],
  ['retries', 'write_retries_total', 'Writes that had to be tried again, because the data folder would not take them.'],
  ['births', 'sparkplug_births_total', 'Births of edge nodes and devices.'],
  ['deaths', 'sparkplug_deaths_total', 'Deaths of edge nodes and devices.'],
  ['gaps', 'sparkplug_gaps_total', 'Messages of edge nodes out of their sequence.'],
  ['rebirths', 'sparkplug_rebirth_requests_total', 'Births asked for.'],
] as const satisfies readonly (readonly [string, string, string])[];

export type SourceCount = (typeof SOURCE_COUNTS)[number][0];

type Gauge = readonly [name: string, help: string, read: (source: SourceSnapshot) => number];

const SOURCE_GAUGES: readonly Gauge[] = [
  ['varve_mqtt_connected', '1 while the broker is connected.', (s) => (s.connectedSince === undefined ? 0 : 1)],
  ['varve_mqtt_pending_messages', 'Messages that are not stored yet.', (s) => s.pendingMessages],
  ['varve_mqtt_pending_bytes', 'Bytes of these.', (s) => s.pendingBytes],
];

export const SOURCE_METRIC_NAMES: readonly string[] = [
  ...SOURCE_COUNTS.map(([, name]) => `varve_mqtt_${name}`),
  ...SOURCE_GAUGES.map(([name]) => name),
];

/** Empty when there are no sources. */
export function renderSourceMetrics(sources: readonly SourceSnapshot[]): string {
  if (sources.length === 0) return '';
  const series = (name: string, kind: string, help: string, read: (source: SourceSnapshot) => number): string => {
    const samples = sources.map((source) => `${name}{source="${escapeLabel(source.name)}"} ${read(source)}\n`);
    return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.join('')}`;
  };
  return [
    ...SOURCE_COUNTS.map(([count, name, help]) =>
      series(`varve_mqtt_${name}`, 'counter', help, (s) => s.counts[count]),
    ),
    ...SOURCE_GAUGES.map(([name, help, read]) => series(name, 'gauge', help, read)),
  ].join('');
}

/** A list of sources that runs beside the server. */
export interface SourceList {
  snapshots(): SourceSnapshot[];
}
