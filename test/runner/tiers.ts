// Which test files `npm test` leaves to `npm run test:all`: by the beginnings of their paths, each below what it is that
// takes so long. Every other file is of the first tier.

export type Tier = 'first' | 'second';

export const SECOND_TIER: Readonly<Record<string, readonly string[]>> = {
  'a browser': ['test/browser/'],
  'a cluster, or the engine of a centre': [
    'test/centre/digests.test.ts',
    'test/centre/equal-answers.test.ts',
    'test/centre/older-reads.test.ts',
    'test/replication/faults/',
    'test/replication/varve/copies.test.ts',
  ],
  'a cross product': ['test/conformance/uws.test.ts', 'test/server/auth/serve-access.test.ts'],
  'very many starts of servers or runs': [
    'test/bench/bench.test.ts',
    'test/conformance/behind.test.ts',
    'test/runner/run.test.ts',
    'test/scripts/programs.test.ts',
  ],
  'bodies at their limits': ['test/server/codec/body/body-limits.test.ts'],
  'a campaign of faults or attacks': [
    'test/collect/faults/',
    'test/copy/',
    'test/corruption/',
    'test/crash/',
    'test/fuzz/',
    'test/model/',
    'test/replication/varve/faults.test.ts',
    'test/server/attack/',
    'test/server/doors/mqtt/delivery.test.ts',
    'test/server/fairness/',
    'test/server/slow-readers/',
    'test/simulator/e2e/kill.test.ts',
    'test/simulator/e2e/outage.test.ts',
  ],
  'a build of the package': ['test/deploy/', 'test/package/', 'test/scripts/clone-build.test.ts'],
};

const BEGINNINGS = Object.values(SECOND_TIER).flat();

/** Takes a path relative to the project's folder, with `/`. */
export function tierOf(path: string): Tier {
  return BEGINNINGS.some((beginning) => path.startsWith(beginning)) ? 'second' : 'first';
}
