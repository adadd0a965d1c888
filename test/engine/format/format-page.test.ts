// Holds docs/format.md against the code: every table of a fixed layout, and every list of codes, in both directions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AnnotationFlag, AnnotationRecord } from '../../../engine/annotations/annotation-record.ts';
import { BlockFlag } from '../../../engine/format/block/block-header.ts';
import { BigintForm } from '../../../engine/format/columns/bigint-column.ts';
import { NumberForm } from '../../../engine/format/columns/number-column.ts';
import { Packer } from '../../../engine/format/integers/integer-packers.ts';
import { Predictor } from '../../../engine/format/integers/integer-predictors.ts';
import { LAYOUTS } from '../../../engine/format/layouts.ts';

const page = readFileSync(new URL('../../../docs/format.md', import.meta.url), 'utf8');

const CODES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'block-flag': BlockFlag,
  predictor: Predictor,
  packer: Packer,
  'number-form': NumberForm,
  'bigint-form': BigintForm,
  'annotation-record': AnnotationRecord,
  'annotation-flag': AnnotationFlag,
};

/** The rows (head and rule left out) of the table behind each comment `<!-- kind: name -->`. */
function collectTables(kind: string): Map<string, string[][]> {
  const tables = new Map<string, string[][]>();
  for (const match of page.matchAll(new RegExp(`<!-- ${kind}: ([a-z0-9-]+) -->\\s*\\n((?:\\|.*\\n?)+)`, 'g'))) {
    const [, name = '', table = ''] = match;
    assert.ok(!tables.has(name), `${name} has two tables`);
    const lines = table.trim().split('\n');
    tables.set(
      name,
      lines.slice(2).map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    );
  }
  return tables;
}

const layoutTables = collectTables('layout');
const codeTables = collectTables('codes');

test('every table of the page was found', () => {
  const anchors = page.match(/<!-- (layout|codes): /g) ?? [];
  assert.equal(layoutTables.size + codeTables.size, anchors.length);
});

test('the page has a table for every layout, and no other', () => {
  assert.deepEqual([...layoutTables.keys()].sort(), LAYOUTS.map((layout) => layout.name).sort());
});

for (const layout of LAYOUTS) {
  test(`the table of ${layout.name} has the offsets, sizes, types and fields of the code`, () => {
    const rows = layoutTables.get(layout.name) ?? [];
    const wanted = layout.fields.map((field) => [`${field.offset}`, `${field.sizeBytes}`, field.kind, field.name]);
    assert.deepEqual(
      rows.map((row) => row.slice(0, 4)),
      wanted,
    );
    for (const row of rows) assert.ok((row[4] ?? '').length > 3, `${layout.name}.${row[3]} has no meaning`);
  });
}

test('the page has a table for every list of codes, and no other', () => {
  assert.deepEqual([...codeTables.keys()].sort(), Object.keys(CODES).sort());
});

for (const [name, codes] of Object.entries(CODES)) {
  test(`the codes of ${name} are those of the code`, () => {
    const rows = (codeTables.get(name) ?? []).map(([code, label]) => [label, Number(code)]);
    assert.deepEqual(rows, Object.entries(codes));
  });
}
