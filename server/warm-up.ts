// What the first requests would wait for, done as soon as the server is ready: a step at a time, so that requests that
// come meanwhile are not held up.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ValueType, warmReads } from '../engine/index.ts';
import { OutputBytes } from './json/output-bytes.ts';
import { TvqWriter } from './json/tvq-writer.ts';
import { DEFAULT_STYLE } from './json/value-style.ts';
import { readBodySchema } from './schemas/read.ts';
import { prepareSchema } from './schemas/validate.ts';
import { warmWrites } from './warm-writes.ts';

/** So often the points of a block are written, and the compiler knows what matters. */
const ROUNDS = 20;

/** Resolves when all is done; rejects only for a fault of its own. */
export async function warmUp(): Promise<void> {
  for await (const _ of steps()) await nextTurn();
}

async function* steps(): AsyncGenerator<void> {
  prepareSchema(readBodySchema);
  const points = yield* warmReads();
  const writer = new TvqWriter();
  const out = new OutputBytes();
  for (let round = 0; round < ROUNDS; round++) {
    yield;
    out.clear();
    writer.writePoints(out, { type: ValueType.Double, points, start: 0, end: points.count }, DEFAULT_STYLE, 'first');
  }
  yield* warmWrites();
}
