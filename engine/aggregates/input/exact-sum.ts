// Sums of very many numbers in two doubles, so that nothing that matters is lost, in whatever parts they are added up: what
// rounding takes from the first is kept in the second (D. E. Knuth, TAOCP 2, 4.2.2; T. J. Dekker, "A floating-point technique
// for extending the available precision", 1971). Numbers that would overflow are summed scaled down.

/** From here on numbers are huge: products with ms, and sums of those, must be doubles. */
export const HUGE = 2 ** 900;
/** What huge numbers are divided by. */
export const HUGE_SCALE = 2 ** 200;
/** Times this, a double falls into two halves whose products are exact. */
export const SPLITTER = 2 ** 27 + 1;

export class ExactSum {
  high = 0;
  /** What rounding has left over. */
  low = 0;
  /** The sum of the huge numbers, divided by `HUGE_SCALE`. */
  huge: ExactSum | undefined;

  /** A sum that is not known. */
  static unknown(): ExactSum {
    const sum = new ExactSum();
    sum.high = Number.NaN;
    return sum;
  }

  add(value: number): void {
    if (value >= HUGE || value <= -HUGE) this.toHuge().#add(value / HUGE_SCALE);
    else this.#add(value);
  }

  /** Adds values `[from, to)`. */
  addAll(values: Float64Array, from: number, to: number): void {
    let { high, low } = this;
    for (let i = from; i < to; i++) {
      const value = values[i] as number;
      if (value >= HUGE || value <= -HUGE) {
        this.toHuge().#add(value / HUGE_SCALE);
        continue;
      }
      const sum = high + value;
      const added = sum - high;
      low += high - (sum - added) + (value - added);
      high = sum;
    }
    this.high = high;
    this.low = low;
  }

  subtract(value: number): void {
    this.#add(-value);
  }

  addProduct(a: number, b: number): void {
    if (a >= HUGE || a <= -HUGE) this.toHuge().#addProduct(a / HUGE_SCALE, b);
    else this.#addProduct(a, b);
  }

  addSum({ high, low, huge }: ExactSum): void {
    this.#add(high);
    this.low += low;
    if (huge !== undefined) this.toHuge().addSum(huge);
  }

  toHuge(): ExactSum {
    this.huge ??= new ExactSum();
    return this.huge;
  }

  clear(): void {
    this.high = 0;
    this.low = 0;
    this.huge = undefined;
  }

  /** The nearest double. */
  get value(): number {
    const { high, low, huge } = this;
    return huge === undefined ? high + low : high + low + huge.value * HUGE_SCALE;
  }

  /** The sum divided by another, which has no huge numbers: the nearest double. */
  over({ high, low }: Pick<ExactSum, 'high' | 'low'>): number {
    const quotient = this.high / high;
    const product = quotient * high;
    const rest = this.high - product - lostOfProduct(quotient, high, product) + this.low - quotient * low;
    const result = quotient + rest / high;
    return this.huge === undefined ? result : result + this.huge.over({ high, low }) * HUGE_SCALE;
  }

  #addProduct(a: number, b: number): void {
    const product = a * b;
    this.#add(product);
    this.low += lostOfProduct(a, b, product);
  }

  #add(value: number): void {
    const { high } = this;
    const sum = high + value;
    const added = sum - high;
    this.low += high - (sum - added) + (value - added);
    this.high = sum;
  }
}

/** What rounding has left over of the product of two numbers that are not huge. */
export function lostOfProduct(a: number, b: number, product: number): number {
  const scaledA = SPLITTER * a;
  const scaledB = SPLITTER * b;
  const highA = scaledA - (scaledA - a);
  const highB = scaledB - (scaledB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
