import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter } from '../../../../server/explorer/model/time/calm-pause.ts';
import { setZone } from '../../../../server/explorer/model/time/time-zone.ts';
import { formatPercent } from '../../../../server/explorer/model/values/percent-text.ts';
import { STATISTICS_COLUMNS, statisticsTexts } from '../../../../server/explorer/statistics/statistics-texts.ts';
import type { TagStatistics } from '../../../../server/explorer/statistics/tag-statistics.ts';

const HOUR_MS = 3_600_000;
const OVEN: TagStatistics = {
  t: { n: 'Oven', t: 'System.Double', f: '0' },
  points: 1200,
  good: 1190,
  min: { t: '2026-01-05T08:00:00.000Z', v: 99.6 },
  max: { t: '2026-01-05T08:30:00.000Z', v: 181 },
  mean: 120.4,
  timeMean: 121.7,
  deviation: 0.0123456,
  percentiles: { p5: 100.2, p50: 119.9, p95: 170.6, of: 'all' },
  percentGood: 99.99,
  longestGap: { s: '2026-01-05T08:10:00.000Z', e: '2026-01-05T08:12:30.000Z', ms: 150_000 },
};

/** By the names of the columns. */
function textsOf(statistics: TagStatistics) {
  const texts = statisticsTexts(statistics, HOUR_MS);
  assert.equal(texts.length, STATISTICS_COLUMNS.length);
  return Object.fromEntries(STATISTICS_COLUMNS.map(({ label }, index) => [label, texts[index]]));
}

test('statistics follow the format of the tag, a deviation has digits of its own', () => {
  setZone('UTC');
  const texts = textsOf(OVEN);
  assert.deepEqual(texts['Time mean'], { text: '122', title: '121.7' });
  assert.equal(texts.Deviation?.text, '0.01235');
  assert.deepEqual([texts['5 %']?.text, texts.Median?.text, texts['95 %']?.text], ['100', '120', '171']);
  assert.deepEqual(texts.Minimum, { text: '100', title: 'at 2026-01-05 08:00:00' });
  assert.equal(texts.Good?.text, '> 99.9 %');
  assert.deepEqual(texts['Longest gap'], {
    text: '2 min',
    title: 'from 2026-01-05 08:10:00 to 2026-01-05 08:12:30',
  });
  assert.deepEqual(texts.Points, { text: '1,200', title: '1,190 of them good' });
});

test('percentiles of a sample are marked, and nothing else is', () => {
  const texts = textsOf({ ...OVEN, percentiles: { p5: 1, p50: 2, p95: 3, of: 'sample' } });
  assert.equal(texts.Median?.text, '≈ 2');
  assert.match(texts.Median?.title ?? '', /^2, of a million values taken by chance/);
  assert.equal(texts['Time mean']?.text, '122');
});

test('a dash says why: texts, times, no good value', () => {
  const none = { min: null, max: null, mean: null, timeMean: null, deviation: null, percentiles: null };
  const of = (t: string, good: number) => textsOf({ ...OVEN, ...none, t: { n: 'T', t }, good });
  assert.deepEqual(of('System.String', 5)['Time mean'], { text: '–', title: 'Texts have no numbers' });
  assert.deepEqual(of('System.DateTime', 5)['95 %'], { text: '–', title: 'Times have no numbers' });
  assert.deepEqual(of('System.Double', 0).Minimum, { text: '–', title: 'No good value in the range' });
  assert.deepEqual(of('System.Double', 3).Deviation, { text: '–', title: 'Not known for this range' });
  assert.deepEqual(textsOf({ ...OVEN, longestGap: null })['Longest gap'], { text: '–', title: 'No gap' });
});

test('extremes of states have their names, what lies between two has none', () => {
  const t = { n: 'S', t: 'System.Int32', u: { '0': 'Off', '1': 'On' } };
  const texts = textsOf({ ...OVEN, t, timeMean: 1, max: { t: '2026-01-05T08:30:00.000Z', v: 1 } });
  assert.deepEqual([texts['Time mean']?.text, texts.Maximum?.text], ['1', 'On']);
});

test('a share is 0 or 100 percent only when it is', () => {
  assert.deepEqual([0, 0.01, 0.1, 33.333, 99.94, 99.99, 100].map(formatPercent), [
    '0 %',
    '< 0.1 %',
    '0.1 %',
    '33.3 %',
    '> 99.9 %',
    '> 99.9 %',
    '100 %',
  ]);
});

test('long windows and slow reads wait longer', () => {
  const window = (spanMs: number) => ({ startMs: 0, endMs: spanMs });
  assert.equal(pauseAfter(window(900_000), 20), 5000);
  assert.equal(pauseAfter(window(8 * HOUR_MS), 20), 57_600);
  assert.equal(pauseAfter(window(365 * 24 * HOUR_MS), 20), 60_000);
  assert.equal(pauseAfter(window(900_000), 20_000), 200_000);
});
