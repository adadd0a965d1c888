// A slice of the access table, over each transport: each route meets each token, and every site each route and each token.
// The campaign has all of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROUTE_NEEDS } from '../../../server/auth/rules/route-rules.ts';
import { runAccessTable } from './access-table/access-table.ts';
import { allCombinations, type Combination, pairs } from './access-table/policy.ts';

/** A sample for each route, a deletion by body, and four wrong secrets. */
const SAMPLE_COUNT = Object.keys(ROUTE_NEEDS).length + 5;
const STATE_COUNT = 24;
const SITE_COUNT = 12;

const site = ({ site: { host, origin } }: Combination): string => `${host} ${origin}`;

/** What meets whom, each once. */
function meetings(combinations: readonly Combination[], two: (one: Combination) => readonly unknown[]): number {
  const seen = new Map<unknown, Set<unknown>>();
  for (const one of combinations) {
    const [first, second] = two(one);
    seen.set(first, (seen.get(first) ?? new Set()).add(second));
  }
  return [...seen.values()].reduce((sum, { size }) => sum + size, 0);
}

describe('access by route, token, Host and origin', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`each pair is answered as the policy says, and a refused one changes nothing (${transport})`, async () => {
      const { trials, failures } = await runAccessTable({ transport, extent: 'slice' });
      assert.deepEqual(failures, []);
      assert.equal(trials, SAMPLE_COUNT * STATE_COUNT);
    });
  }

  it('the slice has each two of route, token and site; the whole has all of them', () => {
    const chosen = pairs();
    assert.equal(
      meetings(chosen, ({ sample, state }) => [sample, state]),
      SAMPLE_COUNT * STATE_COUNT,
    );
    assert.equal(
      meetings(chosen, (one) => [one.sample, site(one)]),
      SAMPLE_COUNT * SITE_COUNT,
    );
    assert.equal(
      meetings(chosen, (one) => [one.state, site(one)]),
      STATE_COUNT * SITE_COUNT,
    );
    assert.equal(allCombinations().length, SAMPLE_COUNT * STATE_COUNT * SITE_COUNT);
  });
});
