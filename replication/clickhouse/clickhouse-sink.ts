// Copies datasets to ClickHouse: a cluster with replicas, or a server on its own.

import { formatDataset, formatTag, parseDataset } from '../documents.ts';
import type {
  Batch,
  BatchRun,
  CopiedDataset,
  CopyState,
  DatasetDocument,
  OtherCopy,
  Sink,
  SinkPace,
  TagDocument,
} from '../sink.ts';
import { turn } from '../turns.ts';
import type { ClickHouseAddress } from './address.ts';
import { Cluster } from './cluster.ts';
import { InsertLanes } from './insert-lanes.ts';
import type { RowEncoder } from './row-encoder.ts';
import { tipsTable } from './schema.ts';
import type { QuerySettings } from './server.ts';
import { SpareRows } from './spare-rows.ts';
import { weekOf } from './ticks.ts';

const QUORUM_TIMEOUT_MS = 60_000;
const LINGER_MS = 500;
const HEARTBEAT_MS = 5_000;
/** How many times as long as inserts wait for those of others a copy rests. */
const CROWDED = 4;
/** Documents of one insert. */
const DOCUMENTS_AT_ONCE = 20_000;
/** Rows between two looks at the clock. */
const ROWS_A_LOOK = 512;

/** Points of one shard and week: one insert. */
interface Insert {
  readonly shard: number;
  readonly week: number;
  readonly rows: RowEncoder;
}

/** The number by which the rows of a dataset are known. */
export function keyOf({ identity }: Pick<CopiedDataset, 'identity'>): bigint {
  return BigInt(`0x${identity.slice(0, 16)}`);
}

export class ClickHouseSink implements Sink {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #lanes = new InsertLanes();
  readonly #spare = new SpareRows();

  constructor(address: ClickHouseAddress) {
    this.#cluster = new Cluster(address);
    this.name = this.#cluster.name;
  }

