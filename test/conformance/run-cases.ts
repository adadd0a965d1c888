// Runs cases of the conformance suite over one transport, many at a time against one server. In full all of them run, in a
// slice those on which the transport bears.
//
// Command: npm run campaign conformance -- [--transport uws|node] [--only <part of a title>]
// [--extent slice|full]

import { after, before, describe, it } from 'node:test';
import { parseExtent, parseOptions, parseTransports } from '../support/campaign.ts';
import type { Transport } from '../support/server-process.ts';
import './cases/index.ts';
import { CaseContext, SharedServers } from './case-context.ts';
import { cases } from './registry.ts';

const CASES_AT_ONCE = 16;
const CASE_LIMIT_MS = 480_000;

/** Cases on which the transport bears, and those of flags, restarts and clocks. */
export type Side = 'transport' | 'behind';

/** `only` is a part of the titles to run. */
export function runConformance(transport: Transport, sides: readonly Side[], only = ''): void {
  const chosen = cases.filter(
    ({ row, fact, isBehind }) => `${row}: ${fact}`.includes(only) && sides.includes(isBehind ? 'behind' : 'transport'),
  );
  if (chosen.length === 0) throw new Error(`--only ${only}: no case has that in its title`);
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

if (process.argv[1] === import.meta.filename) {
  const { transport, only, extent } = parseOptions(['transport', 'only', 'extent']);
  const sides: readonly Side[] = parseExtent(extent) === 'full' ? ['transport', 'behind'] : ['transport'];
  for (const each of parseTransports(transport)) runConformance(each, sides, only);
}
