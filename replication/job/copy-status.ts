// How the copies of an edge are doing, for figures, pages and logs.

export interface DatasetCopyStatus {
  /** Name of the dataset here. */
  readonly dataset: string;
  /** Name that the sink knows it by. */
  readonly copy: string;
  /**
   * `copying`: all is well; `waiting`: the sink fails, and is tried again; `stopped`: it needs somebody.
   */
  readonly state: 'copying' | 'waiting' | 'stopped';
  /** Why, with the other two. */
  readonly reason: string | undefined;
  /** Seconds since all that was accepted was copied; undefined before that. */
  readonly lagSeconds: number | undefined;
  /** Tags that have something to be sent. */
  readonly waitingTags: number;
  /** Points that the sink has acknowledged since the start. */
  readonly copiedPoints: number;
  /** Failures since the start. */
  readonly failures: number;
}

export interface CopyStatus {
  /** Name of the sink. */
  readonly name: string;
  readonly datasets: readonly DatasetCopyStatus[];
}