  /** Edges that stand in each other's way write less often, and more at a time. */
  get pace(): SinkPace {
    return { lingerMs: LINGER_MS + CROWDED * this.#lanes.waitedMs, heartbeatMs: HEARTBEAT_MS };
  }

  async open(): Promise<void> {
    await this.#cluster.connect();
    await this.#cluster.makeTables();
  }

  async datasets(): Promise<readonly OtherCopy[]> {
    const select = `SELECT name, identity, argMax(document, revision) AS newest FROM ${this.#table('datasets')} GROUP BY name, identity`;
    const rows = await this.#rows<{ name: string; identity: string; newest: string }>(select);
    return rows.map(({ name, identity, newest }) => {
      const { edge, isDeleted } = parseDataset(newest);
      return { name, identity, edge, isDeleted };
    });
  }

  async stateOf(dataset: CopiedDataset): Promise<CopyState> {
    const key = keyOf(dataset);
    const [ofDataset] = await this.#rows<{ version: string }>(
      `SELECT max(revision) AS version FROM ${this.#table('datasets')} WHERE name = '${escapeText(dataset.name)}' AND identity = '${dataset.identity}'`,
    );
    const tags = await this.#rows<{ tag: string; version: string }>(
      `SELECT tag, max(revision) AS version FROM ${this.#table('tags')} WHERE dataset = ${key} GROUP BY tag`,
    );
    const tips = await this.#rows<{ tag: string; last: string }>(
      `SELECT tag, max(ordinal) AS last FROM ${tipsTable(this.#cluster.style)} WHERE dataset = ${key} GROUP BY tag`,
    );
    const ordinals = new Map(tags.map(({ tag }) => [Number(tag), 0]));
    for (const { tag, last } of tips) ordinals.set(Number(tag), Number(last) + 1);
    const revisions = [ofDataset, ...tags].map((row) => Number(row?.version ?? 0));
    return { revision: revisions.reduce((largest, one) => Math.max(largest, one), 0), ordinals };
  }

  async putDataset(dataset: CopiedDataset, document: DatasetDocument): Promise<void> {
    const { name, identity } = dataset;
    const row = { name, identity, revision: document.revision, document: formatDataset(document) };
    // A heartbeat that is lost is followed by the next one; a fleet of edges sends very many.
    await this.#putDocuments('datasets', [row], document.isDeleted ? this.#settings : {});
  }

  async putTags(dataset: CopiedDataset, documents: readonly TagDocument[]): Promise<void> {
    const key = String(keyOf(dataset));
    for (let from = 0; from < documents.length; from += DOCUMENTS_AT_ONCE) {
      const part = documents.slice(from, from + DOCUMENTS_AT_ONCE);
      const rows = part.map((document) => {
        return { dataset: key, tag: document.id, revision: document.revision, document: formatTag(document) };
      });
      await this.#putDocuments('tags', rows, this.#settings);
    }
  }

  /** One insert for each shard and week, the oldest first; shards beside each other. */
  async putPoints(dataset: CopiedDataset, batch: Batch): Promise<void> {
    const key = keyOf(dataset);
    const inserts = await this.#divide(key, batch);
    const byShard = new Map<number, Insert[]>();
    for (const insert of inserts) byShard.set(insert.shard, [...(byShard.get(insert.shard) ?? []), insert]);
    await Promise.all(
      [...byShard.values()].map(async (ofShard) => {
        for (const insert of ofShard.sort((a, b) => a.week - b.week)) await this.#insert('points_local', insert);
      }),
    );
    await this.#putTips(key, batch);
  }

  /** The last point of each tag, behind the points themselves. */
  async #putTips(key: bigint, batch: Batch): Promise<void> {
    const last = new Map<number, BatchRun>();
    for (const run of batch.runs) last.set(run.tag.id, run);
    const tips = new Map<number, RowEncoder>();
    for (const [id, run] of last) {
      const shard = this.#cluster.shardOf(id);
      const rows = tips.get(shard) ?? this.#spare.take();
      rows.add(key, run, batch, run.start + run.count - 1);
      tips.set(shard, rows);
    }
    await Promise.all([...tips].map(([shard, rows]) => this.#insert('tips_local', { shard, rows })));
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }

  async #divide(key: bigint, batch: Batch): Promise<Insert[]> {
    const inserts = new Map<string, Insert>();
    const { timesMs } = batch.points;
    for (const run of batch.runs) {
      const shard = this.#cluster.shardOf(run.tag.id);
      let insert: Insert | undefined;
      for (let i = run.start; i < run.start + run.count; i++) {
        const week = weekOf(timesMs[i] as number);
        if (insert?.week !== week) insert = this.#insertOf(inserts, shard, week);
        insert.rows.add(key, run, batch, i);
        const pause = i % ROWS_A_LOOK === 0 ? turn() : undefined;
        if (pause) await pause;
      }
    }
    return [...inserts.values()];
  }

  #insertOf(inserts: Map<string, Insert>, shard: number, week: number): Insert {
    const key = `${shard} ${week}`;
    const known = inserts.get(key);
    if (known) return known;
    const insert = { shard, week, rows: this.#spare.take() };
    inserts.set(key, insert);
    return insert;
  }

  async #insert(table: string, { shard, rows }: Pick<Insert, 'shard' | 'rows'>): Promise<void> {
    const into = `${this.#table(table)} FORMAT RowBinary`;
    await this.#lanes.run(`${table} ${shard}`, () =>
      this.#cluster.onShard(shard, (server) => server.insert(into, rows.bytes, this.#settings)),
    );
    this.#spare.release(rows);
  }

  async #putDocuments(table: string, rows: readonly object[], settings: QuerySettings): Promise<void> {
    const body = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const into = `${this.#table(table)} FORMAT JSONEachRow`;
    await this.#lanes.run(table, () => this.#cluster.onAny((server) => server.insert(into, body, settings)));
  }

  #rows<T>(select: string): Promise<T[]> {
    return this.#cluster.onAny((server) => server.rows<T>(select));
  }

  #table(name: string): string {
    return `${this.#cluster.style.database}.${name}`;
  }

  get #settings(): QuerySettings {
    const { quorum } = this.#cluster;
    return quorum < 2 ? {} : { insert_quorum: quorum, insert_quorum_timeout: QUORUM_TIMEOUT_MS };
  }
}

/** For a text between quotes in a query. */
export function escapeText(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
