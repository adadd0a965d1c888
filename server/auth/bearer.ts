// Looks at the token that came with a request, and counts the attempt when it is none.

import { ProblemError } from '../problem.ts';
import { networkOf } from './audit/remote-address.ts';
import type { AuthCore } from './auth-core.ts';
import type { TokenVerdict } from './tokens/token-store.ts';

/** `Token` is what clients of InfluxDB say. */
const BEARER = /^(?:Bearer|Token) +([^\s,]+)$/i;

export interface BearerVerdict {
  readonly verdict: TokenVerdict;
  /** How long this address has to wait until its next attempt; undefined when it need not. */
  readonly waitMs: number | undefined;
}

/** `authorization` is the header as it came, `address` a plain one. */
export function judgeBearer(core: AuthCore, authorization: string, address: string): BearerVerdict {
  const verdict = core.tokens.verify(BEARER.exec(authorization)?.[1] ?? '', core.nowMs());
  return { verdict, waitMs: countFailure(core, verdict, address) };
}

/**
 * Counts an attempt that failed. A client's token that has lapsed is none: the tokens of all the clients behind a proxy
 * may lapse in the same moment.
 */
export function countFailure(core: AuthCore, verdict: TokenVerdict, address: string): number | undefined {
  if (verdict.kind === 'valid' || verdict.kind === 'lapsed') return undefined;
  return core.attempts.fail(networkOf(address), core.monotonicMs());
}

export function tooManyAttempts(waitMs: number): ProblemError {
  const detail = 'Too many requests with a token or a client secret that is not valid came from this address.';
  const retryAfter = ['Retry-After', String(Math.ceil(waitMs / 1000))] as const;
  return new ProblemError(429, detail, { key: 'Error.TooManyAttempts', headers: [retryAfter] });
}
