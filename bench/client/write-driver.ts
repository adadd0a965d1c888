// Sends a write load as fast as the server takes it: each connection its own requests, one in flight at a time.

import type { LoadRequest, WriteLoad } from '../workloads/write-load.ts';
import { NotSupportedError, type RawAnswer, type RawConnection, withConnections } from './raw-connection.ts';

export interface DriveResult {
  readonly elapsedMs: number;
  /** Points a second over the second half of the points, when compilers and caches have warmed up. */
  readonly secondHalfRate: number;
  /** Latency of every request; ms. */
  readonly latenciesMs: Float64Array;
  /** Processor time of this process; s. */
  readonly clientCpuSeconds: number;
}

/** What is sent: the requests of each connection, in order. */
export type Sendable = Pick<WriteLoad, 'requests' | 'points'>;
/** Called with the number of points of each request that was answered. */
export type OnAnswered = (points: number) => void;

class Progress {
  readonly latenciesMs: Float64Array;
  readonly #halfPoints: number;
  readonly #onAnswered: OnAnswered;
  #requests = 0;
  #points = 0;
  halfAtMs = Number.NaN;
  pointsBehindHalf = 0;

  constructor(load: Sendable, onAnswered: OnAnswered) {
    this.#onAnswered = onAnswered;
    this.latenciesMs = new Float64Array(load.requests.reduce((sum, own) => sum + own.length, 0));
    this.#halfPoints = load.points / 2;
  }

  note(points: number, elapsedMs: number): void {
    this.latenciesMs[this.#requests++] = elapsedMs;
    this.#points += points;
    if (!Number.isNaN(this.halfAtMs)) this.pointsBehindHalf += points;
    else if (this.#points >= this.#halfPoints) this.halfAtMs = performance.now();
    this.#onAnswered(points);
  }
}

/** Sends everything. Throws when an answer is no success, NotSupportedError when the very first one is 400. */
export async function driveWrites(
  address: string,
  load: Sendable,
  onAnswered: OnAnswered = () => {},
): Promise<DriveResult> {
  return withConnections(address, load.requests.length, async (connections) => {
    const progress = new Progress(load, onAnswered);
    const cpuBefore = process.cpuUsage();
    const startedMs = performance.now();
    await Promise.all(connections.map((connection, i) => sendAll(connection, load.requests[i] ?? [], progress)));
    const endedMs = performance.now();
    const cpu = process.cpuUsage(cpuBefore);
    return {
      elapsedMs: endedMs - startedMs,
      secondHalfRate: (progress.pointsBehindHalf / (endedMs - progress.halfAtMs)) * 1000,
      latenciesMs: progress.latenciesMs,
      clientCpuSeconds: (cpu.user + cpu.system) / 1e6,
    };
  });
}

async function sendAll(connection: RawConnection, requests: readonly LoadRequest[], progress: Progress): Promise<void> {
  let isFirst = true;
  for (const { bytes, points } of requests) {
    const answer = await connection.send(bytes);
    if (!isSuccess(answer)) throw await refusal(connection, bytes, answer, isFirst);
    isFirst = false;
    progress.note(points, answer.elapsedMs);
  }
}

function isSuccess({ status }: RawAnswer): boolean {
  return status === 200 || status === 204;
}

/** The server's reason, by asking once more. */
async function refusal(
  connection: RawConnection,
  bytes: Buffer,
  { status }: RawAnswer,
  isFirst: boolean,
): Promise<Error> {
  const again = await connection.send(bytes, 'body').catch(() => undefined);
  const reason = `got status ${status}; want 200: ${again?.body.toString().slice(0, 300) ?? ''}`;
  return isFirst && status === 400 ? new NotSupportedError(reason) : new Error(reason);
}
