// The servers of a centre: which shard each belongs to, and which of them answers.

import { PassingFailure } from '../sink.ts';
import type { ClickHouseAddress } from './address.ts';
import { isMissingTable } from './faults.ts';
import { makeTablesOn } from './make-tables.ts';
import { isModernVersion, type TableStyle } from './schema.ts';
import { ClickHouseServer } from './server.ts';

const DEFAULT_CLUSTER = 'varve';

/** Servers with the same points. */
interface Shard {
  readonly name: string;
  readonly servers: ClickHouseServer[];
  /** Replicas that the cluster's configuration names. */
  readonly replicas: number;
}

interface Layout {
  readonly style: TableStyle;
  readonly shards: readonly Shard[];
  /** Version of the server that answers first. */
  readonly version: string;
}

export class Cluster {
  readonly #address: ClickHouseAddress;
  readonly #servers: readonly ClickHouseServer[];
  #layout: Layout | undefined;
  /** Moves on with each read, so that reads are spread over the servers. */
  #turn = 0;

  constructor(address: ClickHouseAddress) {
    this.#address = address;
    this.#servers = address.urls.map((url) => new ClickHouseServer(url, address));
  }

  get name(): string {
    return this.#address.text;
  }

  /**
   * Learns the layout; call it again when servers that were away may be back. Rejects with PassingFailure while not every shard
   * has a server that answers.
   */
  async connect(): Promise<void> {
    const known = this.#layout?.shards.reduce((sum, { servers }) => sum + servers.length, 0);
    if (known !== this.#servers.length) this.#layout = await this.#look();
  }

  /** Throws before `connect`. */
  get style(): TableStyle {
    return this.#known.style;
  }

  get shardCount(): number {
    return this.#known.shards.length;
  }

  /** Replicas that must have an insert. */
  get quorum(): number {
    const { shards, style } = this.#known;
    if (style.cluster === undefined) return 1;
    return this.#address.quorum ?? Math.min(2, ...shards.map(({ replicas }) => replicas));
  }

  /** Makes missing tables on all servers that answer. */
  async makeTables(): Promise<void> {
    for (const server of await this.#answering()) await makeTablesOn(server, this.style);
  }

  /** What a server of any shard does; of those that answer, the next one where it fails in passing. */
  async onAny<T>(work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    this.#turn++;
    return this.#first(rotated(this.#servers, this.#turn), work);
  }

  /** What a server of the shard that has a tag does. */
  async onShard<T>(shard: number, work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    return this.#first((this.#known.shards[shard] as Shard).servers, work);
  }

  /** The shard of a tag, always the same while there are as many shards. */
  shardOf(tagId: number): number {
    return (Math.imul(tagId, 0x9e3779b1) >>> 0) % this.shardCount;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  get #known(): Layout {
    if (this.#layout === undefined) throw new PassingFailure(`${this.name} was not reached yet.`);
    return this.#layout;
  }

  async #first<T>(servers: readonly ClickHouseServer[], work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const server of servers) {
      try {
        if (!(await server.isUp())) throw new PassingFailure(`${server.url} does not answer.`);
        return await this.#withTables(server, work);
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
        failure ??= error;
      }
    }
    throw failure ?? new PassingFailure(`${this.name}: no server.`);
  }

  /** A server that was away when the tables were made gets them now. */
  async #withTables<T>(server: ClickHouseServer, work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    try {
      return await work(server);
    } catch (error) {
      if (this.#layout === undefined || !isMissingTable((error as Error).cause)) throw error;
      await makeTablesOn(server, this.style);
      return work(server);
    }
  }

  async #answering(): Promise<ClickHouseServer[]> {
    const up = await Promise.all(this.#servers.map((server) => server.isUp()));
    const answering = this.#servers.filter((_, i) => up[i]);
    if (answering.length === 0) throw new PassingFailure(`${this.name}: no server answers.`);
    return answering;
  }

  async #look(): Promise<Layout> {
    const answering = await this.#answering();
    const [first] = answering as [ClickHouseServer];
    const [{ version } = { version: '' }] = await first.rows<{ version: string }>('SELECT version() AS version');
    const { database } = this.#address;
    const replicas = await this.#replicasOf(first);
    const cluster = replicas.size === 0 ? undefined : (this.#address.cluster ?? DEFAULT_CLUSTER);
    const style = { database, cluster, isModern: isModernVersion(version) };
    if (cluster === undefined)
      return { style, version, shards: [{ name: '', servers: [...this.#servers], replicas: 1 }] };
    return { style, version, shards: await this.#shards(answering, replicas) };
  }

  /** By number of the shard. Throws where the address names a cluster that is not there. */
  async #replicasOf(server: ClickHouseServer): Promise<Map<number, number>> {
    const { cluster = DEFAULT_CLUSTER } = this.#address;
    const rows = await server.rows<{ shard: number; replicas: number }>(
      `SELECT shard_num AS shard, toUInt32(count()) AS replicas FROM system.clusters WHERE cluster = '${cluster}' GROUP BY shard_num`,
    );
    if (rows.length === 0 && this.#address.cluster !== undefined)
      throw new Error(`${server.url}: there is no cluster '${cluster}' in its configuration (remote_servers).`);
    return new Map(rows.map(({ shard, replicas }) => [Number(shard), Number(replicas)]));
  }

  /** Servers by their macro `shard`. Servers that do not answer belong to none for now. */
  async #shards(answering: readonly ClickHouseServer[], replicas: ReadonlyMap<number, number>): Promise<Shard[]> {
    const shards = new Map<string, ClickHouseServer[]>();
    for (const server of answering) {
      const name = await shardMacro(server);
      shards.set(name, [...(shards.get(name) ?? []), server]);
    }
    if (shards.size < replicas.size)
      throw new PassingFailure(`${this.name}: ${shards.size} of ${replicas.size} shards answer.`);
    const counts = [...replicas.values()];
    return [...shards.keys()].sort().map((name, i) => ({
      name,
      servers: shards.get(name) as ClickHouseServer[],
      replicas: counts[i] ?? 1,
    }));
  }
}

async function shardMacro(server: ClickHouseServer): Promise<string> {
  const rows = await server.rows<{ macro: string; substitution: string }>(
    'SELECT macro, substitution FROM system.macros',
  );
  const shard = rows.find(({ macro }) => macro === 'shard');
  const replica = rows.find(({ macro }) => macro === 'replica');
  if (shard && replica) return shard.substitution;
  throw new Error(
    `${server.url}: its configuration lacks the macros 'shard' and 'replica', which replicated tables need.`,
  );
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
