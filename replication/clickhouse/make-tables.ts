// Makes the tables that a server lacks; also those that it was making when it was killed.

import { PassingFailure } from '../sink.ts';
import { existingReplica } from './faults.ts';
import { statements, type TableStyle } from './schema.ts';
import type { ClickHouseServer } from './server.ts';

/** Rejects with PassingFailure, or with an error that says what somebody has to do. */
export async function makeTablesOn(server: ClickHouseServer, style: TableStyle): Promise<void> {
  for (const statement of statements(style)) {
    try {
      await server.run(statement);
    } catch (error) {
      const replica = existingReplica((error as Error).cause);
      if (replica === undefined) throw error;
      await finishTable(server, style, statement, replica);
    }
  }
}

/**
 * A server notes its replica in ZooKeeper before it writes the table down on its own disk. Killed in between, it refuses to make
 * the table ever after (code 253). A replica without parts is that; with parts, a server has lost its disk, or has the macros of
 * another, and only people can tell.
 */
async function finishTable(
  server: ClickHouseServer,
  { isModern }: TableStyle,
  statement: string,
  replica: string,
): Promise<void> {
  const below = await server.rows<{ name: string }>(`SELECT name FROM system.zookeeper WHERE path = '${replica}'`);
  if (below.some(({ name }) => name === 'is_active'))
    throw new PassingFailure(
      `${server.url}: it lacks a table, whose replica ${replica} is in use: it was killed a moment ago, or another server has the same macros 'shard' and 'replica'.`,
    );
  const parts = await server.rows(`SELECT name FROM system.zookeeper WHERE path = '${replica}/parts' LIMIT 1`);
  if (isModern || parts.length > 0) throw new Error(`${server.url}: ${lostReplica(replica, isModern)}`);
  await server.run(statement.replace('CREATE TABLE', 'ATTACH TABLE'));
}

function lostReplica(replica: string, isModern: boolean): string {
  const [path, name] = replica.split('/replicas/');
  const how = isModern
    ? `SYSTEM DROP REPLICA '${name}' FROM ZKPATH '${path}'`
    : `give it a macro 'replica' of its own, or remove ${replica} from ZooKeeper`;
  return (
    `it lacks a table, and ZooKeeper knows its replica ${replica}. If no other server has the same macros 'shard' and ` +
    `'replica', the table was lost or not made to the end: ${how}; it is made then.`
  );
}
