// The two implementations of Engine: the one that writes, and the one over the copies of a centre.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CentreEngine } from '../../centre/centre-engine.ts';
import { type Engine, openEngine } from '../../engine/index.ts';
import { parseAddress } from '../../replication/clickhouse/address.ts';
import { ClickHouseSink } from '../../replication/clickhouse/clickhouse-sink.ts';
import { Replication } from '../../replication/job/replication.ts';
import { startChdb } from '../support/clickhouse/chdb-server.ts';
import { temporaryFolder } from '../support/server-process.ts';

export interface EngineUnderTest {
  /** What is written to. */
  readonly writer: Engine;
  /** What is read from: the same, where it can be written to. */
  readonly reader: Engine;
  /** Resolves when the reader has all that was written to a dataset, or knows that it was deleted. */
  settle(dataset: string): Promise<void>;
  stop(): Promise<void>;
}

const SETTLE_LIMIT_MS = 30_000;
const LOOK_MS = 50;

export async function openLocal(): Promise<EngineUnderTest> {
  const folder = temporaryFolder();
  const engine = await openEngine({ folder });
  return {
    writer: engine,
    reader: engine,
    settle: () => Promise.resolve(),
    async stop() {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Over chdb, to which everything is copied. */
export async function openCentre(): Promise<EngineUnderTest> {
  const folder = temporaryFolder();
  const chdb = await startChdb(join(folder, 'chdb'));
  const address = parseAddress(`${chdb.address}/varve`);
  const dataFolder = join(folder, 'edge');
  const writer = await openEngine({ folder: dataFolder });
  const job = new Replication({
    engine: writer,
    sink: new ClickHouseSink(address),
    dataFolder,
    site: '',
    edgeAddress: 'http://edge',
    restored: [],
    datasets: [],
    nowMs: () => Date.now(),
    listener: () => {},
  });
  job.start();
  const reader = new CentreEngine({ address, listener: () => {}, catalogue: { prefix: '', lookMs: 200 } });
  reader.start();
  return {
    writer,
    reader,
    async settle(dataset) {
      const sinceMs = Date.now();
      await until(() => !writer.hasDataset(dataset) || isCopied(job, dataset, sinceMs));
      await until(async () => {
        await reader.lookAtTags();
        return namesOf(reader) === namesOf(writer);
      });
    },
    async stop() {
      await job.stop();
      await reader.close();
      await writer.close();
      await chdb.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Everything that was accepted before a time; not before the job knows of the dataset. */
function isCopied(job: Replication, name: string, sinceMs: number): boolean {
  const copy = job.status.datasets.find(({ dataset }) => dataset === name);
  if (copy === undefined) return false;
  const { waitingTags, lagSeconds } = copy;
  return waitingTags === 0 && lagSeconds !== undefined && Date.now() - lagSeconds * 1000 > sinceMs;
}

function namesOf(engine: Engine): string {
  return engine
    .datasets()
    .map(({ name }) => name)
    .join();
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + SETTLE_LIMIT_MS;
  while (!(await isDone())) {
    if (Date.now() > endMs) throw new Error(`not settled after ${SETTLE_LIMIT_MS} ms`);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}
