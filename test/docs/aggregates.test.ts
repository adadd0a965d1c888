// docs/aggregates.md: its commands give what stands below them, and its tables are those of the code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGGREGATE_NAMES } from '../../engine/index.ts';
import { AGGREGATE_ALIASES, AGGREGATE_PARAMETER_NAMES } from '../../server/routes/request/aggregate-parameters.ts';
import { lacksCurl, readPage, tryCommands } from './page-commands.ts';

const page = readPage('aggregates.md');

/** First cells of the rows of a table, or second ones. */
function cellsBelow(head: string, column: number): string[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head));
  assert.ok(start >= 0, `no table ${head}`);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => line.split('|')[column] ?? '');
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

test('each command of the page gives the answer that stands below it', { skip: lacksCurl }, () => tryCommands(page, 5));

test('the page has every function, parameter and alias, and no others', () => {
  const functions = cellsBelow('| Function | Result |', 1).flatMap(codeIn);
  assert.deepEqual(functions.toSorted(), [...AGGREGATE_NAMES].sort());
  const parameters = cellsBelow('| Parameter | Meaning |', 1).flatMap(codeIn);
  assert.deepEqual(parameters.toSorted(), [...AGGREGATE_PARAMETER_NAMES, 'tz'].sort());
  const names = cellsBelow('| Name | Function |', 1).flatMap(codeIn);
  const meant = cellsBelow('| Name | Function |', 2).flatMap(codeIn);
  assert.deepEqual(
    names.map((name, i) => [name.toLowerCase(), meant[i]]),
    [...AGGREGATE_ALIASES],
  );
});
