// An engine with a dataset Plant, a hub of live data on it, and clients that take nothing while they pause.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Engine, openEngine, type PointBatch, PointColumns, ValueType } from '../../../../engine/index.ts';
import { LiveHub, type Subscription } from '../../../../server/live/live-hub.ts';
import { type LiveMarker, parseLiveMarker } from '../../../../server/live/marker.ts';
import type { LiveEvent, Outlet } from '../../../../server/live/outlet.ts';
import type { Subscriber } from '../../../../server/live/subscriber.ts';
import { LIMIT_MS } from './live-values.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** Points of one tag, each at the second that is its value, the first one given. */
export type Ascending = readonly [name: string, first: number, count: number];

export class LivePlant {
  readonly engine: Engine;
  readonly hub: LiveHub;

  private constructor(engine: Engine, hub: LiveHub) {
    this.engine = engine;
    this.hub = hub;
  }

  static async open(context: TestContext, keepAliveMs?: number): Promise<LivePlant> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
    const engine = await openEngine({ folder: join(folder, 'data'), durability: 'os', listener: () => {} });
    await engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
    const options = { engine, nowMs: () => Date.now() };
    const hub = new LiveHub(keepAliveMs === undefined ? options : { ...options, keepAliveMs });
    context.after(async () => {
      hub.stop();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return new LivePlant(engine, hub);
  }

  listen(client: Outlet, names: Subscription['names'], since?: Subscription['since']): Subscriber {
    return this.hub.subscribe({ dataset: 'Plant', names, since }, client);
  }

  /** Marker of a client that has got everything of a tag. */
  async markerOf(name: string): Promise<LiveMarker> {
    const subscriber = this.listen(new PausingClient(), [name]);
    await until(() => subscriber.isJoined, 'the client is not live');
    const { id } = subscriber;
    subscriber.gone();
    return parseLiveMarker(id) as LiveMarker;
  }

  /** In one request. */
  async write(...tags: readonly Ascending[]): Promise<void> {
    const points = new PointColumns(tags.reduce((sum, [, , count]) => sum + count, 0));
    points.qualities.fill(192);
    const lookup = this.engine.lookup('Plant');
    const runs = tags.map(([name, first, count]) => {
      const start = points.count;
      for (let value = first; value < first + count; value++) {
        points.timesMs[points.count] = START_MS + value * 1000;
        points.numbers[points.count++] = value;
      }
      return { name, tag: lookup.find(name), type: ValueType.Double, start, count, rejected: 0, stamped: 0 };
    });
    await this.engine.append('Plant', { points, runs });
  }

  async writeTexts(names: readonly string[], text: string): Promise<void> {
    const points = new PointColumns(names.length);
    points.count = names.length;
    points.qualities.fill(192);
    points.timesMs.fill(START_MS);
    const lookup = this.engine.lookup('Plant');
    const runs = names.map((name, start) => {
      points.numbers[start] = points.texts.push(text);
      return { name, tag: lookup.find(name), type: ValueType.String, start, count: 1, rejected: 0, stamped: 0 };
    });
    await this.engine.append('Plant', { points, runs });
  }

  /** Texts of one tag, a second apart, in one request. */
  async writeTextsOf(name: string, firstSecond: number, texts: readonly string[]): Promise<void> {
    await this.engine.append('Plant', this.#batchOf(name, firstSecond, texts));
  }

  /** Puts texts in place of those of the same times. */
  async correctTexts(name: string, firstSecond: number, texts: readonly string[]): Promise<void> {
    const at = (second: number) => ({ ms: START_MS + second * 1000, ticks: 0 });
    const range = { start: at(firstSecond), end: at(firstSecond + texts.length - 1) };
    const batch = this.#batchOf(name, firstSecond, texts);
    await this.engine.correct('Plant', {
      tag: name,
      kind: 'replace',
      range,
      by: 'me',
      reason: '',
      isPreview: false,
      batch,
    });
  }

  #batchOf(name: string, firstSecond: number, texts: readonly string[]): PointBatch {
    const points = new PointColumns(texts.length);
    points.count = texts.length;
    points.qualities.fill(192);
    texts.forEach((text, i) => {
      points.timesMs[i] = START_MS + (firstSecond + i) * 1000;
      points.numbers[i] = points.texts.push(text);
    });
    const tag = this.engine.lookup('Plant').find(name);
    const run = { name, tag, type: ValueType.String, start: 0, count: texts.length, rejected: 0, stamped: 0 };
    return { points, runs: [run] };
  }
}

export interface TakenEvent {
  readonly name: LiveEvent['name'];
  readonly id: string;
  readonly chars: number;
  readonly data: unknown;
}

/** Keeps what it was sent; while it pauses it takes one write more. */
export class PausingClient implements Outlet {
  readonly events: TakenEvent[] = [];
  isPausing = false;
  #blocked: (() => void) | undefined;

  format({ name, id, data }: LiveEvent): string {
    return JSON.stringify([name, id, data.length, JSON.parse(data)]);
  }

  write(texts: readonly string[]): Promise<void> | undefined {
    for (const text of texts) {
      const [name, id, chars, data] = JSON.parse(text) as [LiveEvent['name'], string, number, unknown];
      this.events.push({ name, id, chars, data });
    }
    if (!this.isPausing) return undefined;
    return new Promise((resolve) => {
      this.#blocked = resolve;
    });
  }

  /** Takes what was written, and the next write. */
  step(): void {
    const blocked = this.#blocked;
    this.#blocked = undefined;
    blocked?.();
  }

  goOn(): void {
    this.isPausing = false;
    this.step();
  }

  keepAlive(): void {}
  end(): void {}

  /** Values of a tag in events of some kind, in the order in which they came. */
  valuesOf(tag: string, name: 'current' | 'points'): unknown[] {
    const found = this.events.filter((event) => event.name === name);
    return found.flatMap(({ data }) => ((data as Record<string, { v: unknown }[]>)[tag] ?? []).map(({ v }) => v));
  }

  named(name: LiveEvent['name']): TakenEvent[] {
    return this.events.filter((event) => event.name === name);
  }
}

export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export interface Paused {
  readonly plant: LivePlant;
  readonly client: PausingClient;
  readonly subscriber: Subscriber;
}

/** A client that has got the first points of its tags, and C's second one as the last it takes for now. */
export async function pause(context: TestContext, names: readonly string[]): Promise<Paused> {
  const plant = await LivePlant.open(context);
  await plant.write(...names.map((name) => [name, 0, 1] as const));
  const client = new PausingClient();
  const subscriber = plant.listen(client, names);
  await until(() => subscriber.isJoined, 'the client is not live');
  client.isPausing = true;
  await plant.write(['C', 1, 1]);
  await until(() => subscriber.isBlocked, 'the client took everything');
  return { plant, client, subscriber };
}
