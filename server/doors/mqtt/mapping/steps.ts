// Work in steps, so that it need not be done in one go: between two of them the caller may let others have their turn. Each
// step takes some microseconds.

export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
