// Sinks of generated points: a dataset (collector/) or a file (out-file.ts).

import type { Column } from './generate/column.ts';

/** Takes the points of one tag. */
export interface TagWriter {
  /** The points from `from` to the end of the column; the column is only lent. */
  numbers(column: Column, from: number): void;
  json(timeMs: number, json: string): void;
}

export interface PointSink {
  tagWriter(name: string): TagWriter;
  /** Points taken so far. */
  readonly pointCount: number;
  /** Whether enough has gathered: then `drain` before more is generated. */
  readonly isFull: boolean;
  /** Sends what has gathered to a good size; waits while the receiver is slower than the generator. */
  drain(): Promise<void>;
  /** Sends everything that has gathered. */
  flush(): Promise<void>;
  /** Resolves when all that was sent before the call is safe: acknowledged, or stored on disk. Rejects with RunEndedError. */
  settled(): Promise<void>;
}
