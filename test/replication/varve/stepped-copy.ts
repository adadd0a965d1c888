// A copy at another Varve whose rounds a test calls itself: what is there after each is compared with the edge, and nothing is
// waited for.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Following } from '../../../engine/index.ts';
import { EdgeFolder } from '../../../replication/edge/edge-folder.ts';
import { DatasetCopy } from '../../../replication/job/dataset-copy.ts';
import { Pace, Rests } from '../../../replication/job/pace.ts';
import { parseVarveAddress } from '../../../replication/varve/http/address.ts';
import { VarveSink } from '../../../replication/varve/varve-sink.ts';
import { type AccessServer, startAccessServer } from '../../server/auth/support/access-server.ts';
import { get, losePositions, withoutNow } from '../../support/same-answers.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { LossyLine } from './lossy-line.ts';

const RANGE = 'start=2000-01-01T00:00:00Z&end=2090-01-01T00:00:00Z&format=columns';
const SECOND_ZERO_MS = Date.parse('2026-01-01T00:00:00Z');
const MOST_ROUNDS = 200;

interface ReadAnswer {
  readonly tl: readonly { readonly d: readonly { readonly t: readonly number[]; readonly v: readonly number[] }[] }[];
}

class RefusedByEdge extends Error {}

/** Times are seconds. The dataset `Plant` accepts late points; the tag is `A`. */
export class SteppedCopy {
  readonly line: LossyLine;
  readonly #edge: AccessServer;
  readonly #target: AccessServer;
  readonly #folder: string;
  #open: { readonly following: Following; readonly copy: DatasetCopy } | undefined;
  #value = 0;

  private constructor(folder: string, edge: AccessServer, target: AccessServer, line: LossyLine) {
    this.#folder = folder;
    this.#edge = edge;
    this.#target = target;
    this.line = line;
  }

  static async start(context: TestContext): Promise<SteppedCopy> {
    const folder = makeTempFolder(context);
    const edge = await startAccessServer(context, 'node');
    const target = await startAccessServer(context, 'node');
    const line = await LossyLine.open(target.url);
    const stepped = new SteppedCopy(folder, edge, target, line);
    context.after(async () => {
      stepped.end();
      await line.close();
    });
    await stepped.#send('POST', '', { n: 'Plant', pa: 0, ps: 0, late: 'accept' });
    return stepped;
  }

  /** Each point gets a value of its own. */
  async write(...seconds: readonly number[]): Promise<void> {
    await this.#send('POST', '/Plant/data', { A: seconds.map((second) => ({ t: timeOf(second), v: this.#value++ })) });
  }

  async cut(fromSecond: number): Promise<void> {
    await this.#send('DELETE', `/Plant/data?tagname=A&start=${timeOf(fromSecond)}`);
  }

  async describe(text: string): Promise<void> {
    await this.#send('POST', '/Plant/tags', [{ n: 'A', d: text }]);
  }

  /** Something else that the edge is asked, below its datasets; it may refuse it. */
  async ask(method: string, path: string, body?: unknown): Promise<void> {
    await this.#send(method, path, body).catch((error: unknown) => assert.ok(error instanceof RefusedByEdge));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#send('POST', `/Plant/tags/${from}/rename`, { name: to, keep: 0 });
  }

  async deleteTag(): Promise<void> {
    await this.#send('DELETE', '/Plant/tags/A');
  }

  /** All tags and points of the edge, and of the copy. */
  async everything(): Promise<readonly [edge: string, copy: string]> {
    return [await everythingAt(this.#edge.url, 'Plant'), await everythingAt(this.#target.url, 'North.Plant')];
  }

  /** The names of the copied tags. */
  async tagsThere(): Promise<string[]> {
    const { User } = JSON.parse(await get(this.#target.url, '/api/datasets/North.Plant/tags')) as {
      User: { n: string }[];
    };
    return User.map(({ n }) => n);
  }

  /** Rejects as the sink does. */
  async round(): Promise<void> {
    this.#open ??= await this.#begin();
    await this.#open.copy.round();
  }

  /** One round that succeeds, or so many that fail before. */
  async settle(): Promise<void> {
    for (let rounds = 0; ; rounds++) {
      try {
        return await this.round();
      } catch (error) {
        if (rounds === MOST_ROUNDS) throw error;
      }
    }
  }

  /** Ends the copy as a kill of the edge does: the next round is that of a new start. */
  end(): void {
    this.#open?.following.stop();
    this.#open = undefined;
  }

  losePositions(): void {
    losePositions(this.#folder);
  }

  /** All points of the edge, and of the copy. */
  async answers(): Promise<readonly [edge: string, copy: string]> {
    return [await pointsAt(this.#edge.url, 'Plant'), await pointsAt(this.#target.url, 'North.Plant')];
  }

  async #begin(): Promise<{ following: Following; copy: DatasetCopy }> {
    const following = await this.#edge.engine.follow('Plant', 'kept');
    const sink = new VarveSink(parseVarveAddress(`varve://127.0.0.1:${this.line.port}`));
    const dataset = { name: 'North.Plant', identity: following.identity };
    const folder = new EdgeFolder(this.#folder);
    const stopped = new AbortController().signal;
    const copy = new DatasetCopy({
      following,
      dataset,
      sink,
      positions: folder.positions(dataset, sink.name),
      edge: folder.edge,
      edgeAddress: '',
      nowMs: () => Date.now(),
      checkName: async () => {},
      pace: new Pace(new Rests(), stopped),
      stopped,
    });
    return { following, copy };
  }

  async #send(method: string, path: string, body?: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
    const answer = await fetch(`${this.#edge.url}/api/datasets${path}`, { method, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new RefusedByEdge(`${method} ${path}: ${answer.status} ${text}`);
  }
}

/**
 * Points of one time by their values: one that was written after a removal comes before late ones of its time at the edge, and
 * behind them at the target, if late points that the removal has left are later.
 */
async function pointsAt(url: string, dataset: string): Promise<string> {
  const { tl } = JSON.parse(await get(url, `/api/datasets/${dataset}/data?tagname=A&${RANGE}`)) as ReadAnswer;
  const points = tl
    .flatMap(({ d }) => d)
    .flatMap(({ t, v }) => t.map((ms, i) => [(ms - SECOND_ZERO_MS) / 1000, v[i] ?? 0] as const));
  points.sort(([time, value], [otherTime, otherValue]) => time - otherTime || value - otherValue);
  return points.map(([time, value]) => `${value} at ${time}`).join(', ');
}

async function everythingAt(url: string, dataset: string): Promise<string> {
  const { User: tags } = JSON.parse(await get(url, `/api/datasets/${dataset}/tags`)) as { User: { n: string }[] };
  const names = tags.map(({ n }) => `tagname=${n}&`).join('');
  const points = names === '' ? '' : await get(url, `/api/datasets/${dataset}/data?${names}${RANGE}`);
  return `${JSON.stringify(tags)} ${withoutNow(points)}`;
}

function timeOf(second: number): string {
  return new Date(SECOND_ZERO_MS + second * 1000).toISOString();
}
