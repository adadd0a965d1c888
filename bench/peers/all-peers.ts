// The peers that there are, by name.

import type { Peer, PeerName } from './peer.ts';
import { clickHouse } from './targets/clickhouse.ts';
import { influxDb } from './targets/influxdb.ts';
import { plainNode } from './targets/plain.ts';
import { postgreSql } from './targets/postgresql.ts';
import { varve } from './targets/varve.ts';
import { victoriaMetrics } from './targets/victoriametrics.ts';

export const PEERS: Readonly<Record<PeerName, Peer>> = {
  victoriametrics: victoriaMetrics,
  clickhouse: clickHouse,
  influxdb: influxDb,
  postgresql: postgreSql,
  plain: plainNode,
  varve,
};

/** `VictoriaMetrics, JSON import`: what a case is called. */
export function caseName({ title }: Peer, { name }: { readonly name: string }): string {
  return `${title}, ${name}`;
}
