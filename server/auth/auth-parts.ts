// What the access control of one server consists of, for the parts that decide.

import type { HostKind } from '../http/guard/cross-site.ts';
import type { AuthCore } from './auth-core.ts';
import type { HostCheck } from './host-check.ts';
import type { OpenStreams } from './open-streams.ts';

export interface AuthParts extends AuthCore {
  readonly hosts: HostCheck;
  /** What the Host of a request is. */
  readonly hostKind: (host: string) => HostKind;
  /** Streams that tokens hold open. */
  readonly streams: OpenStreams;
  /** How long a token holds that a client fetches. */
  readonly clientTokenLifeMs: number;
}
