// An edge on a disk of its own, a cluster of which one server has a small disk, and a server over the centre: all of them can
// be killed and started again.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestCluster } from '../../support/clickhouse/cluster.ts';
import { firstDifference, get, losePositions, withoutEmptySpans } from '../../support/same-answers.ts';
import { ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { SmallDisk } from '../../support/small-disk.ts';

const EDGE_DISK = '600m';
const NODE_DISK = '600m';
/** The server of the cluster that has a small disk. */
const SMALL_NODE = 2;
/** Reads of everything that was written, page by page. */
const START = '2025-12-01T00:00:00Z';
const END = '2040-01-01T00:00:00Z';
const EQUAL_LIMIT_MS = 120_000;
const LOOK_MS = 300;

export class FaultPlant {
  readonly cluster: TestCluster;
  readonly edgeDisk: SmallDisk;
  readonly nodeDisk: SmallDisk;
  readonly #folder: string;
  #edge: ServerProcess;
  #reader: ServerProcess;

  private constructor(parts: {
    readonly folder: string;
    readonly cluster: TestCluster;
    readonly disks: readonly [SmallDisk, SmallDisk];
    readonly servers: readonly [ServerProcess, ServerProcess];
  }) {
    this.#folder = parts.folder;
    this.cluster = parts.cluster;
    [this.edgeDisk, this.nodeDisk] = parts.disks;
    [this.#edge, this.#reader] = parts.servers;
  }

  static async start(): Promise<FaultPlant> {
    const folder = temporaryFolder();
    const edgeDisk = new SmallDisk(EDGE_DISK);
    const nodeDisk = new SmallDisk(NODE_DISK);
    const diskOf = (node: number): string | undefined =>
      node === SMALL_NODE ? join(nodeDisk.path, 'data') : undefined;
    const cluster = await TestCluster.start(folder, { diskOf });
    const edge = await startEdge(cluster, edgeDisk);
    const reader = await startReader(cluster);
    return new FaultPlant({ folder, cluster, disks: [edgeDisk, nodeDisk], servers: [edge, reader] });
  }

  get edgeUrl(): string {
    return this.#edge.url;
  }

  async killEdge(): Promise<void> {
    await this.#edge.kill();
  }

  async startEdge(): Promise<void> {
    this.#edge = await startEdge(this.cluster, this.edgeDisk);
  }

  async restartReader(): Promise<void> {
    await this.#reader.kill();
    this.#reader = await startReader(this.cluster);
  }

  /** Loses the positions, which a disk may lose; the edge must not run. */
  losePositions(): void {
    losePositions(join(this.edgeDisk.path, 'data'));
  }

  async stop(): Promise<void> {
    await this.#edge.kill();
    await this.#reader.kill();
    await this.cluster.stop();
    this.edgeDisk.remove();
    this.nodeDisk.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Undefined once edge and centre answer the same; what differs when they do not within a limit. */
  async difference(limitMs = EQUAL_LIMIT_MS): Promise<string | undefined> {
    const endMs = Date.now() + limitMs;
    for (;;) {
      const found = await this.#findDifference().catch((error: unknown) => `asking failed: ${String(error)}`);
      if (found === undefined) return undefined;
      if (Date.now() > endMs) return `${found}; copies: ${await this.#copies()}`;
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
    }
  }

  async #copies(): Promise<string> {
    return get(this.#edge.url, '/api/copies').catch((error: unknown) => String(error));
  }

  async #findDifference(): Promise<string | undefined> {
    const datasets = JSON.parse(await get(this.#edge.url, '/api/datasets')) as { n: string }[];
    const copied = JSON.parse(await get(this.#reader.url, '/api/datasets')) as { n: string }[];
    const [here, there] = [datasets, copied].map((list) => list.map(({ n }) => n).join(', '));
    if (here !== there) return `datasets: the edge has ${here}, the centre ${there}`;
    for (const { n } of datasets) {
      const found = await this.#findDifferenceIn(n);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #findDifferenceIn(dataset: string): Promise<string | undefined> {
    const base = `/api/datasets/${dataset}`;
    const listed = JSON.parse(await get(this.#edge.url, `${base}/tags`)) as { User: { n: string }[] };
    const names = listed.User.map(({ n }) => `tagname=${encodeURIComponent(n)}`).join('&');
    const paths = ['/tags', '/corrections?limit=1000'];
    if (names !== '') paths.push(`/data?${names}`, `/data?${names}&start=${START}&end=${END}&format=columns`);
    for (const path of paths) {
      const edge = withoutNow(await get(this.#edge.url, base + path));
      const centre = withoutNow(await get(this.#reader.url, base + path));
      if (edge !== centre) return `${base}${path.slice(0, 40)}: ${firstDifference(edge, centre)}`;
    }
    return undefined;
  }
}

function startEdge(cluster: TestCluster, disk: SmallDisk): Promise<ServerProcess> {
  const flags = ['--centre', `${cluster.address}/varve`, '--disk-reserve', '8MiB', '--log-level', 'error'];
  return ServerProcess.start({ dataFolder: join(disk.path, 'data'), flags });
}

function startReader(cluster: TestCluster): Promise<ServerProcess> {
  return ServerProcess.start({ flags: ['--engine', `${cluster.address}/varve`, '--log-level', 'error'] });
}

/** An answer without points has the present time; the span of one with points is compared too. */
function withoutNow(text: string): string {
  const timeless = withoutEmptySpans(text);
  return timeless.includes('"d":[{') ? timeless : timeless.replace(/^\{"s":"[^"]*","e":"[^"]*"/, '{');
}
