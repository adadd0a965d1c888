// The flags of `varve export` as the body of a read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportBody, formatOf } from '../../../../server/commands/export/export-request.ts';

function values(flags: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(flags));
}

test('without flags it is all points of all tags, those ahead of now too', () => {
  assert.deepEqual(exportBody(values({}), 'csv'), {
    tags: ['*'],
    start: '0001-01-01T00:00:00Z',
    end: '9999-12-31T23:59:59.9999999Z',
    format: 'csv',
  });
});

test('flags are parameters of a read; times are told from those relative to now', () => {
  const flags = {
    tag: ['A', 'B'],
    tags: ['Pump*'],
    start: ['d-1d'],
    end: ['2026-01-01'],
    tz: ['Europe/Berlin'],
    aggregate: ['Average', 'Maximum'],
    interval: ['1h'],
    align: [],
    fill: ['none'],
    layout: ['wide'],
    separator: ['semicolon'],
    decimal: [','],
    'time-format': ['local'],
    'escape-formulas': [],
  };
  assert.deepEqual(exportBody(values(flags), 'csv'), {
    tagname: ['A', 'B'],
    tags: ['Pump*'],
    relativeStart: 'd-1d',
    end: '2026-01-01',
    tz: 'Europe/Berlin',
    aggregate: ['Average', 'Maximum'],
    interval: '1h',
    align: true,
    fill: 'none',
    format: 'wide',
    as: 'csv',
    separator: ';',
    decimal: ',',
    timeFormat: 'local',
    escapeFormulas: true,
  });
  const { start, relativeEnd } = exportBody(values({ start: ['1767225600000'], end: ['-1h'] }), 'jsonl');
  assert.deepEqual([start, relativeEnd], ['1767225600000', '-1h']);
});

test('the format is that of the flag, else of the ending of the file, else CSV', () => {
  assert.equal(formatOf(values({}), 'Plant.PARQUET'), 'parquet');
  for (const name of ['Plant.arrow', 'Plant.arrows']) assert.equal(formatOf(values({}), name), 'arrow');
  assert.equal(formatOf(values({ format: ['jsonl'] }), 'Plant.csv'), 'jsonl');
  assert.equal(formatOf(values({}), '-'), 'csv');
});

test('what does not go together is told before a server is asked', () => {
  assert.throws(
    () => formatOf(values({ format: ['xlsx'] }), '-'),
    /--format: got 'xlsx'; want csv or jsonl or parquet or arrow/,
  );
  for (const format of ['parquet', 'arrow'] as const)
    assert.throws(() => exportBody(values({ layout: ['wide'] }), format), /--layout wide goes with/);
  assert.throws(() => exportBody(values({ aggregate: ['Average'] }), 'csv'), /--aggregate needs --start/);
});
