// Reads whole datasets over HTTP, for comparing two runs.

import assert from 'node:assert/strict';
import type { StoredPoint } from './fake-historian.ts';

const EVERYTHING = 'start=0001-01-01T00:00:00Z&end=9999-12-31T23:59:59Z';

export async function readTagNames(url: string, dataset: string): Promise<string[]> {
  const answer = (await getJson(`${url}/api/datasets/${encodeURIComponent(dataset)}/tags`)) as {
    User: { n: string }[];
  };
  return answer.User.map((tag) => tag.n).sort();
}

export async function readPoints(url: string, dataset: string, tag: string): Promise<StoredPoint[]> {
  const query = `tagname=${encodeURIComponent(tag)}&${EVERYTHING}`;
  const answer = (await getJson(`${url}/api/datasets/${encodeURIComponent(dataset)}/data?${query}`)) as {
    tl: { d: StoredPoint[]; gaps?: unknown }[];
  };
  assert.equal(answer.tl[0]?.gaps, undefined);
  return answer.tl[0]?.d ?? [];
}

/** Every point of every tag, by tag name. */
export async function readDataset(url: string, dataset: string): Promise<Map<string, StoredPoint[]>> {
  const points = new Map<string, StoredPoint[]>();
  for (const tag of await readTagNames(url, dataset)) points.set(tag, await readPoints(url, dataset, tag));
  return points;
}

/** Fails when one tag's points are not the other's; does not print millions of points. */
export function assertSamePoints(
  actual: ReadonlyMap<string, readonly StoredPoint[]>,
  expected: ReadonlyMap<string, readonly StoredPoint[]>,
): void {
  assert.deepEqual([...actual.keys()], [...expected.keys()]);
  for (const [tag, points] of expected) {
    const others = actual.get(tag) ?? [];
    for (let i = 0; i < Math.max(points.length, others.length); i++) {
      assert.deepEqual(others[i], points[i], `point ${i} of ${tag} (${others.length} of ${points.length} points)`);
    }
  }
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  return response.json();
}
