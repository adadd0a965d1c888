// Many clients that take nothing of dear answers, at a small heap: the campaign at a smaller size.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/server-process.ts';
import { faultsOf, formatRow, LOADS, type LoadRow, runLoads } from './slow-readers.ts';

test('a server with a small heap outlives clients that take nothing, serves another one, and stops', async (context) => {
  const folder = temporaryFolder();
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const rows: LoadRow[] = [];
  const onRow = (row: LoadRow): void => {
    rows.push(row);
    context.diagnostic(formatRow('uws', row));
  };
  await runLoads({ transport: 'uws', extent: 'slice', dataFolder: join(folder, 'data'), onRow });
  assert.equal(rows.length, LOADS.length);
  assert.deepEqual(rows.flatMap(faultsOf), []);
});
