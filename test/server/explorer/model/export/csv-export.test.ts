// What the export dialog asks the server for, and what the file is called.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ExportForm,
  exportBody,
  exportName,
  formFault,
  usualForm,
} from '../../../../../server/explorer/model/export/export-form.ts';

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
  const form: ExportForm = { aggregate: undefined, shape: 'wide', zone: 'utc', separator: ';', decimal: ',' };
  const asked = { refs, range: window, shownZone: 'Europe/Berlin' };
  const lines = {
    tagname: ['Level'],
    expr: ['Level * 2'],
    exprName: ['Twice'],
    start: '2026-01-05T08:00:00.000Z',
    end: '2026-01-05T09:00:00.000Z',
    tz: 'Europe/Berlin',
    timeFormat: 'utc',
    format: 'wide',
    as: 'csv',
    separator: ';',
    decimal: ',',
    escapeFormulas: true,
  };
  assert.deepEqual(exportBody('csv', asked, form), { ...lines, boundary: 'carry' });
  assert.equal(exportName('A/B', window, form, 'csv'), 'A_B 2026-01-05T080000Z points.csv');
  const averages: ExportForm = { ...form, zone: 'shown', aggregate: { fn: 'Maximum2', intervalMs: 60_000 } };
  const wanted = { ...lines, timeFormat: 'local', aggregate: ['Maximum2'], interval: '60000ms', align: true };
  assert.deepEqual(exportBody('csv', asked, averages), wanted);
  assert.equal(exportName('A/B', window, averages, 'csv'), 'A_B 2026-01-05T080000Z Maximum2 60000ms.csv');
  const { timeFormat, as, separator, decimal, escapeFormulas, ...plain } = wanted;
  assert.deepEqual(exportBody('parquet', asked, averages), { ...plain, format: 'parquet' });
  assert.equal(exportName('A/B', window, form, 'parquet'), 'A_B 2026-01-05T080000Z points.parquet');
});
