// No row is without a case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import './cases/index.ts';
import { ROWS } from './coverage.ts';
import { cases } from './registry.ts';

test('every row has at least one case', () => {
  const proved = new Set<string>(cases.map(({ row }) => row));
  assert.deepEqual(
    ROWS.filter((row) => !proved.has(row)),
    [],
  );
});

test('the table of rows holds each row once', () => {
  assert.equal(new Set(ROWS).size, ROWS.length);
});

test('no two cases have the same title', () => {
  const titles = cases.map(({ row, fact }) => `${row}: ${fact}`);
  assert.deepEqual(
    titles.filter((title, index) => titles.indexOf(title) !== index),
    [],
  );
});
