// A cluster of ClickHouse on this machine, from Debian's packages: ZooKeeper and two shards of two servers each. They can be
// killed, paused and started again one by one.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freeLowPorts } from '../low-ports.ts';
import { NODE_COUNT, type NodePlace, PORTS_A_NODE, writeNodes, writeZookeeper } from './cluster-config.ts';

const SERVER = '/usr/sbin/clickhouse-server';
const JARS = '/usr/share/java';
const ZOOKEEPER_JARS =
  /^(zookeeper|zookeeper-jute|commons-cli|commons-io|slf4j-api|slf4j-nop|netty-[a-z-]+|snappy-java|metrics-core)\.jar$/;
const START_LIMIT_MS = 90_000;
const LOOK_MS = 100;

/** Why there is no cluster here; false when there is. */
export function whyNoCluster(): string | false {
  if (!existsSync(SERVER)) return 'clickhouse-server is not installed';
  if (!existsSync(join(JARS, 'zookeeper.jar'))) return 'libzookeeper-java is not installed';
  return existsSync('/usr/bin/java') ? false : 'java is not installed';
}

/** All processes that were started and run: ended with this one, whatever happens. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface ClusterOptions {
  /** Another place for the data of a node, from 1 on. */
  readonly diskOf?: (node: number) => string | undefined;
  /** Priority of all its processes, 19 the lowest: they get what others leave of the processors. */
  readonly niceness?: number;
}

export class TestCluster {
  readonly #places: readonly NodePlace[];
  readonly #zookeeperPort: number;
  readonly #zookeeperConfig: string;
  readonly #niceness: number;
  readonly #nodes = new Map<number, ChildProcess>();
  #zookeeper: ChildProcess | undefined;

  private constructor(places: readonly NodePlace[], zookeeperPort: number, zookeeperConfig: string, niceness: number) {
    this.#places = places;
    this.#zookeeperPort = zookeeperPort;
    this.#zookeeperConfig = zookeeperConfig;
    this.#niceness = niceness;
  }

  /** Below a folder; resolves when all of it answers. */
  static async start(
    folder: string,
    { diskOf = () => undefined, niceness = 0 }: ClusterOptions = {},
  ): Promise<TestCluster> {
    const [zookeeperPort = 0, ...ports] = await freeLowPorts(1 + NODE_COUNT * PORTS_A_NODE);
    const config = writeZookeeper(join(folder, 'zookeeper'), zookeeperPort);
    const places = writeNodes(folder, ports, zookeeperPort, diskOf);
    const cluster = new TestCluster(places, zookeeperPort, config, niceness);
    await cluster.startZookeeper();
    for (const { number } of cluster.#places) cluster.#spawnNode(number);
    await Promise.all(cluster.#places.map(({ number }) => cluster.#nodeAnswers(number)));
    return cluster;
  }

  /** `clickhouse://…` with all servers, without a database. */
  get address(): string {
    return `clickhouse://${this.#places.map(({ httpPort }) => `127.0.0.1:${httpPort}`).join(',')}`;
  }

  urlOf(node: number): string {
    return `http://127.0.0.1:${this.#place(node).httpPort}`;
  }

  get nodes(): readonly number[] {
    return this.#places.map(({ number }) => number);
  }

  async startNode(node: number): Promise<void> {
    this.#spawnNode(node);
    await this.#nodeAnswers(node);
  }

  /** Kills without a chance to finish anything. */
  async killNode(node: number): Promise<void> {
    await end(this.#nodes.get(node), 'SIGKILL');
    this.#nodes.delete(node);
  }

  pauseNode(node: number): void {
    this.#nodes.get(node)?.kill('SIGSTOP');
  }

  resumeNode(node: number): void {
    this.#nodes.get(node)?.kill('SIGCONT');
  }

  async startZookeeper(): Promise<void> {
    const classes = readdirSync(JARS)
      .filter((name) => ZOOKEEPER_JARS.test(name))
      .map((name) => join(JARS, name));
    this.#zookeeper = this.#start('java', [
      '-Xmx192m',
      '-Xms32m',
      '-XX:+UseSerialGC',
      '-cp',
      classes.join(':'),
      'org.apache.zookeeper.server.quorum.QuorumPeerMain',
      this.#zookeeperConfig,
    ]);
    // Its answer to `ruok` comes before it serves.
    await until(async () => (await askZookeeper(this.#zookeeperPort)).includes('Mode'), 'ZooKeeper does not answer');
  }

  async killZookeeper(): Promise<void> {
    await end(this.#zookeeper, 'SIGKILL');
    this.#zookeeper = undefined;
  }

  /** Resident memory of all processes together, bytes. */
  get memoryBytes(): number {
    const children = [this.#zookeeper, ...this.#nodes.values()];
    return children.reduce((sum, child) => sum + residentBytes(child?.pid), 0);
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes.keys()) this.resumeNode(node);
    await Promise.all([...this.#nodes.keys()].map((node) => this.killNode(node)));
    await this.killZookeeper();
  }

  #place(node: number): NodePlace {
    const place = this.#places[node - 1];
    if (place === undefined) throw new Error(`there is no node ${node}`);
    return place;
  }

  #spawnNode(node: number): void {
    const { folder } = this.#place(node);
    this.#nodes.set(node, this.#start(SERVER, [`--config=${join(folder, 'config.xml')}`], folder));
  }

  #start(program: string, flags: readonly string[], cwd?: string): ChildProcess {
    return start('nice', ['-n', String(this.#niceness), program, ...flags], cwd);
  }

  #nodeAnswers(node: number): Promise<void> {
    const isUp = async (): Promise<boolean> => {
      const answer = await fetch(`${this.urlOf(node)}/ping`, { signal: AbortSignal.timeout(1_000) });
      return answer.ok;
    };
    return until(() => isUp().catch(() => false), `node ${node} does not answer`);
  }
}

function start(program: string, flags: readonly string[], cwd?: string): ChildProcess {
  const child = spawn(program, flags, { stdio: 'ignore', ...(cwd === undefined ? {} : { cwd }) });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGCONT');
    child.kill(signal);
  });
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const endMs = Date.now() + START_LIMIT_MS;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error(what);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}

function askZookeeper(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('srvr'));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (piece) => {
      text += String(piece);
    });
    socket.on('error', () => resolve(''));
    socket.on('close', () => resolve(text));
  });
}

function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
