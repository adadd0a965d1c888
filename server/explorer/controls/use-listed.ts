// A list of the server, asked for again and again while somebody looks.

import { useEffect, useState } from 'preact/hooks';
import { app } from '../state/app-state.ts';

const REFRESH_MS = 5000;

/** Empty until it is known; `list` is always the same function. */
export function useListed<T>(list: () => Promise<readonly T[]>): readonly T[] {
  const [listed, setListed] = useState<readonly T[]>([]);
  useEffect(() => {
    const refresh = (): void => {
      if (document.hidden || app.get().needsToken) return;
      // What is wrong with the server, the datasets tell.
      list().then(setListed, () => undefined);
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [list]);
  return listed;
}
