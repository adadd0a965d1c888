// What is on the screen as lines for other programs: averages as they are shown, tokens by the name of a variable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReads, type Language } from '../../../../../server/explorer/model/export/copy-as.ts';
import { choicesOf, screenReads } from '../../../../../server/explorer/model/export/screen-reads.ts';
import { tagKey } from '../../../../../server/explorer/model/tags/tag.ts';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';
import type { AggregateChoice } from '../../../../../server/explorer/model/trend/aggregate-choice.ts';

const level = { dataset: 'Plant 1', name: "Tank's.Level" };
const flow = { dataset: 'Plant 1', name: 'Flow' };
const twice = { dataset: 'Plant 1', name: 'Twice', expression: 'Flow * 2' };
const average: AggregateChoice = { fn: 'TimeAverage2', intervalMs: 86_400_000 };

function copied(language: Language, hasToken = false, isNumeric = true): string {
  setZone('Europe/Berlin');
  const axes = new Map([[tagKey(flow), { aggregate: average }]]);
  const requests = screenReads([level, flow, twice], { from: '-7d', to: 'now' }, choicesOf(axes));
  return formatReads(language, { origin: 'http://h:4511', requests, hasToken, isNumeric });
}

test('points and averages are reads of their own, averages with the zone of their intervals', () => {
  assert.deepEqual(copied('curl').split('\n'), [
    `curl -s 'http://h:4511/api/datasets/Plant%201/data?tagname=Tank'\\''s.Level&expr=Flow%20*%202&relativeStart=-7d&tz=Europe%2FBerlin&boundary=carry'`,
    `curl -s 'http://h:4511/api/datasets/Plant%201/data?tagname=Flow&aggregate=TimeAverage2&interval=1d&align=true&relativeStart=-7d&tz=Europe%2FBerlin'`,
  ]);
});

test('Python, Power Query and R read the same addresses as rows, in quotes that hold', () => {
  for (const language of ['python', 'powerquery', 'r'] as const) {
    const addresses = [...copied(language).matchAll(/"(http:[^"]*)"/g)].map(([, address = '']) => new URL(address));
    assert.deepEqual(
      addresses.map(({ searchParams: query }) => [query.getAll('tagname'), query.get('interval'), query.get('as')]),
      [
        [["Tank's.Level"], null, 'csv'],
        [['Flow'], '1d', 'csv'],
      ],
      language,
    );
  }
});

test('no token is copied, but the place that it is taken from', () => {
  for (const language of ['curl', 'python', 'powerquery', 'r'] as const) {
    assert.doesNotMatch(copied(language), /Bearer/, language);
    assert.match(copied(language, true), /Bearer.*(VARVE_TOKEN|Token)/, language);
  }
});

test('Power Query takes values for numbers only where all are', () => {
  assert.match(copied('powerquery'), /\{"value", type number\}/);
  assert.doesNotMatch(copied('powerquery', false, false), /"value"/);
});
