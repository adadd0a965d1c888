// All metrics in the Prometheus text format, collected at each scrape.

import { collectDefaultMetrics, Registry } from 'prom-client';
import type { DatasetStats, EngineStats } from '../../engine/index.ts';
import { createPacer } from '../process/pacer.ts';
import { COLLECTOR_METRIC_NAMES, type CollectorSnapshot, renderCollectorMetrics } from './collector-figures.ts';
import { COPY_METRIC_NAMES, type CopySnapshot, renderCopyMetrics } from './copy-figures.ts';
import { escapeLabel } from './label.ts';
import { LATENCY_BOUNDS_S, type RequestFigures, type RouteFigures } from './request-figures.ts';
import { renderSourceMetrics, SOURCE_METRIC_NAMES, type SourceSnapshot } from './source-figures.ts';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export interface MetricsSource {
  readonly stats: EngineStats;
  readonly requests: RequestFigures;
  readonly liveClients: number;
  /** Sources of which the caller may read all datasets. */
  readonly sources: readonly SourceSnapshot[];
  /** Collectors whose dataset the caller may read. */
  readonly collectors: readonly CollectorSnapshot[];
  readonly copies: readonly CopySnapshot[];
  /** Datasets that the caller may read. */
  readonly isVisible: (dataset: string) => boolean;
}

type Kind = 'counter' | 'gauge';
type Read = (stats: DatasetStats) => number;

/** Name, kind, meaning, figure; by dataset. */
const DATASET_METRICS: readonly (readonly [name: string, kind: Kind, help: string, read: Read])[] = [
  ['varve_points_written_total', 'counter', 'Points stored since the start.', (d) => d.pointsWritten],
  ['varve_points_ignored_total', 'counter', 'Points dropped as earlier than the newest.', (d) => d.pointsIgnored],
  ['varve_points_repeated_total', 'counter', 'Points that were stored already.', (d) => d.pointsRepeated],
  ['varve_points_rejected_total', 'counter', 'Faulty points left out of writes.', (d) => d.pointsRejected],
  [
    'varve_points_expired_total',
    'counter',
    'Points that the purge rules would have taken at once, not stored.',
    (d) => d.pointsExpired,
  ],
  ['varve_points_ahead_total', 'counter', 'Points stored though more than a day ahead.', (d) => d.pointsAhead],
  ['varve_points_read_total', 'counter', 'Points read from memory and files.', (d) => d.pointsRead],
  ['varve_write_requests_total', 'counter', 'Requests that wrote points.', (d) => d.requestCount],
  ['varve_journal_syncs_total', 'counter', 'Syncs of the journal.', (d) => d.syncCount],
  ['varve_journal_sync_seconds_total', 'counter', 'Time that syncs of the journal took.', (d) => d.syncSeconds],
  ['varve_damaged_blocks_total', 'counter', 'Damaged blocks met by reads.', (d) => d.damagedBlocks],
  ['varve_tags', 'gauge', 'User tags.', (d) => d.tagCount],
  ['varve_dataset_bytes', 'gauge', 'Bytes of the folder on disk.', (d) => d.sizeBytes],
  ['varve_head_bytes', 'gauge', 'Memory of points that are not in files yet.', (d) => d.headBytes],
  ['varve_journal_bytes', 'gauge', 'Bytes of journals that a start would replay.', (d) => d.journalBytes],
  ['varve_tag_files', 'gauge', 'Tag files.', (d) => d.tagFileCount],
  ['varve_spills', 'gauge', 'Spills.', (d) => d.spillCount],
  ['varve_writes_refused', 'gauge', '1 while writes are refused.', (d) => (d.refusing === undefined ? 0 : 1)],
  [
    'varve_purge_unmet',
    'gauge',
    '1 when the last purge could not meet its limits.',
    (d) => (d.purgeUnmet === undefined ? 0 : 1),
  ],
];

const DATASET_STATE_HELP = '0 in order, 1 open for reading only, 2 could not be opened.';

