// What the access control of one server consists of, for the parts that decide.

import type { HostKind } from '../http/guard/cross-site.ts';
import type { AttemptLimit } from './audit/attempt-limit.ts';
import type { Audit } from './audit/audit.ts';
import type { HostAdmission } from './host-check.ts';
import type { OpenStreams } from './open-streams.ts';
import type { TokenStore } from './tokens/token-store.ts';

export interface AccessCore {
  readonly tokens: TokenStore;
  readonly audit: Audit;
  readonly attempts: AttemptLimit;
  /** Wall clock, for the expiry of tokens. */
  readonly nowMs: () => number;
  /** Never steps; for limits. */
  readonly monotonicMs: () => number;
}

export interface AccessParts extends AccessCore {
  readonly hosts: HostAdmission;
  /** What the Host of a request is. */
  readonly hostKind: (host: string) => HostKind;
  /** Those that tokens hold open. */
  readonly streams: OpenStreams;
  /** How long a token holds that a client fetches. */
  readonly clientTokenLifeMs: number;
}
