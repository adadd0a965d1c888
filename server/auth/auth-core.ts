// What tokens are judged by.

import type { AttemptLimit } from './audit/attempt-limit.ts';
import type { Audit } from './audit/audit.ts';
import type { TokenStore } from './tokens/token-store.ts';

export interface AuthCore {
  readonly tokens: TokenStore;
  readonly audit: Audit;
  readonly attempts: AttemptLimit;
  /** Wall clock, for the expiry of tokens. */
  readonly nowMs: () => number;
  /** Never steps; for limits. */
  readonly monotonicMs: () => number;
}
