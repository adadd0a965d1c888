// What an answer says besides its values: that it is reduced, how much of it is good, and what could not be read.

const MAX_NAMES = 5;

export class Notices {
  readonly #texts: string[] = [];
  #hidden = 0;
  #hiddenIn = 0;
  readonly #notGood: string[] = [];
  #notGoodCount = 0;
  readonly #damaged: string[] = [];
  #damagedCount = 0;

  add(text: string): void {
    this.#texts.push(text);
  }

  /** `points` of a series lie between the steps. */
  addHidden(points: number): void {
    if (points === 0) return;
    this.#hidden += points;
    this.#hiddenIn++;
  }

  addNotGood(name: string, percent: number): void {
    this.#notGoodCount++;
    // Never 100 for what is not.
    if (this.#notGood.length < MAX_NAMES) this.#notGood.push(`${name} ${Math.floor(percent * 10) / 10} %`);
  }

  addDamaged(name: string, points: number): void {
    this.#damagedCount++;
    if (this.#damaged.length < MAX_NAMES) this.#damaged.push(`${name} (${points} points)`);
  }

  get texts(): string[] {
    const texts = [...this.#texts];
    if (this.#hidden > 0) {
      texts.push(
        `Reduced: ${this.#hidden} points of ${this.#hiddenIn} series lie between the steps and are not shown. A shorter range shows them, max_over_time and min_over_time show how far they go.`,
      );
    }
    if (this.#notGoodCount > 0)
      texts.push(`Good for less than 100 % of the time: ${listed(this.#notGood, this.#notGoodCount)}.`);
    if (this.#damagedCount > 0) texts.push(`Points that cannot be read: ${listed(this.#damaged, this.#damagedCount)}.`);
    return texts;
  }
}

function listed(names: readonly string[], count: number): string {
  return names.join(', ') + (count > names.length ? ` and ${count - names.length} more` : '');
}
