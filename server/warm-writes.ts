// Writes a made-up load into an engine in memory, as a client's would be, so that the compiler knows the way from a body
// to a block before the first client waits for it: some 300 functions, most of a second's work. No file is touched.

import { openScratchEngine } from '../engine/index.ts';
import { TvqParser } from './json/tvq-parser.ts';

const DATASET = 'warm-up';
const TAGS = 100;
/** Of a tag in a body. */
const POINTS = 10;
const BODIES = 120;
const FIRST_MS = 1_700_000_000_000;

/** One step is a body; a few milliseconds of work at first, then less than one. */
export async function* warmWrites(): AsyncGenerator<void> {
  const engine = await openScratchEngine();
  try {
    const parser = new TvqParser();
    const options = { shape: { kind: 'tags' }, handling: 'strict', receiptMs: 0, maxTextBytes: 65_536 } as const;
    await engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 });
    for (let round = 0; round < BODIES; round++) {
      yield;
      const parsed = parser.parse(makeBody(round), { ...options, lookup: engine.lookup(DATASET) });
      await engine.append(DATASET, parsed.batch);
      parser.release(parsed.batch);
    }
  } finally {
    await engine.close();
  }
}

/** About a second between the points of a tag, two digits behind the point. */
function makeBody(round: number): Uint8Array {
  const tags: string[] = [];
  for (let tag = 0; tag < TAGS; tag++) {
    const points: string[] = [];
    for (let i = round * POINTS; i < (round + 1) * POINTS; i++) {
      const noise = ((i + tag) * 7919) % 200;
      const time = new Date(FIRST_MS + i * 1000 + noise).toISOString();
      points.push(`{"t":"${time}","v":${(5000 + tag * 10 + (noise % 41)) / 100},"q":192}`);
    }
    tags.push(`"Tag${tag}":[${points.join(',')}]`);
  }
  return new TextEncoder().encode(`{${tags.join(',')}}`);
}
