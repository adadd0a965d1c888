// How many points there are a second, over the last ten whole seconds.

const SECONDS = 10;

export class PointRate {
  readonly #counts = new Map<number, number>();

  add(count: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + count);
    for (const known of this.#counts.keys()) if (known < second - SECONDS) this.#counts.delete(known);
  }

  perSecond(nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    let sum = 0;
    for (const [known, count] of this.#counts) if (known < second && known >= second - SECONDS) sum += count;
    return sum / SECONDS;
  }
}
