// What a collector does, in figures: a line of the log now and then, and points of its dataset whenever one has changed, so that
// they have a history.

import { describeStore, type StoreFigures } from '../forward/store-figures.ts';
import type { NamedPoint } from './point.ts';
import type { BufferCounts } from './point-buffer.ts';

const GOOD = 192;

export interface CollectorFigures {
  readonly connected: boolean;
  /** The server that it is connected to. */
  readonly endpoint: string | undefined;
  /** When it was, and what went wrong with the source. */
  readonly lastError: string | undefined;
  /** Stored ones, over the last ten seconds. */
  readonly pointsPerSecond: number;
  /** How far the last stored points were behind the clock; undefined where there are none. */
  readonly lagSeconds: number | undefined;
  readonly variables: number;
  /** Points that are on disk or with the historian. */
  readonly stored: number;
  readonly filtered: number;
  /** Values before which others were lost in a queue of the server that was too short. */
  readonly overflowed: number;
  readonly waiting: StoreFigures;
  readonly counts: BufferCounts;
}

export class FigurePoints {
  readonly #prefix: string;
  readonly #written = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Gives points of what has changed since the last time. */
  take(figures: CollectorFigures, timeMs: number): NamedPoint[] {
    const points: NamedPoint[] = [];
    for (const [name, number] of Object.entries(flatten(figures))) {
      if (this.#written.get(name) === number) continue;
      this.#written.set(name, number);
      const point = { timeMs, ticks: 0, json: String(number), number, quality: GOOD };
      points.push({ tag: `${this.#prefix}.${name}`, point });
    }
    return points;
  }
}

export function describeFigures({ stored, filtered, overflowed, waiting, counts }: CollectorFigures): string {
  const { dropped, refused, ignored } = counts;
  return (
    `stored ${stored} points, filtered ${filtered}, dropped ${dropped}, refused ${refused}, ignored ${ignored}, ` +
    `overflowed ${overflowed}; ${describeStore(waiting)}`
  );
}

function flatten(figures: CollectorFigures): Record<string, number> {
  const { connected, variables, stored, filtered, overflowed, waiting, counts } = figures;
  const waits = Object.fromEntries(Object.entries(waiting).map(([name, value]) => [`waiting.${name}`, value]));
  return { connected: connected ? 1 : 0, variables, stored, filtered, overflowed, ...waits, ...counts };
}
