// A process that writes at a steady rate: big requests on a schedule, whatever the answers take, and small ones of one
// point beside them. Latencies count from when a request was due, so that a pause is not hidden by what waits behind it.
// Takes a `SteadyJob` as JSON in its argument; sends `ready`, waits for `go`, sends a `SteadyResult`.

import { setTimeout as sleep } from 'node:timers/promises';
import { type RawConnection, withConnections } from '../client/raw-connection.ts';
import { checkedAnswer } from '../client/read-driver.ts';
import { requestBytes } from '../client/request-bytes.ts';
import { percentile } from '../report/statistics.ts';
import { buildLoad, DATASET } from '../workloads/write-load.ts';
import type { SteadyJob, SteadyResult } from './steady-job.ts';

const job = JSON.parse(process.argv[2] ?? '') as SteadyJob;
const load = buildLoad(job.shape, job.seed);
process.send?.('ready');
process.once('message', () => {
  run().then(
    (result) => process.send?.(result, () => process.disconnect()),
    (error: unknown) => {
      throw error;
    },
  );
});

async function run(): Promise<SteadyResult> {
  const { connections } = load.shape;
  return withConnections(job.url, connections + 1, async (open) => {
    const startedMs = performance.now();
    const big = Array.from({ length: connections }, (_, i) => {
      const requests = (load.requests[i] ?? []).map(({ bytes }) => bytes);
      const perSecond = job.pointsASecond / connections / (load.requests[i]?.[0]?.points ?? 1);
      return paced(open[i] as RawConnection, requests, perSecond, startedMs);
    });
    const small = paced(open[connections] as RawConnection, smallRequests(), job.smallASecond, startedMs);
    const bigMs = (await Promise.all(big)).flat();
    const elapsedMs = performance.now() - startedMs;
    const smallMs = await small;
    return {
      pointsASecond: (load.points / elapsedMs) * 1000,
      bigP50Ms: percentile(bigMs, 0.5),
      bigP99Ms: percentile(bigMs, 0.99),
      smallP50Ms: percentile(smallMs, 0.5),
      smallP99Ms: percentile(smallMs, 0.99),
      smallLongestMs: percentile(smallMs, 1),
    };
  });
}

/** Sends one after the other, none before it is due. Gives the latencies; ms. */
async function paced(
  connection: RawConnection,
  requests: readonly Buffer[],
  perSecond: number,
  startedMs: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (const [i, request] of requests.entries()) {
    const dueMs = startedMs + (i / perSecond) * 1000;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    // Waiting is never exact; what it overshoots is not the server's.
    const begunMs = earlyMs > 0 ? performance.now() : dueMs;
    checkedAnswer(await connection.send(request));
    latenciesMs.push(performance.now() - begunMs);
  }
  return latenciesMs;
}

/** A point of a small tag each, for as long as the big ones go on. */
function smallRequests(): Buffer[] {
  const seconds = load.points / job.pointsASecond;
  return Array.from({ length: Math.floor(seconds * job.smallASecond) }, (_, i) => {
    const time = new Date((job.shape.startMs ?? 0) + i * 1000).toISOString();
    const body = Buffer.from(`{"Small.Tag${i % 10}":[{"t":"${time}","v":${i / 4},"q":192}]}`);
    return requestBytes({
      method: 'POST',
      path: `/api/datasets/${DATASET}/data`,
      contentType: 'application/json',
      body,
    });
  });
}
