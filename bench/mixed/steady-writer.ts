// A process that writes at a steady rate: big requests on a schedule, whatever the answers take, and small ones of one
// point beside them, from many connections, as many small clients send them. Latencies count from when a request was due,
// so that a pause is not hidden by what waits behind it.
// Takes a `SteadyJob` as JSON in its argument; sends `ready`, waits for `go`, sends a `SteadyResult`.

import { setTimeout as sleep } from 'node:timers/promises';
import { type RawConnection, withConnections } from '../client/raw-connection.ts';
import { checkedAnswer } from '../client/read-driver.ts';
import { requestBytes } from '../client/request-bytes.ts';
import { percentile } from '../report/statistics.ts';
import { buildLoad, DATASET } from '../workloads/write-load.ts';
import type { SteadyJob, SteadyResult } from './steady-job.ts';

const SMALL_CONNECTIONS = 20;

/** Requests of one connection, and when each of them is due. */
interface Schedule {
  readonly requests: readonly Buffer[];
  readonly firstMs: number;
  readonly everyMs: number;
}

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
  return withConnections(job.url, connections + SMALL_CONNECTIONS, async (open) => {
    const startedMs = performance.now();
    const big = open.slice(0, connections).map((connection, i) => {
      const requests = (load.requests[i] ?? []).map(({ bytes }) => bytes);
      const perSecond = job.pointsASecond / connections / (load.requests[i]?.[0]?.points ?? 1);
      return paced(connection, { requests, firstMs: startedMs, everyMs: 1000 / perSecond });
    });
    const small = open.slice(connections).map((connection, i) => paced(connection, smallSchedule(startedMs, i)));
    const bigMs = (await Promise.all(big)).flat();
    const elapsedMs = performance.now() - startedMs;
    const smallMs = (await Promise.all(small)).flat();
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
async function paced(connection: RawConnection, { requests, firstMs, everyMs }: Schedule): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (const [i, request] of requests.entries()) {
    const dueMs = firstMs + i * everyMs;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    // Waiting is never exact; what it overshoots is not the server's.
    const begunMs = earlyMs > 0 ? performance.now() : dueMs;
    checkedAnswer(await connection.send(request));
    latenciesMs.push(performance.now() - begunMs);
  }
  return latenciesMs;
}

/** Points of a connection's own small tag, one a request, for as long as the big ones go on; connections take turns. */
function smallSchedule(startedMs: number, connection: number): Schedule {
  const seconds = load.points / job.pointsASecond;
  const everyMs = (1000 / job.smallASecond) * SMALL_CONNECTIONS;
  const requests = Array.from({ length: Math.floor((seconds * 1000) / everyMs) }, (_, i) => {
    const time = new Date((job.shape.startMs ?? 0) + i * 1000).toISOString();
    const body = Buffer.from(`{"Small.Tag${connection}":[{"t":"${time}","v":${i / 4},"q":192}]}`);
    return requestBytes({
      method: 'POST',
      path: `/api/datasets/${DATASET}/data`,
      contentType: 'application/json',
      body,
    });
  });
  return { requests, firstMs: startedMs + connection * (everyMs / SMALL_CONNECTIONS), everyMs };
}
