// The CSV of the server in the form of a plant's spreadsheets: whole at any cut, numbers and times only where they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CsvForm, createCsvRewriter } from '../../../server/explorer/model/export/csv-rewrite.ts';
import {
  clockTime,
  type ExportForm,
  exportBody,
  exportName,
  formFault,
  usualForm,
} from '../../../server/explorer/model/export/export-form.ts';
import { formatTime } from '../../../server/explorer/model/time/axis-labels.ts';
import { setZone } from '../../../server/explorer/model/time/time-zone.ts';

const german: CsvForm = {
  separator: ';',
  decimal: ',',
  zone: 'UTC',
  names: new Map([['Flow * 2', 'Twice']]),
  texts: new Set(['Batch']),
};

function rewritten(text: string, form: CsvForm = german, chunk = 7): readonly [string, number] {
  const rewriter = createCsvRewriter(form);
  let all = '';
  for (let at = 0; at < text.length; at += chunk) all += rewriter.write(text.slice(at, at + chunk));
  return [all + rewriter.end(), rewriter.count()];
}

test('numbers have the decimal sign of the plant, texts that look like one stay; formulas become none', () => {
  const csv = [
    'time,tag,value,quality',
    '2026-01-05T08:00:00.000Z,Level,62.5,192',
    '2026-01-05T08:00:01.000Z,Batch,1.50,192',
    '2026-01-05T08:00:02.000Z,Batch,"a;b ""c""\nd,e",192',
    '2026-01-05T08:00:03.000Z,Batch,=1+1,192',
    '2026-01-05T08:00:04.000Z,Batch,"",192',
    '2026-01-05T08:00:05.000Z,"Flow * 2",-1e-7,64',
    '2026-01-05T08:00:06.000Z,Level,,0',
    '',
  ].join('\r\n');
  const wanted = [
    'time (UTC);tag;value;quality',
    '2026-01-05T08:00:00.000Z;Level;62,5;192',
    '2026-01-05T08:00:01.000Z;Batch;1.50;192',
    '2026-01-05T08:00:02.000Z;Batch;"a;b ""c""\nd,e";192',
    "2026-01-05T08:00:03.000Z;Batch;'=1+1;192",
    '2026-01-05T08:00:04.000Z;Batch;"";192',
    '2026-01-05T08:00:05.000Z;Twice;-1e-7;64',
    '2026-01-05T08:00:06.000Z;Level;;0',
    '',
  ].join('\r\n');
  for (const chunk of [1, 2, 3, 7, 50, 10_000]) assert.deepEqual(rewritten(csv, german, chunk), [wanted, 7]);
});

test('a column for each tag: the head names them, and texts are told by it', () => {
  const csv = 'time,Level TimeAverage2,Batch,"Flow * 2 TimeAverage2"\r\n2026-01-05T08:00:00.000Z,1.5,2.5,3.5\r\n';
  const [text] = rewritten(csv);
  assert.equal(
    text,
    'time (UTC);Level TimeAverage2;Batch;Twice TimeAverage2\r\n2026-01-05T08:00:00.000Z;1,5;2.5;3,5\r\n',
  );
});

test('times by the clocks of a zone keep all digits, and say which of two hours is meant', () => {
  setZone('Europe/Berlin');
  const at = (iso: string): string => clockTime(iso, (timeMs) => formatTime(timeMs, 3_600_000));
  assert.equal(at('2026-01-05T08:00:00.000Z'), '2026-01-05 09:00:00');
  assert.equal(at('2026-07-05T08:00:00.2501234Z'), '2026-07-05 10:00:00.2501234');
  assert.equal(at('2026-10-25T00:30:00.500Z'), '2026-10-25 02:30:00.500+02:00');
  assert.equal(at('2026-10-25T01:30:00.000Z'), '2026-10-25 02:30:00+01:00');
  assert.equal(at('never'), 'never');
});

test('the form of a language, and what cannot be told apart', () => {
  assert.deepEqual(usualForm('de-DE'), { decimal: ',', separator: ';' });
  assert.deepEqual(usualForm('en-GB'), { decimal: '.', separator: ',' });
  const form: ExportForm = { aggregate: undefined, shape: 'rows', zone: 'utc', separator: ',', decimal: ',' };
  assert.match(formFault(form) ?? '', /comma/);
  assert.equal(formFault({ ...form, separator: '\t' }), undefined);
});

test('the read and the name of the file say what was chosen', () => {
  const window = { startMs: Date.UTC(2026, 0, 5, 8), endMs: Date.UTC(2026, 0, 5, 9) };
  const refs = [
    { dataset: 'A/B', name: 'Level' },
    { dataset: 'A/B', name: 'Twice', expression: 'Level * 2' },
  ];
  const form: ExportForm = { aggregate: undefined, shape: 'wide', zone: 'utc', separator: ',', decimal: '.' };
  const times = { start: '2026-01-05T08:00:00.000Z', end: '2026-01-05T09:00:00.000Z' };
  const lines = { tagname: ['Level'], expr: ['Level * 2'], ...times, exact: 'string', format: 'wide', as: 'csv' };
  assert.deepEqual(exportBody(refs, window, form, 'UTC'), { ...lines, boundary: 'carry' });
  assert.equal(exportName('A/B', window, form), 'A_B 2026-01-05T080000Z points.csv');
  const averages: ExportForm = { ...form, aggregate: { fn: 'Maximum2', intervalMs: 60_000 } };
  const wanted = { ...lines, aggregate: ['Maximum2'], interval: '60000ms', align: true, tz: 'UTC' };
  assert.deepEqual(exportBody(refs, window, averages, 'UTC'), wanted);
  assert.equal(exportName('A/B', window, averages), 'A_B 2026-01-05T080000Z Maximum2 60000ms.csv');
});
