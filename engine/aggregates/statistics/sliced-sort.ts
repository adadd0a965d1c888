// Sorts numbers in steps of bounded length: parts by the runtime's own sort, then parts with parts (bottom-up merge sort).

/** Numbers that are sorted, or merged, in one step: about a ms. */
const AT_ONCE = 16_384;

export class SlicedSort {
  #from: Float64Array;
  #to: Float64Array;
  #sorted = 0;
  /** Length of the parts that are in order, and where the pair begins that is being merged. */
  #width = AT_ONCE;
  #begin = 0;
  #left = 0;
  #right = 0;
  #out = 0;

  /** Takes `values` over. Contains no NaN. */
  constructor(values: Float64Array) {
    this.#from = values;
    this.#to = values.length > AT_ONCE ? new Float64Array(values.length) : values;
    this.#beginPair(0);
  }

  /** True when all is in order. */
  step(): boolean {
    const { length } = this.#from;
    if (this.#sorted < length) {
      this.#from.subarray(this.#sorted, this.#sorted + AT_ONCE).sort();
      this.#sorted += AT_ONCE;
      return length <= AT_ONCE;
    }
    if (this.#width >= length) return true;
    this.#merge(Math.min(length, this.#out + AT_ONCE));
    if (this.#out === length) this.#nextPass();
    return this.#width >= length;
  }

  /** In order once `step` has said so. */
  get values(): Float64Array {
    return this.#from;
  }

  /** Writes up to `end`, going on with the next pair of parts where one ends. */
  #merge(end: number): void {
    const [from, to, { length }] = [this.#from, this.#to, this.#from];
    while (this.#out < end) {
      const middle = Math.min(length, this.#begin + this.#width);
      const last = Math.min(length, middle + this.#width);
      const stop = Math.min(end, last);
      let [left, right, out] = [this.#left, this.#right, this.#out];
      while (out < stop) {
        const takesLeft = left < middle && (right >= last || (from[left] as number) <= (from[right] as number));
        to[out++] = takesLeft ? (from[left++] as number) : (from[right++] as number);
      }
      [this.#left, this.#right, this.#out] = [left, right, out];
      if (out === last) this.#beginPair(last);
    }
  }

  #beginPair(begin: number): void {
    this.#begin = begin;
    this.#left = begin;
    this.#right = Math.min(this.#from.length, begin + this.#width);
    this.#out = begin;
  }

  #nextPass(): void {
    [this.#from, this.#to] = [this.#to, this.#from];
    this.#width *= 2;
    this.#beginPair(0);
  }
}
