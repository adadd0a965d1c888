import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReads } from '../../../../../server/explorer/model/export/copy-as.ts';
import { formatCsv } from '../../../../../server/explorer/model/export/csv.ts';
import { choicesOf, screenReads } from '../../../../../server/explorer/model/export/screen-reads.ts';
import type { LineRef } from '../../../../../server/explorer/model/tags/tag.ts';
import type { TimeRange } from '../../../../../server/explorer/model/time/time-range.ts';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { createSeries } from '../../../../../server/explorer/model/trend/series.ts';
import { parseSavedTrends, withoutTrend, withTrend } from '../../../../../server/explorer/model/views/saved-trends.ts';

function formatCurl(origin: string, refs: readonly LineRef[], range: TimeRange, hasToken = false): string {
  const requests = screenReads(refs, range, choicesOf(new Map()));
  return formatReads('curl', { origin, requests, hasToken, isNumeric: true });
}

const START = Date.parse('2024-03-01T08:00:00Z');

test('CSV has one line for each point shown, in UTC, with texts of states and units', () => {
  const level = createSeries(
    { dataset: 'D', name: 'Level' },
    { n: 'Level', u: { '1': '%' } },
    {
      t: [START - 5000, START + 1000, START + 2000, START + 90_000],
      v: [1.5, -2, null, 9],
      q: [192, 192, 24, 192],
    },
  );
  const state = createSeries(
    { dataset: 'D', name: 'State' },
    { n: 'State', t: 'System.Int32', u: { '0': 'Off', '1': 'On, slow' } },
    {
      t: [START],
      v: [1],
      q: 192,
    },
  );
  assert.equal(
    formatCsv([level, state], { startMs: START, endMs: START + 60_000 }),
    [
      'Dataset,Tag,Time,Value,State,Unit,Quality',
      'D,Level,2024-03-01T07:59:55.000Z,1.5,,%,192',
      'D,Level,2024-03-01T08:00:01.000Z,-2,,%,192',
      'D,Level,2024-03-01T08:00:02.000Z,,,%,24',
      'D,State,2024-03-01T08:00:00.000Z,1,"On, slow",,192',
      '',
    ].join('\r\n'),
  );
});

test('curl says relative times in the words of the API, and what it has no words for as times', () => {
  setZone('Europe/Berlin');
  const timesOf = (from: string, to: string): string[] => {
    const command = formatCurl('http://h', [{ dataset: 'B', name: 'X' }], { from, to });
    return [...new URL(command.slice("curl -s '".length, -1)).searchParams].slice(1, -1).map((pair) => pair.join('='));
  };
  assert.deepEqual(timesOf('d-1d', 'd'), ['relativeStart=d-1d', 'relativeEnd=d', 'tz=Europe/Berlin']);
  assert.deepEqual(timesOf('year', 'now'), ['relativeStart=y', 'tz=Europe/Berlin']);
  assert.deepEqual(timesOf('-8h', '-1h'), ['relativeStart=-8h', 'relativeEnd=-1h']);
  const [start = '', end = ''] = timesOf('yesterday 06:00', 'yesterday+12h');
  assert.match(start, /^start=\d{4}-\d\d-\d\dT0[45]:00:00\.000Z$/);
  assert.match(end, /^end=/);
});

test('CSV quotes what needs it, and no text of a tag becomes a formula', () => {
  const text = createSeries(
    { dataset: '=D', name: 'a"b' },
    { n: 'a"b', t: 'System.String' },
    {
      t: [START],
      v: ['=1+1\nx'],
      q: 192,
    },
  );
  const big = createSeries(
    { dataset: 'D', name: 'L' },
    { n: 'L', t: 'System.Int64' },
    { t: [START], v: ['-12'], q: 192 },
  );
  const [, first, second] = formatCsv([text, big], { startMs: START, endMs: START }).split('\r\n');
  assert.equal(first, `'=D,"a""b",2024-03-01T08:00:00.000Z,"'=1+1\nx",,,192`);
  assert.equal(second, 'D,L,2024-03-01T08:00:00.000Z,-12,,,192', 'a number stays one');
});

test('curl asks for every point of the same tags and times, one command for each dataset', () => {
  const tags = [
    { dataset: 'My Plant', name: "O'Neill/T 1" },
    { dataset: 'B', name: 'X' },
  ];
  assert.equal(
    formatCurl('http://127.0.0.1:4511', tags, { from: '-2h', to: 'now' }),
    [
      "curl -s 'http://127.0.0.1:4511/api/datasets/My%20Plant/data?tagname=O'\\''Neill%2FT%201&relativeStart=-2h&boundary=carry'",
      "curl -s 'http://127.0.0.1:4511/api/datasets/B/data?tagname=X&relativeStart=-2h&boundary=carry'",
    ].join('\n'),
  );
  const closed = formatCurl('http://h', [{ dataset: 'B', name: 'X' }], { from: START, to: START + 1000 }, true);
  assert.equal(
    closed,
    `curl -s -H "Authorization: Bearer $VARVE_TOKEN" 'http://h/api/datasets/B/data?tagname=X&start=2024-03-01T08:00:00.000Z&end=2024-03-01T08:00:01.000Z&boundary=carry'`,
  );
});

test('saved trends survive a browser that holds something else', () => {
  for (const text of [null, '', '{', '{"a":1}', '[1,null,{"name":2}]']) assert.deepEqual(parseSavedTrends(text), []);
  const one = { name: 'B', link: 'd=X' };
  assert.deepEqual(parseSavedTrends(JSON.stringify([one, 7])), [one]);
  const two = withTrend(withTrend([one], { name: 'A', link: 'l' }), { name: 'B', link: 'new' });
  assert.deepEqual(two, [
    { name: 'A', link: 'l' },
    { name: 'B', link: 'new' },
  ]);
  assert.deepEqual(withoutTrend(two, 'A'), [{ name: 'B', link: 'new' }]);
});
