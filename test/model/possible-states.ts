// All states that a dataset may be in after what was asked of it and what was answered: purge runs when it likes, and a
// request whose answer was lost was done or not. Every answer drops the states that it does not fit.

import type { AmendedReference } from './amended-reference.ts';

/** Points lie before the present time: purge by age goes by the newest of them. */
const NOW_MS = Number.POSITIVE_INFINITY;
/** More of them would hide every fault. */
const MOST_STATES = 500;

/** Changes a state, or only looks at it. Gives in words what does not fit it; undefined when all does. */
export type Judge = (state: AmendedReference) => string | undefined;

/** When a cutoff is lifted that no rule makes any more: with the removal that it follows, or on a full disk at any time after it. */
export type Lifting = 'at-once' | 'later';

export class PossibleStates {
  readonly #lifting: Lifting;
  readonly #most: number;
  #states: readonly AmendedReference[];

  constructor(states: readonly AmendedReference[], lifting: Lifting = 'at-once', most = MOST_STATES) {
    this.#states = states;
    this.#lifting = lifting;
    this.#most = most;
  }

  /** What happens to one does not happen to the other. */
  fork(): PossibleStates {
    return new PossibleStates(this.#states, this.#lifting, this.#most);
  }

  /** The states of several. */
  static anyOf(all: readonly PossibleStates[]): PossibleStates {
    const lifting = (all[0] as PossibleStates).#lifting;
    const most = all.reduce((sum, one) => sum + one.#most, 0);
    return new PossibleStates(distinct(all.flatMap((one) => one.#states)), lifting, most);
  }

  /** One of them. */
  get first(): AmendedReference {
    return this.#states[0] as AmendedReference;
  }

  get count(): number {
    return this.#states.length;
  }

  /** With and without a purge that has run since the last change. */
  all(): AmendedReference[] {
    return distinct(this.#states.flatMap((state) => [state, ...purged(state)]));
  }

  /** Throws when nothing fits. */
  observe(look: Judge): void {
    this.#keep(this.all(), look);
  }

  /** What was done for certain. */
  advance(change: Judge): void {
    const changed = this.all().map((state) => state.clone());
    this.#keep(changed, change);
    this.#states = this.#lifted(this.#states);
  }

  /** One of these changes was done, or none. */
  advancePerhaps(...changes: readonly Judge[]): void {
    const states = this.all();
    const changed = changes.flatMap((change) =>
      states.map((state) => state.clone()).filter((state) => change(state) === undefined),
    );
    this.#states = distinct([...states, ...this.#lifted(changed)]);
  }

  #lifted(states: readonly AmendedReference[]): AmendedReference[] {
    return distinct(
      states.flatMap((state) => {
        if (!state.isStale) return [state];
        const lifted = state.clone();
        lifted.liftStale();
        return this.#lifting === 'later' ? [state, lifted] : [lifted];
      }),
    );
  }

  #keep(states: readonly AmendedReference[], judge: Judge): void {
    let difference: string | undefined;
    const fitting = states.filter((state) => {
      const found = judge(state);
      difference ??= found;
      return found === undefined;
    });
    if (fitting.length === 0) throw new Error(`${difference}, and of ${states.length} possible states none fits`);
    if (fitting.length > this.#most) throw new Error(`BUG: ${fitting.length} states are possible`);
    this.#states = distinct(fitting);
  }
}

function purged(state: AmendedReference): AmendedReference[] {
  return state.purgeTimes(NOW_MS).map((cutoffMs) => {
    const after = state.clone();
    after.purge(cutoffMs);
    return after;
  });
}

function distinct(states: readonly AmendedReference[]): AmendedReference[] {
  if (states.length < 2) return [...states];
  return [...new Map(states.map((state) => [state.fingerprint(), state])).values()];
}
