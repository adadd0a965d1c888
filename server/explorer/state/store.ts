// A value that components can watch a part of.

import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(patch: Partial<T>): void;
  /** Gives a function that ends the watch. */
  watch(listener: () => void): () => void;
}

export function createStore<T extends object>(first: T): Store<T> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The part that `select` gives; renders again when it is another one. */
export function useStore<T extends object, R>(store: Store<T>, select: (state: T) => R): R {
  const [, setRound] = useState(0);
  const selected = select(store.get());
  useEffect(() => {
    let shown = selected;
    const check = (): void => {
      const now = select(store.get());
      if (Object.is(now, shown)) return;
      shown = now;
      setRound((round) => round + 1);
    };
    check();
    return store.watch(check);
  });
  return selected;
}
