// Values that the tests of live data write: whole numbers, each at its own second.

import assert from 'node:assert/strict';
import type { AccessServer } from '../../auth/support/access-server.ts';

/** For something to arrive. */
export const LIMIT_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);

/** Writes to the dataset Plant; the values of a tag must ascend. */
export async function writeValues(server: AccessServer, tags: Record<string, readonly number[]>): Promise<void> {
  const body = Object.entries(tags).map(([tag, values]) => [
    tag,
    values.map((v) => ({ t: new Date(START_MS + v * 1000).toISOString(), v })),
  ]);
  const headers = { 'content-type': 'application/json' };
  const answer = await server.http.send('POST', '/api/datasets/Plant/data', {
    headers,
    body: JSON.stringify(Object.fromEntries(body)),
  });
  assert.equal(answer.status, 200, answer.text);
}

export function upTo(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