/** Names of all metrics of the server itself. */
export const METRIC_NAMES: readonly string[] = [
  ...DATASET_METRICS.map(([name]) => name),
  'varve_dataset_state',
  'varve_unknown_folders',
  'varve_bytes_written_total',
  'varve_disk_free_bytes',
  'varve_datasets',
  'varve_live_clients',
  'varve_http_requests_total',
  'varve_http_request_duration_seconds',
  ...SOURCE_METRIC_NAMES,
  ...COLLECTOR_METRIC_NAMES,
  ...COPY_METRIC_NAMES,
];

/** Metrics of the process; begun when they are first asked for, since they listen to every garbage collection. */
let processMetrics: Registry | undefined;

export async function renderMetrics(source: MetricsSource): Promise<string> {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  const own = `${await renderServer(source)}${renderRequests(source.requests.routes)}`;
  const beside = [
    renderSourceMetrics(source.sources),
    renderCollectorMetrics(source.collectors),
    renderCopyMetrics(source.copies),
  ];
  return `${own}${beside.join('')}${await processMetrics.metrics()}`;
}

/** Metric by metric: of hundreds of datasets it takes more than a slice of time. */
async function renderServer({ stats, liveClients, isVisible }: MetricsSource): Promise<string> {
  const datasets = stats.datasets.filter(({ name }) => isVisible(name));
  const labels = datasets.map(({ name }) => `{dataset="${escapeLabel(name)}"}`);
  const pacer = createPacer();
  const metrics: string[] = [];
  for (const [name, kind, help, read] of DATASET_METRICS) {
    const samples = datasets.map((dataset, i) => `${name}${labels[i]} ${read(dataset)}`);
    metrics.push(metric(kind, name, help, samples));
    if (pacer.isDue()) await pacer.yield();
  }
  const unavailable = stats.unavailable.filter(isVisible);
  const states = [
    ...datasets.map(({ isReadOnly }, i) => `varve_dataset_state${labels[i]} ${isReadOnly ? 1 : 0}`),
    ...unavailable.map((name) => `varve_dataset_state{dataset="${escapeLabel(name)}"} 2`),
  ];
  const written = Object.entries(stats.bytesWritten).map(
    ([kind, bytes]) => `varve_bytes_written_total{kind="${kind}"} ${bytes}`,
  );
  metrics.push(
    metric('gauge', 'varve_dataset_state', DATASET_STATE_HELP, states),
    metric('counter', 'varve_bytes_written_total', 'Bytes written to files.', written),
    figure('varve_disk_free_bytes', 'Bytes free on the disk of the data folder.', stats.freeBytes),
    figure('varve_datasets', 'Datasets.', datasets.length + unavailable.length),
    figure('varve_unknown_folders', "Folders whose name is no dataset's.", stats.unknownFolders),
    figure('varve_live_clients', 'Clients that listen to live data.', liveClients),
  );
  return metrics.join('\n');
}

function metric(kind: Kind, name: string, help: string, samples: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples.map((sample) => `${sample}\n`).join('')}`;
}

function figure(name: string, help: string, value: number): string {
  return metric('gauge', name, help, [`${name} ${value}`]);
}

function renderRequests(routes: readonly RouteFigures[]): string {
  const lines = [
    '# HELP varve_http_requests_total Requests by route and status.',
    '# TYPE varve_http_requests_total counter',
  ];
  for (const { method, pattern, counts } of routes) {
    for (const [status, count] of counts) {
      lines.push(`varve_http_requests_total{method="${method}",route="${pattern}",status="${status}"} ${count}`);
    }
  }
  lines.push(
    '# HELP varve_http_request_duration_seconds Time until an answer begins.',
    '# TYPE varve_http_request_duration_seconds histogram',
  );
  for (const route of routes) lines.push(...histogramLines(route));
  return `${lines.join('\n')}\n`;
}

function histogramLines({ method, pattern, buckets, sumSeconds }: RouteFigures): string[] {
  const name = 'varve_http_request_duration_seconds';
  const labels = `method="${method}",route="${pattern}"`;
  const lines: string[] = [];
  let total = 0;
  for (const [i, count] of buckets.entries()) {
    total += count;
    lines.push(`${name}_bucket{le="${LATENCY_BOUNDS_S[i] ?? '+Inf'}",${labels}} ${total}`);
  }
  return [...lines, `${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${total}`];
}
