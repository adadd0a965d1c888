// Starts the steady writer's process and talks with it.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../support/clean-up.ts';
import { withinLimit } from '../support/time-limit.ts';
import type { LoadShape } from '../workloads/write-load.ts';

const PROGRAM = fileURLToPath(new URL('steady-writer.ts', import.meta.url));
const BUILD_LIMIT_MS = 300_000;
/** What a writer may lag behind its schedule before it is given up. */
const LAG_LIMIT_MS = 60_000;

export interface SteadyJob {
  readonly url: string;
  readonly shape: LoadShape;
  readonly seed: number;
  readonly pointsASecond: number;
  /** Requests of one point a second. */
  readonly smallASecond: number;
}

export interface SteadyResult {
  /** What was reached. */
  readonly pointsASecond: number;
  readonly bigP50Ms: number;
  readonly bigP99Ms: number;
  readonly smallP50Ms: number;
  readonly smallP99Ms: number;
  readonly smallLongestMs: number;
}

/** Makes the requests, then calls `begin`, writes, and gives what was measured. Rejects when the writer fails. */
export async function writeSteadily(job: SteadyJob, begin: () => void): Promise<SteadyResult> {
  const child = fork(PROGRAM, [JSON.stringify(job)], { execArgv: ['--import', 'tsx'] });
  const callOff = atEnd(() => child.kill('SIGKILL'));
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the writer ended with code ${code}`)));
    });
  try {
    await withinLimit(next(), BUILD_LIMIT_MS, "making the writer's requests");
    begin();
    child.send('go');
    const { tagCount, pointsATag } = job.shape;
    const plannedMs = ((tagCount * pointsATag) / job.pointsASecond) * 1000;
    return (await withinLimit(next(), plannedMs + LAG_LIMIT_MS, 'the steady writer')) as SteadyResult;
  } finally {
    child.kill('SIGKILL');
    callOff();
  }
}
