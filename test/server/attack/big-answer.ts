// The large answer that some attacks ask for: the same tags again and again, some 500 MB as JSON.

import assert from 'node:assert/strict';
import { type AttackContext, DATASET } from './attack-context.ts';

const TAG_COUNT = 10;
const POINT_COUNT = 100_000;
/** Times that each tag is asked for in one read. */
const REPEATS = 10;
const POINT_BYTES = 50;
const FIRST_MS = Date.UTC(2024, 0, 1);

export const BIG_ANSWER_BYTES = TAG_COUNT * POINT_COUNT * REPEATS * POINT_BYTES;

function tagName(i: number): string {
  return i === 0 ? 'Big' : `Big${i}`;
}

/** Writes the points of the answer. */
export async function writeBigTags({ http }: AttackContext): Promise<void> {
  const times = Array.from({ length: POINT_COUNT }, (_, i) => FIRST_MS + i * 1000);
  const values = Array.from({ length: POINT_COUNT }, (_, i) => ((i * 7919) % 10_000) / 100);
  for (let i = 0; i < TAG_COUNT; i++) {
    const answer = await http.post(`${DATASET}/data`, { [tagName(i)]: { t: times, v: values } });
    assert.equal(answer.status, 200, answer.text);
  }
}

/** The body of the read. */
export function bigReadBody(): string {
  const tagname = Array.from({ length: TAG_COUNT * REPEATS }, (_, i) => tagName(i % TAG_COUNT));
  return JSON.stringify({ tagname, start: '2024-01-01T00:00:00Z', end: '2025-01-01T00:00:00Z' });
}
