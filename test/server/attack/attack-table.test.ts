// A slice of the table of attacks, on each transport.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransportName } from '../../../server/transport.ts';
import { ATTACKS, type AttackRow, formatRow, runAttackTable } from './attack-table.ts';

/** These take as long as the limits that they wait for; `npm run campaign attack` runs them. */
const SLOW_ROWS = new Set(['slow heads and bodies', 'a reader that stops in a 500 MB answer']);

async function rowsOf(transport: TransportName): Promise<AttackRow[]> {
  const rows: AttackRow[] = [];
  const attacks = ATTACKS.filter(({ name }) => !SLOW_ROWS.has(name));
  assert.ok(attacks.length >= 12);
  await runAttackTable({ transport, extent: 'slice', attacks, onRow: (row) => rows.push(row) });
  return rows;
}

describe('HTTP under attack', () => {
  for (const transport of ['uws', 'node'] as const) {
    test(`${transport}: the server stays up, others are served, memory stays bounded`, async (context) => {
      for (const row of await rowsOf(transport)) {
        context.diagnostic(formatRow(transport, row));
        assert.deepEqual(row.failures, [], row.name);
        assert.ok(row.trials > 0, row.name);
      }
    });
  }

  test('negative control: a row whose memory grows above its bound fails', async () => {
    const attacks = ATTACKS.filter(({ name }) => name === 'hostile JSON').map((row) => ({
      ...row,
      growthLimitBytes: -1,
    }));
    const failures: string[] = [];
    await runAttackTable({
      transport: 'uws',
      extent: 'slice',
      attacks,
      onRow: (row) => failures.push(...row.failures),
    });
    assert.match(failures.join(), /memory grew/);
  });
});
