// Runs every case of the conformance suite over one transport, many at a time against one server.

import { after, before, describe, it } from 'node:test';
import type { Transport } from '../support/server-process.ts';
import './cases/index.ts';
import { CaseContext, SharedServers } from './case-context.ts';
import { cases } from './registry.ts';

const CASES_AT_ONCE = 16;
const CASE_LIMIT_MS = 480_000;

/**
 * CASE in the environment is a part of the titles to run; without it all run, but on node:http those behind the transport
 * with EXTENT=full only.
 */
export function runConformance(transport: Transport): void {
  const filter = process.env.CASE ?? '';
  const isWhole = transport === 'uws' || process.env.EXTENT === 'full';
  const chosen = cases.filter(
    ({ row, fact, isBehind }) => `${row}: ${fact}`.includes(filter) && (isWhole || !isBehind),
  );
  const inOrder = [...chosen.filter(({ waits }) => waits), ...chosen.filter(({ waits }) => !waits)];
  describe(`conformance over ${transport}`, { concurrency: CASES_AT_ONCE }, () => {
    const shared = new SharedServers(transport);
    before(async () => {
      await shared.get([]);
    });
    after(() => shared.stopAll());
    inOrder.forEach((entry, index) => {
      it(`${entry.row}: ${entry.fact}`, { timeout: CASE_LIMIT_MS }, async () => {
        // No name is a part of another: cases look for theirs among files.
        const c = new CaseContext(shared, await shared.get([]), `Case ${String(index).padStart(3, '0')}`);
        try {
          await entry.run(c);
        } finally {
          await c.cleanUp();
        }
      });
    });
  });
}
