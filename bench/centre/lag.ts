// How far the centre is behind an edge that takes points at a steady rate: how long ago everything that was accepted was there.

import { join } from 'node:path';
import { type Centre, copiesOf, post, quantile, startEdge } from './centre-bench.ts';

const TAGS = 1000;
const REQUEST_MS = 100;
const WARM_UP_MS = 10_000;

export async function measureLag(centre: Centre, folder: string, rate: number, seconds: number): Promise<string[]> {
  const edge = await startEdge(join(folder, 'edge'), centre);
  const each = Math.round((rate * REQUEST_MS) / 1000 / TAGS);
  const lags: number[] = [];
  const startMs = Date.now();
  let sent = 0;
  for (let next = startMs; next < startMs + WARM_UP_MS + seconds * 1000; next += REQUEST_MS) {
    await new Promise((resolve) => void setTimeout(resolve, Math.max(0, next - Date.now())));
    await post(`${edge.url}/api/datasets/Plant/data`, bodyOfNow(each));
    sent += each * TAGS;
    const [copy] = await copiesOf(edge.url);
    if (next - startMs > WARM_UP_MS && copy?.lagSeconds !== undefined) lags.push(copy.lagSeconds);
  }
  const took = (Date.now() - startMs) / 1000;
  await edge.stop();
  return [
    `${Math.round(sent / took)} points/s for ${took.toFixed(0)} s: lag p50 ${quantile(lags, 0.5).toFixed(2)} s, p99 ${quantile(lags, 0.99).toFixed(2)} s, most ${Math.max(...lags).toFixed(2)} s`,
  ];
}

function bodyOfNow(each: number): string {
  const nowMs = Date.now();
  const members = Array.from({ length: TAGS }, (_, tag) => {
    const points = Array.from(
      { length: each },
      (_, i) => `{"t":"${new Date(nowMs + i).toISOString()}","v":${(i + (nowMs % 1000) / 10).toFixed(1)}}`,
    );
    return `"T${tag}":[${points.join(',')}]`;
  });
  return `{${members.join(',')}}`;
}
