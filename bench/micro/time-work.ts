// Times one piece of work many times, with tinybench.

import { Bench } from 'tinybench';
import { measured, type RunFigure } from '../report/result.ts';

export interface TimingLimits {
  readonly timeMs: number;
  readonly warmUpMs: number;
  readonly iterations: number;
}

export type Work = () => unknown;

export interface Timing {
  /** Times of one call; ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bestMs: number;
}

/**
 * Calls the work again and again, each time awaited when it is `async`. It may give `{ overriddenDuration }` in ms, when
 * only a part of it counts.
 */
export async function timeWork(
  work: Work,
  { timeMs, warmUpMs, iterations }: TimingLimits,
  kind: 'sync' | 'async' = 'sync',
): Promise<Timing> {
  const bench = new Bench({
    time: timeMs,
    iterations,
    warmup: warmUpMs > 0,
    warmupTime: warmUpMs,
    warmupIterations: Math.min(iterations, 5),
    throws: true,
  });
  // Said, because it would be found out by a call that nobody awaits.
  bench.add('work', work, { async: kind === 'async' });
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed') throw new Error(`the work did not complete: ${result?.state}`);
  return { p50Ms: result.latency.p50, p99Ms: result.latency.p99, bestMs: result.latency.min };
}

/** What a point costs in each of many calls. */
export function perPoint({ p50Ms, bestMs }: Timing, points: number): RunFigure[] {
  return [
    measured('p50', 'ns/pt', 'less', (p50Ms * 1e6) / points),
    measured('best', 'ns/pt', 'less', (bestMs * 1e6) / points),
  ];
}
