// Between the generator and a sink: leaves out the points that are not to be sent.

import type { Column } from './generate/column.ts';
import type { InstanceRun, PointTaker } from './generate/instance-run.ts';
import type { PointSink, TagWriter } from './sink.ts';

/** Hands an instance's points on, but for those that the dataset has, and those of tags that another instance has by now. */
export class FreshPoints implements PointTaker {
  readonly #writers: TagWriter[];
  readonly #heldMs: Float64Array;

  constructor(
    run: InstanceRun,
    sink: PointSink,
    newestMs: ReadonlyMap<string, number>,
    isElsewhere: (tagName: string) => boolean,
  ) {
    const names = run.definition.tags.map((tag) => tag.object.n);
    this.#writers = names.map((name) => sink.tagWriter(name));
    this.#heldMs = Float64Array.from(names, (name) =>
      isElsewhere(name) ? Infinity : (newestMs.get(name) ?? -Infinity),
    );
  }

  numbers(tagIndex: number, column: Column): void {
    const heldMs = this.#heldMs[tagIndex] ?? -Infinity;
    let from = 0;
    if ((column.timesMs[0] ?? 0) <= heldMs) {
      while (from < column.count && (column.timesMs[from] ?? 0) <= heldMs) from++;
    }
    if (from < column.count) this.#writers[tagIndex]?.numbers(column, from);
  }

  json(tagIndex: number, timeMs: number, json: string): void {
    if (timeMs > (this.#heldMs[tagIndex] ?? -Infinity)) this.#writers[tagIndex]?.json(timeMs, json);
  }
}
