// `npm run cluster`: a cluster of ClickHouse on this machine, to try a centre with: ZooKeeper and two shards of two servers
// each, from Debian's packages, over a temporary folder that goes with it.

import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
const { register } = await import('tsx/esm/api');
register();
await import('../test/support/clickhouse/run-cluster.ts');
