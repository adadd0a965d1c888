// Points of one tag as whole numbers, as blocks are encoded from them.

const MAX_INT32 = 2 ** 31 - 1;

/** Good numbers at whole ms: ms behind `baseMs`, and the values times ten to `decimals`. */
export class PlainPoints {
  count = 0;
  baseMs = 0;
  decimals = 0;
  offsets: Int32Array;
  mantissas: Int32Array;

  constructor(capacity: number) {
    this.offsets = new Int32Array(capacity);
    this.mantissas = new Int32Array(capacity);
  }

  /** Makes room for `capacity` points, keeping what is there. The arrays are new afterwards: fetch them again. */
  reserve(capacity: number): void {
    if (capacity <= this.offsets.length) return;
    const { offsets, mantissas } = this;
    const grown = Math.max(capacity, 2 * offsets.length);
    this.offsets = new Int32Array(grown);
    this.mantissas = new Int32Array(grown);
    this.offsets.set(offsets);
    this.mantissas.set(mantissas);
  }

  /** Gives points `[start, end)`, written with fewer decimals, as many as all have. False when one is no int32 then. */
  scale(start: number, end: number, decimals: number): boolean {
    const { mantissas } = this;
    const power = 10 ** (this.decimals - decimals);
    for (let i = start; i < end; i++) {
      const mantissa = (mantissas[i] as number) * power;
      if (mantissa > MAX_INT32 || mantissa < -MAX_INT32) return false;
      mantissas[i] = mantissa;
    }
    return true;
  }
}
