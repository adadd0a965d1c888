// Sources over an engine in this process: what they store can be read without HTTP.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import {
  type Engine,
  type LateRule,
  openEngine,
  type PointColumns,
  payloadOf,
  type TagDefinition,
  type ValueType,
} from '../../../../../engine/index.ts';
import { readMqttConfig } from '../../../../../server/doors/mqtt/config/mqtt-config.ts';
import { MqttSources } from '../../../../../server/doors/mqtt/mqtt-sources.ts';
import { DroppedPoints } from '../../../../../server/metrics/dropped-points.ts';
import type { SourceSnapshot } from '../../../../../server/metrics/source-figures.ts';

const WAIT_LIMIT_MS = 30_000;
const LOOK_MS = 10;

export interface StoredPoint {
  readonly ms: number;
  readonly value: number | string | bigint | null;
  readonly quality: number;
}

export class SourceEngine {
  readonly engine: Engine;
  readonly sources: MqttSources;
  readonly logLines: string[];

  private constructor(engine: Engine, sources: MqttSources, logLines: string[]) {
    this.engine = engine;
    this.sources = sources;
    this.logLines = logLines;
  }

  /** Ends with the test. Waits for the brokers, unless they are not to be reached. */
  static async start(
    context: TestContext,
    source: Readonly<Record<string, unknown>>,
    broker: 'reachable' | 'away' = 'reachable',
    late: LateRule = 'accept',
  ): Promise<SourceEngine> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
    const file = join(folder, 'mqtt.json');
    mkdirSync(join(folder, 'data'));
    writeFileSync(file, JSON.stringify({ sources: [{ name: 'test', ...source }], diagnostics: 'Diagnostics' }));
    const config = readMqttConfig(file, { readFile: (path) => readFileSync(path, 'utf8'), environment: {} });
    const engine = await openEngine({ folder: join(folder, 'data'), durability: 'group', listener: () => undefined });
    const logLines: string[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void logLines.push(line) });
    const dropped = new DroppedPoints(logger);
    const sources = new MqttSources({ config, engine, truths: 'boolean', late, dropped, logger });
    const started = new SourceEngine(engine, sources, logLines);
    context.after(async () => {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    await sources.start();
    if (broker === 'reachable') await started.until('the broker', ({ state }) => state === 'connected');
    return started;
  }

  get snapshot(): SourceSnapshot {
    return this.sources.snapshots()[0] as SourceSnapshot;
  }

  async until(what: string, isReached: (snapshot: SourceSnapshot) => boolean): Promise<void> {
    const endMs = performance.now() + WAIT_LIMIT_MS;
    while (!isReached(this.snapshot)) {
      if (performance.now() > endMs) throw new Error(`waited for ${what}: ${JSON.stringify(this.snapshot)}`);
      await sleep(LOOK_MS);
    }
  }

  tag(dataset: string, name: string): TagDefinition {
    return this.engine.tag(dataset, name);
  }

  /** All points of a tag; of a system tag by `$System.<name>`. */
  async points(dataset: string, tag: string): Promise<StoredPoint[]> {
    const range = { kind: 'range', start: { ms: -6e13, ticks: 0 }, end: { ms: 2.5e14, ticks: 0 } } as const;
    const request = { tags: [tag], range, carryIn: false, skipMissing: true, limit: undefined, after: [] };
    const result = this.engine.read(dataset, request);
    if (result.tagCount === 0) return [];
    const cursor = result.open(0);
    const found: StoredPoint[] = [];
    try {
      for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
        const { points, start, end, type } = chunk;
        for (let i = start; i < end; i++) {
          const value = points.nulls[i] ? null : storedValue(type, points, i);
          const quality = points.qualities[i] as number;
          found.push({ ms: points.timesMs[i] as number, value, quality });
        }
      }
    } finally {
      cursor.close();
    }
    return found;
  }

  #isStopped = false;

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.sources.stop();
    await this.engine.close();
  }
}

function storedValue(type: ValueType, { numbers, bigints, texts }: PointColumns, i: number): StoredPoint['value'] {
  if (payloadOf(type) === 'bigint') return bigints[i] ?? null;
  return payloadOf(type) === 'text' ? texts.at(numbers[i] as number) : (numbers[i] as number);
}
