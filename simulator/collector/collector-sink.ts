// Sends points to a dataset: gathers them in batches, one for each lane, and hands full ones to the lanes.

import { type HttpTarget, packBody } from '../../client/http-link.ts';
import type { Lane } from '../../forward/lane.ts';
import type { Column } from '../generate/column.ts';
import type { PointSink, TagWriter } from '../sink.ts';
import { BodyBuilder, BodyTag } from '../wire/body-builder.ts';

/** A batch of this many points is sent; large enough to cost little a point, small enough for any server. */
const BATCH_POINTS = 10_000;
/** Texts can be long: a batch of this many bytes is sent too. */
const BATCH_BYTES = 4 * 1024 * 1024;

export class CollectorSink implements PointSink {
  readonly #target: HttpTarget;
  readonly #lanes: readonly Lane[];
  readonly #builders: readonly BodyBuilder[];
  readonly #writers = new Map<string, TagWriter>();
  #sentPoints = 0;

  constructor(target: HttpTarget, lanes: readonly Lane[]) {
    this.#target = target;
    this.#lanes = lanes;
    this.#builders = lanes.map(() => new BodyBuilder());
  }

  get pointCount(): number {
    return this.#builders.reduce((sum, builder) => sum + builder.pointCount, this.#sentPoints);
  }

  get isFull(): boolean {
    return this.#builders.some((builder) => builder.pointCount >= BATCH_POINTS || builder.byteCount >= BATCH_BYTES);
  }

  tagWriter(name: string): TagWriter {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      writer = new LaneTagWriter(name, this.#builders[laneOf(name, this.#lanes.length)] as BodyBuilder);
      this.#writers.set(name, writer);
    }
    return writer;
  }

  async drain(): Promise<void> {
    await this.#send(BATCH_POINTS / 2);
  }

  async flush(): Promise<void> {
    await this.#send(1);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  async #send(fromPoints: number): Promise<void> {
    for (const [index, builder] of this.#builders.entries()) {
      if (builder.pointCount < fromPoints && builder.byteCount < BATCH_BYTES) continue;
      this.#sentPoints += builder.pointCount;
      await this.#lanes[index]?.offer(await packBody(this.#target, builder.takeBody()));
    }
  }
}

class LaneTagWriter implements TagWriter {
  readonly #tag: BodyTag;
  readonly #builder: BodyBuilder;

  constructor(name: string, builder: BodyBuilder) {
    this.#tag = new BodyTag(name);
    this.#builder = builder;
  }

  numbers(column: Column, from: number): void {
    this.#builder.addNumbers(this.#tag, column, from);
  }

  json(timeMs: number, json: string): void {
    this.#builder.addJson(this.#tag, timeMs, json);
  }
}

/** Lane of a name, equal in every run (FNV-1a). */
function laneOf(name: string, laneCount: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % laneCount;
}
