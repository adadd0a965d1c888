// What a load costs a server in two parts: the first points behind a fresh start, which find code that is not compiled and
// empty caches, and those after them.

/** The points at the beginning that count as cold; of smaller loads a share. */
const COLD_POINTS = 3e6;
const COLD_SHARE = 0.3;

/** Processor time for each million points; s. */
export interface LoadCpu {
  readonly all: number;
  readonly cold: number;
  readonly warm: number;
}

/** Made right before the first request. */
export class ColdAndWarm {
  readonly #points: number;
  readonly #cpuSeconds: () => number;
  readonly #before: number;
  #answered = 0;
  #atCold: { readonly points: number; readonly cpu: number } | undefined;

  /**
   * @param points of the whole load
   * @param cpuSeconds processor time of the server so far
   */
  constructor(points: number, cpuSeconds: () => number) {
    this.#points = points;
    this.#cpuSeconds = cpuSeconds;
    this.#before = cpuSeconds();
  }

  /** Counts points that were answered. */
  note(points: number): void {
    this.#answered += points;
    if (this.#atCold === undefined && this.#answered >= Math.min(COLD_POINTS, this.#points * COLD_SHARE))
      this.#atCold = { points: this.#answered, cpu: this.#cpuSeconds() };
  }

  /** Called behind the last answer. Throws when points are missing. */
  end(): LoadCpu {
    const after = this.#cpuSeconds();
    if (this.#answered !== this.#points)
      throw new Error(`${this.#answered} points were answered; want ${this.#points}`);
    const cold = this.#atCold ?? { points: this.#answered, cpu: after };
    return {
      all: aMillion(after - this.#before, this.#points),
      cold: aMillion(cold.cpu - this.#before, cold.points),
      warm: aMillion(after - cold.cpu, this.#points - cold.points),
    };
  }
}

function aMillion(seconds: number, points: number): number {
  return (seconds / points) * 1e6;
}
