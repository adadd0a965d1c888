import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CollectorSnapshot, renderCollectorMetrics } from '../../../server/metrics/collector-figures.ts';

const SNAPSHOT: CollectorSnapshot = {
  kind: 'opcua',
  dataset: 'plant',
  state: 'waiting',
  endpoints: ['opc.tcp://127.0.0.1:4840'],
  variables: 3,
  pointsPerSecond: 0,
  counts: { stored: 10, filtered: 4, overflowed: 1, dropped: 2, refused: 5, ignored: 6 },
  waiting: { points: 7, bytes: 800, batches: 2, seconds: 9 },
};

test('the buffer of a collector is in the metrics with its size and its age, and a lag that is not known is not', () => {
  const text = renderCollectorMetrics([SNAPSHOT]);
  assert.match(text, /^varve_collector_buffer_bytes\{dataset="plant"\} 800$/m);
  assert.match(text, /^varve_collector_buffer_age_seconds\{dataset="plant"\} 9$/m);
  assert.match(text, /^varve_collector_points_filtered_total\{dataset="plant"\} 4$/m);
  assert.match(text, /^varve_collector_connected\{dataset="plant"\} 0$/m);
  assert.doesNotMatch(text, /^varve_collector_lag_seconds\{/m);
  assert.match(renderCollectorMetrics([{ ...SNAPSHOT, lagSeconds: 1.5 }]), /^varve_collector_lag_seconds\{.*\} 1.5$/m);
  assert.equal(renderCollectorMetrics([]), '');
  assert.match(renderCollectorMetrics([{ ...SNAPSHOT, dataset: 'a"b' }]), /\{dataset="a\\"b"\} 800$/m);
});
