// What purge by age must do, in plain words: every point that was accepted is readable until the rule in force takes it, or
// a client removes it. Nothing here knows of ordinals, cuts of files or catalogs.

const DAY_MS = 86_400_000;

export interface ModelPoint {
  readonly ms: number;
  readonly value: number;
  /** Purge has taken it, for good. */
  isTaken: boolean;
}

export interface ModelCounts {
  readonly written: number;
  readonly expired: number;
  readonly ignored: number;
}

/** `stays-for-ever` is what the engine once did: a cut hid points of later rules, too. It shows that the comparison sees it. */
export type CutLife = 'ends-with-its-rule' | 'stays-for-ever';

export class PurgeReference {
  readonly tags = new Map<string, ModelPoint[]>();
  readonly #life: CutLife;
  #ageDays = 0;
  #sizeGb = 0;
  /** Up to here the rule in force has taken all but the newest of each tag. */
  #takenUpToMs = Number.NEGATIVE_INFINITY;
  /** What the rule counts from. */
  #newestMs = Number.NEGATIVE_INFINITY;

  constructor(life: CutLife) {
    this.#life = life;
  }

  get ageDays(): number {
    return this.#ageDays;
  }

  readable(tag: string): ModelPoint[] {
    return (this.tags.get(tag) ?? []).filter(({ isTaken }) => !isTaken);
  }

  oldestMs(): number {
    return Math.min(...[...this.tags.keys()].flatMap((tag) => this.readable(tag).map(({ ms }) => ms)));
  }

  /** Points in time order, with values that no other point has. */
  write(tag: string, points: readonly { readonly ms: number; readonly value: number }[], nowMs: number): ModelCounts {
    const stored = this.tags.get(tag) ?? [];
    const newestMs = stored.at(-1)?.ms ?? Number.NEGATIVE_INFINITY;
    const fresh = points.filter(({ ms }) => ms >= newestMs);
    const takenMs = Math.max(this.#takenUpToMs, this.#ruleMs(nowMs));
    const lastTaken = fresh.findLast(({ ms }) => ms <= takenMs);
    const accepted = fresh.filter((point) => point.ms > takenMs || point === lastTaken);
    this.tags.set(tag, [...stored, ...accepted.map((point) => ({ ...point, isTaken: false }))]);
    for (const { ms } of accepted) this.#newestMs = Math.max(this.#newestMs, ms);
    this.#take();
    const expired = fresh.length - accepted.length;
    return { written: accepted.length, expired, ignored: points.length - fresh.length };
  }

  setRules(ageDays: number, sizeGb: number): void {
    const isLaxer = (before: number, after: number): boolean => before > 0 && (after === 0 || after > before);
    if (isLaxer(this.#ageDays, ageDays) || isLaxer(this.#sizeGb, sizeGb)) this.#lift();
    this.#ageDays = ageDays;
    this.#sizeGb = sizeGb;
  }

  purge(nowMs: number): void {
    this.#liftWhatNoRuleMakes();
    this.#takenUpToMs = Math.max(this.#takenUpToMs, this.#ruleMs(nowMs));
    this.#take();
  }

  deleteTag(tag: string): void {
    this.tags.delete(tag);
    this.#comeBack();
  }

  /** How many points that removes which could be read. */
  remove(tag: string, startMs: number): number {
    const readable = this.readable(tag);
    const left = readable.filter(({ ms }) => ms < startMs);
    const stored = this.tags.get(tag) ?? [];
    const isLeft = (point: ModelPoint): boolean => point.isTaken || left.includes(point);
    if (left.length < readable.length) {
      this.tags.set(tag, left.length === 0 ? [] : stored.filter(isLeft));
      this.#comeBack();
    }
    return readable.length - left.length;
  }

  #ruleMs(nowMs: number): number {
    return this.#ageDays > 0 ? Math.min(nowMs, this.#newestMs) - this.#ageDays * DAY_MS : Number.NEGATIVE_INFINITY;
  }

  #take(): void {
    for (const points of this.tags.values()) {
      const before = points.filter(({ ms }) => ms <= this.#takenUpToMs);
      for (const point of before.slice(0, -1)) point.isTaken = true;
    }
  }

  /** The newest points may be gone. */
  #comeBack(): void {
    const newest = [...this.tags.values()].map((points) => points.at(-1)?.ms ?? Number.NEGATIVE_INFINITY);
    this.#newestMs = Math.min(this.#newestMs, Math.max(Number.NEGATIVE_INFINITY, ...newest));
    this.#liftWhatNoRuleMakes();
  }

  #liftWhatNoRuleMakes(): void {
    if (this.#takenUpToMs > this.#ruleMs(Number.POSITIVE_INFINITY)) this.#lift();
  }

  #lift(): void {
    if (this.#life === 'ends-with-its-rule') this.#takenUpToMs = Number.NEGATIVE_INFINITY;
  }
}
