// Sends reads one after the other and tells how long each took, to the last byte and until the client has numbers.

import { Unpackr } from 'msgpackr';
import { percentile } from '../report/statistics.ts';
import type { ServerUnderTest } from '../support/server-under-test.ts';
import type { RawAnswer, RawConnection } from './raw-connection.ts';

export type AnswerFormat = 'json' | 'msgpack';

export interface ReadTimes {
  /** To the last byte; ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the last byte, then parsed, and all values added up; ms. */
  readonly parsedP50Ms: number;
  readonly points: number;
  readonly bytes: number;
  readonly serverCpuSeconds: number;
}

interface Entry {
  readonly d: readonly { readonly v: number }[] | { readonly v: readonly number[] };
}

const unpackr = new Unpackr({ useRecords: false, structuredClone: true });

/** Throws when an answer is not 200. */
export async function driveReads(
  connection: RawConnection,
  server: Pick<ServerUnderTest, 'cpuSeconds'>,
  requests: readonly Buffer[],
  format: AnswerFormat,
): Promise<ReadTimes> {
  const latenciesMs: number[] = [];
  const parsedMs: number[] = [];
  let points = 0;
  let bytes = 0;
  const cpuBefore = server.cpuSeconds;
  for (const request of requests) {
    const answer = checkedAnswer(await connection.send(request, 'body'));
    const startedMs = performance.now();
    points += countPoints(parseAnswer(answer.body, format));
    latenciesMs.push(answer.elapsedMs);
    parsedMs.push(answer.elapsedMs + performance.now() - startedMs);
    bytes += answer.bodyBytes;
  }
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    parsedP50Ms: percentile(parsedMs, 0.5),
    points,
    bytes,
    serverCpuSeconds: server.cpuSeconds - cpuBefore,
  };
}

export function checkedAnswer(answer: RawAnswer): RawAnswer {
  if (answer.status === 200) return answer;
  throw new Error(`got status ${answer.status}; want 200: ${answer.body.toString().slice(0, 300)}`);
}

export function parseAnswer(body: Buffer, format: AnswerFormat): Entry[] {
  const answer = (format === 'json' ? JSON.parse(body.toString()) : unpackr.unpack(body)) as { tl: Entry[] };
  return answer.tl;
}

/** Adds the values up, as whoever wants them as numbers does. */
function countPoints(entries: readonly Entry[]): number {
  let points = 0;
  let sum = 0;
  for (const { d } of entries) {
    if ('v' in d) {
      const values = d.v;
      for (let i = 0; i < values.length; i++) sum += values[i] as number;
      points += values.length;
    } else {
      for (const point of d) sum += point.v;
      points += d.length;
    }
  }
  if (Number.isNaN(sum)) throw new Error('an answer has values that are no numbers');
  return points;
}
