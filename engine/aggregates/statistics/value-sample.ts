// All values of a range, up to a number; of more a random part of that number, each value with the same chance
// (J. S. Vitter, "Random sampling with a reservoir", ACM TOMS 11, 1985, algorithm R).

/** Most ranges of very many tags are short. */
const FIRST_CAPACITY = 256;

export interface TakesMemory {
  /** Called before so much more is held; what it throws ends the work. */
  take(sizeBytes: number): void;
}

export class ValueSample {
  readonly #limit: number;
  readonly #memory: TakesMemory;
  /** State of the random numbers; the seed is fixed, so that the same read has the same answer. */
  #random = 0x9e3779b9;
  #values = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  /** @param limit values that are kept */
  constructor(limit: number, memory: TakesMemory) {
    this.#limit = limit;
    this.#memory = memory;
  }

  add(value: number): void {
    const count = this.#count++;
    if (count < this.#limit) {
      if (count === this.#values.length) this.#grow();
      this.#values[count] = value;
    } else {
      const place = Math.floor((this.#next() / 2 ** 32) * this.#count);
      if (place < this.#limit) this.#values[place] = value;
    }
  }

  get isWhole(): boolean {
    return this.#count <= this.#limit;
  }

  /** The values that were kept, in no order; nothing may be added afterwards. */
  get values(): Float64Array {
    return this.#values.subarray(0, Math.min(this.#count, this.#limit));
  }

  #grow(): void {
    const { length } = this.#values;
    const grownLength = Math.min(this.#limit, length * 2);
    this.#memory.take((grownLength - length) * Float64Array.BYTES_PER_ELEMENT);
    const grown = new Float64Array(grownLength);
    grown.set(this.#values);
    this.#values = grown;
  }

  /** A whole number below 2^32 (xorshift, G. Marsaglia 2003). */
  #next(): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x;
    return x >>> 0;
  }
}
