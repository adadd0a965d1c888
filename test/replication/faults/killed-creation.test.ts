// A server of the centre was killed while it made a table: ZooKeeper knows its replica, its own disk does not.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { parseAddress } from '../../../replication/clickhouse/address.ts';
import { ClickHouseSink } from '../../../replication/clickhouse/clickhouse-sink.ts';
import { PassingFailure } from '../../../replication/sink.ts';
import { TestCluster, whyNoCluster } from '../../support/clickhouse/cluster.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const NODE = 4;
const OTHER = 3;
/** The time after which ZooKeeper takes a killed server for gone is 6 s. */
const GONE_LIMIT_MS = 30_000;
const LOOK_MS = 500;

interface Centre {
  readonly open: () => Promise<void>;
  readonly ask: (node: number, query: string) => Promise<string>;
  /** The tables of a server are no longer written down on its disk. */
  readonly forgetTables: (node: number) => Promise<void>;
}

async function startCentre(context: TestContext): Promise<Centre> {
  const folder = makeTempFolder(context);
  const cluster = await TestCluster.start(folder);
  context.after(() => cluster.stop());
  const sink = new ClickHouseSink(parseAddress(`${cluster.address}/varve`));
  context.after(() => sink.close());
  const ask = async (node: number, query: string): Promise<string> => {
    const answer = await fetch(cluster.urlOf(node), { method: 'POST', body: query });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  };
  const forgetTables = async (node: number): Promise<void> => {
    await cluster.killNode(node);
    rmSync(`${folder}/node-${node}/data/metadata/varve`, { recursive: true });
    rmSync(`${folder}/node-${node}/data/data/varve`, { recursive: true });
    await cluster.startNode(node);
  };
  return { open: () => sink.open(), ask, forgetTables };
}

/** Tries as long as it fails in passing. */
async function openAtLast(open: () => Promise<void>): Promise<PassingFailure | undefined> {
  const endMs = Date.now() + GONE_LIMIT_MS;
  for (let passing: PassingFailure | undefined; ; ) {
    try {
      await open();
      return passing;
    } catch (error) {
      if (!(error instanceof PassingFailure) || Date.now() > endMs) throw error;
      passing = error;
    }
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}

test('a server that was killed while it made its tables gets them, once it is known to be gone; not where points are missing', {
  skip: whyNoCluster(),
}, async (context) => {
  const { open, ask, forgetTables } = await startCentre(context);
  await open();
  await forgetTables(NODE);
  const passing = await openAtLast(open);
  assert.match(passing?.message ?? '', /in use: it was killed a moment ago, or another server has the same macros/);
  await ask(NODE, `INSERT INTO varve.tags VALUES (1, 1, 1, '{}')`);
  for (const table of ['points_local', 'tips_local', 'points', 'datasets'])
    assert.equal((await ask(NODE, `SELECT count() FROM varve.${table}`)).trim(), '0', table);
  await ask(NODE, 'SYSTEM SYNC REPLICA varve.tags');
  await ask(OTHER, 'SYSTEM SYNC REPLICA varve.tags');
  assert.equal((await ask(OTHER, 'SELECT count() FROM varve.tags')).trim(), '1');

  await ask(NODE, `INSERT INTO varve.datasets VALUES ('Plant', '0123', 1, '{}')`);
  await forgetTables(NODE);
  await assert.rejects(openAtLast(open), (error: Error) => {
    assert.ok(!(error instanceof PassingFailure), error.message);
    assert.match(
      error.message,
      /ZooKeeper knows its replica \/clickhouse\/varve\/all\/datasets\/replicas\/2-r4\. If no/,
    );
    return true;
  });
});
