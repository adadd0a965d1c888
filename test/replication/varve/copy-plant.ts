// An edge and the Varve that it copies to, as processes, and the line between them. Both can be killed and started again; their
// answers are compared byte for byte.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstDifference, get, losePositions, withoutNow } from '../../support/same-answers.ts';
import { ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { LossyLine } from './lossy-line.ts';

export const SITE = 'North';
const START = '2000-01-01T00:00:00Z';
const END = '2090-01-01T00:00:00Z';
const EQUAL_LIMIT_MS = 120_000;
const LOOK_MS = 200;

export interface CopyState {
  readonly dataset: string;
  readonly state: string;
  readonly reason?: string;
  readonly copiedPoints: number;
}

export class CopyPlant {
  readonly folder: string;
  readonly line: LossyLine;
  #edge: ServerProcess | undefined;
  #target: ServerProcess;
  readonly #options: string;

  private constructor(folder: string, target: ServerProcess, line: LossyLine, options: string) {
    this.folder = folder;
    this.#target = target;
    this.line = line;
    this.#options = options;
  }

  /** @param options behind the address, such as `?corrections=leave` */
  static async start(options = ''): Promise<CopyPlant> {
    const folder = temporaryFolder();
    const target = await startTarget(folder);
    const plant = new CopyPlant(folder, target, await LossyLine.open(target.url), options);
    await plant.startEdge();
    return plant;
  }

  get edgeUrl(): string {
    return this.#edge?.url ?? 'http://127.0.0.1:1';
  }

  get targetUrl(): string {
    return this.#target.url;
  }

  get edgeFolder(): string {
    return join(this.folder, 'edge');
  }

  async startEdge(flags: readonly string[] = []): Promise<void> {
    const centre = `varve://127.0.0.1:${this.line.port}${this.#options}`;
    this.#edge = await ServerProcess.start({
      dataFolder: this.edgeFolder,
      flags: ['--centre', centre, '--site', SITE, '--log-level', 'error', ...flags],
    });
  }

  async killEdge(): Promise<void> {
    await this.#edge?.kill();
    this.#edge = undefined;
  }

  async stopEdge(): Promise<void> {
    await this.#edge?.stop();
    this.#edge = undefined;
  }

  async stopTarget(): Promise<void> {
    await this.#target.stop();
  }

  /** Killed, and started again over the same folder. */
  async restartTarget(): Promise<void> {
    await this.#target.kill();
    this.#target = await startTarget(this.folder);
    this.line.target = this.#target.url;
  }

  /** Loses the positions, which a disk may lose; the edge must not run. */
  losePositions(): void {
    losePositions(this.edgeFolder);
  }

  /** A copy of a dataset's folder; the edge must not run. */
  backUp(dataset: string): void {
    cpSync(join(this.edgeFolder, dataset), join(this.folder, 'backup'), { recursive: true });
  }

  restore(dataset: string): void {
    rmSync(join(this.edgeFolder, dataset), { recursive: true });
    cpSync(join(this.folder, 'backup'), join(this.edgeFolder, dataset), { recursive: true });
  }

  async stop(): Promise<void> {
    await this.#edge?.kill();
    await this.#target.kill();
    await this.line.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async copies(): Promise<readonly CopyState[]> {
    const answer = await get(this.edgeUrl, '/api/copies');
    return (JSON.parse(answer) as { copies: CopyState[] }).copies;
  }

  /** Undefined once both ends answer alike; else what is different when time is up. */
  async difference(limitMs = EQUAL_LIMIT_MS): Promise<string | undefined> {
    const endMs = performance.now() + limitMs;
    for (;;) {
      // A dataset may come and go meanwhile.
      const found = await this.#findDifference().catch((error: unknown) => String(error));
      if (found === undefined || performance.now() > endMs) return found;
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
    }
  }

  async #findDifference(): Promise<string | undefined> {
    const here = await namesAt(this.edgeUrl);
    const there = await namesAt(this.targetUrl);
    const wanted = here.map((name) => `${SITE}.${name}`);
    const copied = there.filter((name) => !name.endsWith('.$copy'));
    if (wanted.join() !== copied.join()) return `the edge has ${wanted.join()}, the target ${copied.join()}`;
    for (const name of here) {
      const found = await this.#differenceIn(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #differenceIn(dataset: string): Promise<string | undefined> {
    const tags = await userTags(this.edgeUrl, dataset);
    const copied = await userTags(this.targetUrl, `${SITE}.${dataset}`);
    if (JSON.stringify(tags) !== JSON.stringify(copied))
      return `${dataset}: ${firstDifference(JSON.stringify(tags), JSON.stringify(copied))}`;
    const names = tags.map(({ n }) => `tagname=${encodeURIComponent(n)}`).join('&');
    const range = `${names}&start=${START}&end=${END}`;
    const queries =
      tags.length === 0 ? [] : [names, range, `${range}&format=columns&exact=string`, `${range}&points=20`];
    for (const query of queries) {
      const edge = withoutNow(await get(this.edgeUrl, `/api/datasets/${dataset}/data?${query}`));
      const target = withoutNow(await get(this.targetUrl, `/api/datasets/${SITE}.${dataset}/data?${query}`));
      if (edge !== target) return `${dataset} …${query.slice(-30)}: ${firstDifference(edge, target)}`;
    }
    return undefined;
  }
}

function startTarget(folder: string): Promise<ServerProcess> {
  return ServerProcess.start({ dataFolder: join(folder, 'target'), flags: ['--log-level', 'error'] });
}

async function namesAt(url: string): Promise<string[]> {
  return (JSON.parse(await get(url, '/api/datasets')) as { n: string }[]).map(({ n }) => n);
}

async function userTags(url: string, dataset: string): Promise<{ n: string }[]> {
  return (JSON.parse(await get(url, `/api/datasets/${dataset}/tags`)) as { User: { n: string }[] }).User;
}
