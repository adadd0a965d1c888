// The table of expensive requests at a smaller size, on each transport.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  EXPENSIVE_REQUESTS,
  type FairnessLimits,
  type FairnessRow,
  faultsOf,
  formatRow,
  LIMITS,
  runFairnessTable,
  TRANSPORT_REQUESTS,
} from './fairness-table.ts';
import { machineSlowness } from './machine-slowness.ts';
import { countsThreadTimes } from './thread-cpu.ts';

/**
 * The campaign asks for half of it. Here processes of other tests run beside, and take caches and the threads of the
 * garbage collector away from the server under test: its main thread uses more time for the same work, now and then much
 * more. A request that holds others does so each time, so a warm round above its limit runs again. On a slow machine the
 * limits are as much higher as fixed work takes longer, before or behind the requests, four times at most.
 */
const BESIDE_OTHERS = 2;

function limitsTimes(factor: number): FairnessLimits {
  return { coldMs: LIMITS.coldMs * factor, warmMs: LIMITS.warmMs * factor, oddMs: LIMITS.oddMs * factor };
}

describe('Fairness', { skip: !countsThreadTimes() && 'this kernel does not count the time of threads' }, () => {
  // The campaign sends all of them over both: the work behind a transport is the same.
  for (const [transport, all] of [
    ['uws', EXPENSIVE_REQUESTS],
    ['node', TRANSPORT_REQUESTS],
  ] as const) {
    test(`D17, ${transport}: no expensive request holds another client`, async (context) => {
      const rows: FairnessRow[] = [];
      const requests = all.filter(({ isInSlice }) => isInSlice);
      const onRow = (row: FairnessRow): void => void rows.push(row);
      const before = machineSlowness();
      const limits = limitsTimes(BESIDE_OTHERS * before);
      await runFairnessTable({ transport, extent: 'slice', requests, servers: 'one', limits, onRow });
      const slowness = Math.max(before, machineSlowness());
      const highest = limitsTimes(BESIDE_OTHERS * slowness);
      assert.ok(requests.length >= 8);
      assert.equal(rows.length, 2 * requests.length);
      context.diagnostic(`limits are ${slowness.toFixed(2)} times those of the machine they were set on`);
      for (const row of rows) context.diagnostic(formatRow(transport, row));
      assert.deepEqual(
        rows.flatMap((row) => faultsOf(row, highest).map((fault) => `${row.name}, ${row.round}: ${fault}`)),
        [],
      );
    });
  }

  test('D17, negative control: a row that holds another client for longer than is allowed fails', async () => {
    const faults: string[] = [];
    await runFairnessTable({
      transport: 'uws',
      extent: 'slice',
      requests: EXPENSIVE_REQUESTS.slice(0, 1),
      servers: 'one',
      limits: LIMITS,
      onRow: (row) => faults.push(...faultsOf(row, limitsTimes(0.01))),
    });
    assert.match(faults.join(), /another client was held/);
  });
});
