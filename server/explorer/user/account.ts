// Who uses the page: the token, what it may do, and its end.

import { describeCaller, type Role } from '../api/historian.ts';
import { forgetToken, keepToken } from '../api/http.ts';
import { refreshDatasets } from '../datasets/datasets.ts';
import { reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

const ROLES: readonly Role[] = ['read', 'write', 'admin'];

/** False when the server does not take the token, or wants one. */
export async function learnRights(): Promise<boolean> {
  try {
    app.set({ rights: await describeCaller() });
  } catch (error) {
    // While the server cannot be reached, the datasets say so.
    if (!(error instanceof TypeError)) reportFault(error);
  }
  return !app.get().needsToken;
}

/** True when the server takes the token. */
export async function enterToken(token: string): Promise<boolean> {
  keepToken(token);
  app.set({ needsToken: false, tokenFault: undefined });
  if (await learnRights()) await refreshDatasets();
  return !app.get().needsToken;
}

/** Forgets the token with everything that it has shown. */
export function signOut(): void {
  forgetToken();
  location.reload();
}

/** True when the role may do what `needed` is needed for; until it is known nothing is offered. */
export function useMay(needed: Role): boolean {
  return useStore(app, () => may(needed));
}

/** The same, once. */
export function may(needed: Role): boolean {
  const { rights } = app.get();
  return rights !== undefined && ROLES.indexOf(rights.role) >= ROLES.indexOf(needed);
}
