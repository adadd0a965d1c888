// Engines that fail the comparison with the model: each does now and then what no client may ever see.

import type { Engine, PointBatch, PointRun, WriteReceipt } from '../../engine/index.ts';

/** Every so many appends are tampered with, so that many of those that store something are. */
const EVERY = 10;

export type Fault = 'takes a point back' | 'alters a quality';

/** The engine, but for its appends. */
export function withFault(engine: Engine, fault: Fault): Engine {
  let appends = 0;
  const append = async (dataset: string, batch: PointBatch): Promise<WriteReceipt> => {
    const isSpared = ++appends % EVERY !== 0;
    const run = batch.runs.find(({ count }) => count > 0);
    if (isSpared || run === undefined) return engine.append(dataset, batch);
    if (fault === 'alters a quality') {
      batch.points.qualities[run.start] = 100;
      return engine.append(dataset, batch);
    }
    return appendAndTakeBack(engine, dataset, batch, run);
  };
  return new Proxy(engine, {
    get: (target, key) => {
      if (key === 'append') return append;
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Acknowledges the whole request; the newest point of one of its tags is gone then. */
async function appendAndTakeBack(
  engine: Engine,
  dataset: string,
  batch: PointBatch,
  { name, start, count }: PointRun,
): Promise<WriteReceipt> {
  const newestMs = batch.points.timesMs.subarray(start, start + count).reduce((a, b) => Math.max(a, b));
  const receipt = await engine.append(dataset, batch);
  if ((receipt.tags.get(name)?.written ?? 0) > 0)
    await engine.deletePoints(dataset, [name], { ms: newestMs, ticks: 0 });
  return receipt;
}
