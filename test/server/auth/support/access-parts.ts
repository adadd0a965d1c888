// The access control of a server inside a test, with its token file wherever the test has it.

import { AttemptLimit } from '../../../../server/auth/audit/attempt-limit.ts';
import type { Audit } from '../../../../server/auth/audit/audit.ts';
import type { AuthParts } from '../../../../server/auth/auth-parts.ts';
import { HostCheck } from '../../../../server/auth/host-check.ts';
import { OpenStreams } from '../../../../server/auth/open-streams.ts';
import { TokenStore } from '../../../../server/auth/tokens/token-store.ts';

export const CLIENT_TOKEN_LIFE_MS = 3_600_000;

export interface TestClocks {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

export function openTestAccess(tokenPath: string, audit: Audit, clocks: TestClocks): Omit<AuthParts, 'hostKind'> {
  const tokens = TokenStore.open(tokenPath, { changed: () => {}, failed: () => {} });
  const core = { tokens, audit, attempts: new AttemptLimit(), ...clocks };
  const streams = new OpenStreams(tokens);
  return { ...core, hosts: new HostCheck(core), streams, clientTokenLifeMs: CLIENT_TOKEN_LIFE_MS };
}
