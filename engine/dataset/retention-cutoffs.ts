// The retention cutoffs of a dataset: earlier points are not read, except each tag's newest at or before the cutoff (D9).
// All times in ms; -Infinity where nothing is purged.

/** A cutoff that is no longer in force, and the record up to which the catalog knows the points it hid. */
export interface LiftedCutoff {
  readonly beforeMs: number;
  readonly sequence: number;
}

/** As stored in dataset.json. */
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

  /** The cutoff that purge by size has set; only a change of rules lifts it. */
  get sizeMs(): number {
    return this.#sizeMs;
  }

  /** The cutoff that the tags' oldest times reflect: after a crash earlier than the one in force, until purge has visited them. */
  get oldestMs(): number {
    return this.#oldestMs;
  }

  /** The cutoff that was lifted last. */
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

  /** Purge by size: advances the cutoff of user tags, too. */
  advanceSize(ms: number): void {
    this.#sizeMs = Math.max(this.#sizeMs, ms);
    this.advanceUser(ms);
  }

  advanceSystem(ms: number): void {
    this.#systemMs = Math.max(this.#systemMs, ms);
  }

  /** Repairs a cutoff that a wrong clock has set. */
  moveSystemBack(ms: number): void {
    this.#systemMs = ms;
  }

  /** Lowers the cutoff of user tags. */
  lower(ms: number, lifted: LiftedCutoff): void {
    this.#userMs = ms;
    this.#sizeMs = Math.min(this.#sizeMs, ms);
    this.#lifted = lifted;
  }

  /** Records the cutoff that the tags' oldest times reflect; -Infinity when it is not known. */
  noteOldest(ms: number): void {
    this.#oldestMs = ms;
  }
}
