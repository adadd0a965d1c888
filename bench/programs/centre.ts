// Copies at a centre: rates, lag, cost, reads of servers over it, and a fleet of edges. Needs the packages that
// scripts/install-test-packages.sh installs.
// Run: npm run bench centre -- [--only catch-up,modern,lag,cost,reads,modern-reads,fleet] [--points 3000000] [--edges 40] [--fleet-seconds 600]

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { whyNoChdb } from '../../test/support/clickhouse/chdb-package.ts';
import { whyNoCluster } from '../../test/support/clickhouse/cluster.ts';
import { measureCatchUp } from '../centre/catch-up.ts';
import { type Centre, startCentre } from '../centre/centre-bench.ts';
import { measureCost } from '../centre/cost.ts';
import { measureFleet } from '../centre/fleet.ts';
import { measureLag } from '../centre/lag.ts';
import { measureReads } from '../centre/reads.ts';
import { withTempFolder } from '../support/clean-up.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'catch-up,modern,lag,cost,reads,modern-reads,fleet' },
    points: { type: 'string', default: '3000000' },
    rate: { type: 'string', default: '20000' },
    'lag-seconds': { type: 'string', default: '60' },
    bodies: { type: 'string', default: '200' },
    // Priority of the cluster, for all parts; 19 is the lowest.
    niceness: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '20' },
    edges: { type: 'string', default: '40' },
    'fleet-seconds': { type: 'string', default: '600' },
  },
});

type Measure = (centre: Centre, folder: string) => Promise<string[]>;

const PARTS: Readonly<Record<string, readonly [kind: 'cluster' | 'chdb', measure: Measure]>> = {
  'catch-up': ['cluster', (centre, folder) => measureCatchUp(centre, folder, Number(values.points))],
  modern: ['chdb', (centre, folder) => measureCatchUp(centre, folder, Number(values.points))],
  lag: ['cluster', (centre, folder) => measureLag(centre, folder, Number(values.rate), Number(values['lag-seconds']))],
  cost: ['cluster', (centre, folder) => measureCost(centre, folder, Number(values.bodies), Number(values.rounds))],
  'modern-reads': ['chdb', (centre, folder) => measureReads(centre, folder, Number(values.runs))],
  reads: ['cluster', (centre, folder) => measureReads(centre, folder, Number(values.runs))],
  fleet: [
    'cluster',
    (centre, folder) => measureFleet(centre, folder, Number(values.edges), Number(values['fleet-seconds'])),
  ],
};

for (const name of values.only.split(',')) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`there is no part '${name}'; want ${Object.keys(PARTS).join(', ')}`);
  const [kind, measure] = part;
  const missing = kind === 'chdb' ? whyNoChdb() : whyNoCluster();
  if (missing) {
    console.log(`${name} (${kind}): left out, ${missing}`);
    continue;
  }
  await withTempFolder('varve-centre-', async (folder) => {
    mkdirSync(join(folder, 'work'));
    const centre = await startCentre(kind, folder, Number(values.niceness));
    try {
      const lines = await measure(centre, join(folder, 'work'));
      console.log(`${name} (${kind})\n${lines.map((line) => `  ${line}`).join('\n')}`);
    } finally {
      await centre.stop();
    }
  });
}
