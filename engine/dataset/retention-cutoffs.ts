// The retention cutoffs of a dataset: earlier points are not read, except each tag's newest at or before the cutoff (D9).
// All times in ms; -Infinity where nothing is purged.

/** A cutoff that is no longer in force, and the record up to which the catalog knows the points it hid. */
export interface LiftedCutoff {
  readonly beforeMs: number;
  readonly sequence: number;
}

/** Cutoffs as stored in dataset.json. */
export interface StoredCutoffs {
  readonly userMs: number;
  readonly systemMs: number;
  readonly sizeMs: number;
  readonly lifted: LiftedCutoff | undefined;
}

const NONE: StoredCutoffs = {
  userMs: Number.NEGATIVE_INFINITY,
  systemMs: Number.NEGATIVE_INFINITY,
  sizeMs: Number.NEGATIVE_INFINITY,
  lifted: undefined,
};

export class RetentionCutoffs {
  #stored = NONE;
  #moving: Promise<unknown> | undefined;
  #removals = 0;
  #oldestMs = Number.NEGATIVE_INFINITY;

  /** All that dataset.json has. */
  get stored(): StoredCutoffs {
    return this.#stored;
  }

  /** Cutoff of user tags. */
  get userMs(): number {
    return this.#stored.userMs;
  }

  /** Cutoff of system tags. */
  get systemMs(): number {
    return this.#stored.systemMs;
  }

  /** The cutoff that purge by size has set; only a change of rules lifts it. */
  get sizeMs(): number {
    return this.#stored.sizeMs;
  }

  /** The cutoff that the tags' oldest times reflect: after a crash earlier than the one in force, until purge has visited them. */
  get oldestMs(): number {
    return this.#oldestMs;
  }

  /** The cutoff that was lifted last. */
  get lifted(): LiftedCutoff | undefined {
    return this.#stored.lifted;
  }

  /**
   * Runs a removal of points, or of tags: no cutoff begins to move on meanwhile. It removes what purge hides of a tag with the point
   * that purge keeps, and the newest points, which a rule goes by. It plans once `moving` is over.
   */
  duringRemoval<T>(removal: () => Promise<T>): Promise<T> {
    const removing = removal();
    const end = (): void => void this.#removals--;
    this.#removals++;
    // The promise itself is given back: an answer comes no later than without this.
    removing.then(end, end);
    return removing;
  }

  /**
   * Moves cutoffs on by storing them, and tells whether it did: not while a removal runs, which may wait for a checkpoint. Rejects
   * as `store` does.
   */
  async moveOn(store: () => Promise<void>): Promise<boolean> {
    if (this.#removals > 0) return false;
    const storing = store();
    this.#moving = storing.catch(() => undefined);
    try {
      await storing;
    } finally {
      this.#moving = undefined;
    }
    return true;
  }

  /** Resolves when the cutoffs that move on are stored or cannot be; undefined while none do. */
  get moving(): Promise<unknown> | undefined {
    return this.#moving;
  }

  /** What dataset.json has is in force, not before: a read and a start after a crash find the same. */
  putInForce(stored: StoredCutoffs): void {
    this.#stored = stored;
  }

  /** Records the cutoff that the tags' oldest times reflect; -Infinity when it is not known. */
  noteOldest(ms: number): void {
    this.#oldestMs = ms;
  }
}
