import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventParser } from '../../../../../server/explorer/api/event-stream.ts';
import { timeLabels } from '../../../../../server/explorer/model/time/axis-labels.ts';
import {
  formatAge,
  formatCount,
  formatDistance,
  formatSize,
  formatSpan,
} from '../../../../../server/explorer/model/time/duration-text.ts';
import { arrangeBands, bandHeights } from '../../../../../server/explorer/model/trend/bands.ts';
import { axisRange, stateRange } from '../../../../../server/explorer/model/trend/value-scale.ts';
import { numberLabels } from '../../../../../server/explorer/model/values/number-labels.ts';

const at = (text: string): number => new Date(text).getTime();

test('spans and ages are one unit long', () => {
  const cases: [number, string][] = [
    [450, '450 ms'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [5_400_000, '1.5 h'],
    [86_400_000 * 6.87, '6.8 d'],
  ];
  for (const [spanMs, text] of cases) assert.equal(formatSpan(spanMs), text);
  assert.deepEqual([-250, 1500, 5_405_000].map(formatDistance), ['-250 ms', '+1.5 s', '+1h30m5s']);
  assert.equal(formatAge(400), 'now');
  assert.equal(formatAge(-90_000), 'in 1 min');
});

test('sizes and counts are short', () => {
  assert.deepEqual([0, 8.12e-4, 0.0115, 1.26, 640].map(formatSize), ['0 B', '812 kB', '11.5 MB', '1.3 GB', '640 GB']);
  assert.deepEqual([0, 0.2, 999, 97_800, 1_250_000].map(formatCount), ['0', '0.2', '999', '97.8k', '1.3M']);
});

test('the time axis says the day at the first label and where it changes', () => {
  const labels = timeLabels([at('2024-03-01T23:00'), at('2024-03-01T23:30'), at('2024-03-02T00:00')], 1_800_000);
  assert.deepEqual(labels, ['23:00\n1 Mar', '23:30', '00:00\n2 Mar']);
  assert.deepEqual(timeLabels([at('2024-03-01T00:00')], 86_400_000), ['1 Mar']);
  assert.deepEqual(timeLabels([at('2024-01-01T00:00'), at('2024-02-01T00:00')], 28 * 86_400_000), ['Jan\n2024', 'Feb']);
  assert.deepEqual(timeLabels([at('2024-03-01T08:00:00.250')], 250), ['08:00:00.250\n1 Mar']);
});

test('the value axis has the digits of its step, or the format of its tag where that says the same', () => {
  assert.deepEqual(numberLabels([-0.5, 0, 0.5], 0.5), ['-0.5', '0.0', '0.5']);
  assert.deepEqual(numberLabels([0, 25, 50], 25), ['0', '25', '50']);
  assert.deepEqual(numberLabels([60, 62.5, 65], 2.5), ['60.0', '62.5', '65.0']);
  assert.deepEqual(numberLabels([0.1 + 0.2, 0.325], 0.025), ['0.300', '0.325']);
  assert.deepEqual(numberLabels([12_000_000, 12_345_000], 5000), ['12000000', '12345000']);
  assert.deepEqual(numberLabels([1e15, 1.000_002_5e15], 2.5e9), ['1e15', '1.0000025e15']);
  assert.deepEqual(numberLabels([2.5e-9, 5e-9], 2.5e-9), ['2.5e-9', '5e-9']);
  assert.deepEqual(numberLabels([1000, 1500], 500, '#,##0.00'), ['1,000.00', '1,500.00']);
  assert.deepEqual(numberLabels([62, 62.5], 0.5, '0'), ['62.0', '62.5'], 'the format would say 63');
  assert.deepEqual(numberLabels([0.25, 0.5], 0.25, '0%'), ['25%', '50%']);
  assert.deepEqual(numberLabels([-1, 0, 1], 1, '0;0'), ['-1', '0', '1'], 'the format hides the sign');
});

test('a flat series gets a range around it, states half a step of air', () => {
  assert.deepEqual(axisRange([{ min: 100, max: 100 }]), [95, 105]);
  assert.deepEqual(axisRange([undefined]), [0, 1]);
  const [low, high] = stateRange([0, 1], undefined);
  assert.ok(low < 0 && high > 1);
});

test('shared axes gather numbers by their unit, states and texts keep bands of their own', () => {
  const tags = [
    { n: 'T1', t: 'System.Double', u: { '1': '°C' } },
    { n: 'S', t: 'System.Boolean' },
    { n: 'T2', t: 'System.Double', u: { '1': '°C' } },
    { n: 'P', t: 'System.Int32', u: { '1': 'bar' } },
    { n: 'B', t: 'System.String' },
  ];
  const bands = arrangeBands(tags, 'shared');
  assert.deepEqual(
    bands.map(({ kind, axes }) => [kind, axes.map(({ unit, members }) => [unit, members.map(({ index }) => index)])]),
    [
      [
        'line',
        [
          ['°C', [0, 2]],
          ['bar', [3]],
        ],
      ],
      ['state', [['', [1]]]],
      ['text', [['', [4]]]],
    ],
  );
  assert.deepEqual(
    arrangeBands(tags, 'bands').map(({ kind }) => kind),
    ['line', 'state', 'line', 'step', 'text'],
  );
  const heights = bandHeights(bands, 500);
  assert.ok(heights.reduce((sum, height) => sum + height, 0) <= 500);
});

test('events are taken from a stream in whatever pieces it comes', () => {
  const text = ': hello\n\nid: 1.2\nevent: points\ndata: {"A":\ndata: 1}\n\nevent: heartbeat\r\ndata: {}\r\n\r\n';
  for (const size of [1, 3, 7, text.length]) {
    const parse = createEventParser();
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    assert.deepEqual(
      pieces.flatMap((piece) => parse(piece)),
      [
        { event: 'points', data: '{"A":\n1}', id: '1.2' },
        { event: 'heartbeat', data: '{}', id: undefined },
      ],
    );
  }
});
