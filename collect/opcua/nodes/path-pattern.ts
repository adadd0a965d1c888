// Patterns of browse paths: steps between slashes; `*` is any text within a step, and the step `**` any number of steps.

/** Whether a path lies in the pattern, or something below it may. */
export type PathVerdict = 'match' | 'below' | 'match and below' | 'no';

export class PathPattern {
  readonly #steps: readonly (RegExp | 'any')[];

  constructor(text: string) {
    this.#steps = splitPath(text).map((step) => (step === '**' ? 'any' : compileStep(step)));
  }

  judge(path: readonly string[]): PathVerdict {
    const places = this.#walk(path);
    const isMatch = places.has(this.#steps.length);
    const hasMore = [...places].some((place) => place < this.#steps.length);
    if (isMatch) return hasMore ? 'match and below' : 'match';
    return hasMore ? 'below' : 'no';
  }

  /** Every number of steps of the pattern that the path may have used up. */
  #walk(path: readonly string[]): Set<number> {
    let places = this.#withEmpty(new Set([0]));
    for (const name of path) {
      const next = new Set<number>();
      for (const place of places) {
        const step = this.#steps[place];
        if (step === 'any') next.add(place);
        else if (step?.test(name)) next.add(place + 1);
      }
      places = this.#withEmpty(next);
    }
    return places;
  }

  /** `**` may be no step at all. */
  #withEmpty(places: Set<number>): Set<number> {
    for (const place of places) if (this.#steps[place] === 'any') places.add(place + 1);
    return places;
  }
}

export function splitPath(text: string): string[] {
  return text.split('/').filter((step) => step !== '');
}

function compileStep(step: string): RegExp {
  // A run of stars is one star: several would make matching slow.
  const parts = step.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
