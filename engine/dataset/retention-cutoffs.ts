// Where purge has cut a dataset off: points before are not read, but for each tag's newest at or before it (D9).
// All times in ms; -Infinity where nothing is purged.

/** A cutoff that is no longer in force, and the record up to which the catalog knows what it has hidden. */
export interface LiftedCutoff {
  readonly beforeMs: number;
  readonly sequence: number;
}

/** As dataset.json has them. */
export interface StoredCutoffs {
  readonly userMs: number;
  readonly systemMs: number;
  readonly sizeMs: number;
  readonly lifted: LiftedCutoff | undefined;
}

export class RetentionCutoffs {
  #userMs = Number.NEGATIVE_INFINITY;
  #systemMs = Number.NEGATIVE_INFINITY;
  #sizeMs = Number.NEGATIVE_INFINITY;
  #oldestMs = Number.NEGATIVE_INFINITY;
  #lifted: LiftedCutoff | undefined;

  /** Of user tags. */
  get userMs(): number {
    return this.#userMs;
  }

  /** Of system tags. */
  get systemMs(): number {
    return this.#systemMs;
  }

  /** How much of that of user tags purge by size has made: a part of it that only a change of rules lifts. */
  get sizeMs(): number {
    return this.#sizeMs;
  }

  /**
   * That which the tags' oldest times go by: behind a crash an earlier one than that in force, until purge has gone over
   * them.
   */
  get oldestMs(): number {
    return this.#oldestMs;
  }

  /** The one that was lifted last. */
  get lifted(): LiftedCutoff | undefined {
    return this.#lifted;
  }

  restore({ userMs, systemMs, sizeMs, lifted }: StoredCutoffs): void {
    this.#userMs = userMs;
    this.#systemMs = systemMs;
    this.#sizeMs = sizeMs;
    this.#lifted = lifted;
  }

  advanceUser(ms: number): void {
    this.#userMs = Math.max(this.#userMs, ms);
  }

  /** By size: it counts for user tags as well. */
  advanceSize(ms: number): void {
    this.#sizeMs = Math.max(this.#sizeMs, ms);
    this.advanceUser(ms);
  }

  advanceSystem(ms: number): void {
    this.#systemMs = Math.max(this.#systemMs, ms);
  }

  /** After a wrong clock. */
  moveSystemBack(ms: number): void {
    this.#systemMs = ms;
  }

  /** Takes that of user tags back to a time. */
  lower(ms: number, lifted: LiftedCutoff): void {
    this.#userMs = ms;
    this.#sizeMs = Math.min(this.#sizeMs, ms);
    this.#lifted = lifted;
  }

  /** The tags' oldest times go by a cutoff; -Infinity when it is not known by which. */
  noteOldest(ms: number): void {
    this.#oldestMs = ms;
  }
}
