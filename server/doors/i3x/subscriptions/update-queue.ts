// The updates that wait for one subscriber, in numbered batches: what exceeds the bound is dropped, oldest batch first, and the
// numbers show the gap. The texts of all queues together are bounded, too.

export const BATCH_UPDATES = 1000;
/** Bounds of one queue, about. */
const MAX_CHARS = 16 * 2 ** 20;
const MAX_UPDATES = 50_000;
/** Bound of all queues: who adds beyond it loses its own oldest updates. */
const MAX_ALL_CHARS = 128 * 2 ** 20;

/** Texts of JSON objects. */
export interface Updates {
  readonly updates: string[];
  chars: number;
}

export interface UpdateBatch extends Updates {
  readonly sequenceNumber: number;
}

/** What all queues of a server hold. */
export interface QueueBudget {
  chars: number;
}

export class UpdateQueue {
  /** True once updates were dropped that nobody was told of. */
  hasDropped = false;
  readonly #budget: QueueBudget;
  #batches: UpdateBatch[] = [];
  /** Whether the last batch takes more. */
  #isOpen = false;
  #next = 1;
  #count = 0;
  #chars = 0;

  constructor(budget: QueueBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  add(update: string): void {
    let last = this.#batches.at(-1);
    if (last === undefined || !this.#isOpen || last.updates.length === BATCH_UPDATES) {
      last = { sequenceNumber: this.#next++, updates: [], chars: 0 };
      this.#batches.push(last);
      this.#isOpen = true;
    }
    last.updates.push(update);
    last.chars += update.length;
    this.#added(1, update.length);
  }

  /** Adds as many as a batch has at most, which other queues may share: they are never changed. */
  addShared({ updates, chars }: Readonly<Updates>): void {
    this.#batches.push({ sequenceNumber: this.#next++, updates: updates as string[], chars });
    this.#isOpen = false;
    this.#added(updates.length, chars);
  }

  #added(count: number, chars: number): void {
    this.#count += count;
    this.#chars += chars;
    this.#budget.chars += chars;
    while (this.#isTooLong() && this.#batches.length > 0) {
      this.#dropFirst();
      this.hasDropped = true;
    }
  }

  /** All that waits; stays until it is acknowledged. What comes now is in another batch. */
  pending(): readonly UpdateBatch[] {
    this.#isOpen = false;
    return [...this.#batches];
  }

  /** Forgets the batches up to this number. */
  acknowledge(sequenceNumber: number): void {
    while ((this.#batches[0]?.sequenceNumber ?? Number.POSITIVE_INFINITY) <= sequenceNumber) this.#dropFirst();
  }

  /** Removes and returns the oldest batch. */
  take(): UpdateBatch | undefined {
    const [first] = this.#batches;
    if (first !== undefined) this.#dropFirst();
    return first;
  }

  clear(): void {
    while (this.#batches.length > 0) this.#dropFirst();
  }

  #isTooLong(): boolean {
    return this.#count > MAX_UPDATES || this.#chars > MAX_CHARS || this.#budget.chars > MAX_ALL_CHARS;
  }

  #dropFirst(): void {
    const first = this.#batches.shift();
    if (first === undefined) return;
    if (this.#batches.length === 0) this.#isOpen = false;
    this.#count -= first.updates.length;
    this.#chars -= first.chars;
    this.#budget.chars -= first.chars;
  }
}
