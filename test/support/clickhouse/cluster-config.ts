// The configuration of the little cluster on loopback: ZooKeeper, and shards of two servers each.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One server of ClickHouse. */
export interface NodePlace {
  readonly folder: string;
  readonly shard: number;
  /** From 1 on. */
  readonly number: number;
  readonly httpPort: number;
  readonly tcpPort: number;
  readonly interserverPort: number;
}

const SHARDS = 2;
const REPLICAS = 2;
export const NODE_COUNT = SHARDS * REPLICAS;
/** Ports of a node: HTTP, TCP, between servers. */
export const PORTS_A_NODE = 3;

/** Lays out folders and files below a folder. `diskOf` gives a node's data another place. */
export function writeNodes(
  folder: string,
  ports: readonly number[],
  zookeeperPort: number,
  diskOf: (node: number) => string | undefined,
): NodePlace[] {
  const places = Array.from({ length: NODE_COUNT }, (_, i): NodePlace => {
    const [httpPort, tcpPort, interserverPort] = ports.slice(i * PORTS_A_NODE) as [number, number, number];
    const shard = Math.floor(i / REPLICAS) + 1;
    return { folder: join(folder, `node-${i + 1}`), shard, number: i + 1, httpPort, tcpPort, interserverPort };
  });
  for (const place of places) writeNode(place, places, zookeeperPort, diskOf(place.number));
  return places;
}

export function writeZookeeper(folder: string, port: number): string {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const path = join(folder, 'zoo.cfg');
  const lines = [
    'tickTime=500',
    `dataDir=${join(folder, 'data')}`,
    `clientPort=${port}`,
    'clientPortAddress=127.0.0.1',
    'admin.enableServer=false',
    '4lw.commands.whitelist=srvr',
    'maxClientCnxns=0',
    'autopurge.purgeInterval=1',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function writeNode(place: NodePlace, all: readonly NodePlace[], zookeeperPort: number, disk: string | undefined): void {
  const { folder } = place;
  const data = disk ?? join(folder, 'data');
  for (const path of [folder, data, join(folder, 'log')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'config.xml'), configOf(place, all, zookeeperPort, data));
  writeFileSync(join(folder, 'users.xml'), USERS);
}

function configOf(place: NodePlace, all: readonly NodePlace[], zookeeperPort: number, data: string): string {
  const { folder, shard, number, httpPort, tcpPort, interserverPort } = place;
  const replica = ({ tcpPort: port }: NodePlace): string =>
    `<replica><host>127.0.0.1</host><port>${port}</port></replica>`;
  const shards = Array.from({ length: SHARDS }, (_, i) => all.filter((node) => node.shard === i + 1));
  const remote = shards.map(
    (nodes) => `<shard><internal_replication>true</internal_replication>${nodes.map(replica).join('')}</shard>`,
  );
  return `<yandex>
<logger><level>warning</level><log>${folder}/log/server.log</log><errorlog>${folder}/log/error.log</errorlog><size>10M</size><count>1</count></logger>
<listen_host>127.0.0.1</listen_host><http_port>${httpPort}</http_port><tcp_port>${tcpPort}</tcp_port>
<interserver_http_port>${interserverPort}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<path>${data}/</path><tmp_path>${data}/tmp/</tmp_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>268435456</mark_cache_size><timezone>UTC</timezone>
<max_concurrent_queries>100</max_concurrent_queries><keep_alive_timeout>30</keep_alive_timeout>
<zookeeper><node><host>127.0.0.1</host><port>${zookeeperPort}</port></node><session_timeout_ms>6000</session_timeout_ms></zookeeper>
<macros><shard>${shard}</shard><replica>r${number}</replica></macros>
<remote_servers><varve>${remote.join('')}</varve></remote_servers>
<max_table_size_to_drop>0</max_table_size_to_drop><max_partition_size_to_drop>0</max_partition_size_to_drop>
</yandex>
`;
}

const USERS = `<yandex>
<profiles><default><max_memory_usage>2000000000</max_memory_usage><load_balancing>in_order</load_balancing>
<connect_timeout_with_failover_ms>200</connect_timeout_with_failover_ms></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas>
</yandex>
`;
