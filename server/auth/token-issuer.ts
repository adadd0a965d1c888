// Gives clients their short-lived tokens.

import type { HttpRequest } from '../http/contract/http-server.ts';
import { foreignHostFault } from '../http/guard/cross-site.ts';
import { ProblemError } from '../problem.ts';
import { plainAddress } from './audit/remote-address.ts';
import type { AuthParts } from './auth-parts.ts';
import { countFailure, tooManyAttempts } from './bearer.ts';
import { signClientToken } from './tokens/client-token.ts';
import { readTokenRequest, TokenFault } from './tokens/token-request.ts';
import type { TokenVerdict } from './tokens/token-store.ts';

/** Bodies hold an id and a secret. */
export const MAX_TOKEN_BODY_BYTES = 16_384;

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

type AskingRequest = Pick<HttpRequest, 'method' | 'path' | 'header' | 'remoteAddress'>;

export class TokenIssuer {
  readonly #parts: AuthParts;

  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** False while there is no access control, and so no client. */
  get isOn(): boolean {
    return this.#parts.tokens.isOn;
  }

  /**
   * A token for the client that asks. Throws a `TokenFault`, a 429 for an address with too many failed attempts, a 413; and
   * a 403 instead of all these when the Host is foreign: only who has a secret may use such a name.
   */
  async issue(request: HttpRequest): Promise<IssuedToken> {
    const { method, path } = request;
    // It cannot be asked for when the client has gone.
    const asking = { method, path, header: request.header.bind(request), remoteAddress: request.remoteAddress };
    try {
      return this.#issueFor(asking, await request.readBody(MAX_TOKEN_BODY_BYTES));
    } catch (error) {
      const host = request.header('host') ?? '';
      const isAnswer = error instanceof TokenFault || error instanceof ProblemError;
      if (isAnswer && this.#parts.hostKind(host) === 'foreign') throw foreignHostFault(host);
      throw error;
    }
  }

  #issueFor(request: AskingRequest, body: Uint8Array): IssuedToken {
    const { tokens, nowMs, clientTokenLifeMs } = this.#parts;
    const credentials = readTokenRequest(body, request.header('authorization'));
    const timeMs = nowMs();
    const verdict = tokens.verifyClient(credentials.id, credentials.secret, timeMs);
    if (verdict.kind !== 'valid') throw this.#refuse(request, verdict);
    const { entry } = verdict;
    const untilMs = Math.floor(Math.min(timeMs + clientTokenLifeMs, verdict.untilMs));
    this.#noteIssue(request, entry.id);
    return { token: signClientToken(entry, untilMs), expiresInSeconds: Math.floor((untilMs - timeMs) / 1000) };
  }

  #noteIssue(request: AskingRequest, tokenId: string): void {
    const { audit, hosts, monotonicMs, hostKind } = this.#parts;
    const actor = { tokenId, remoteAddress: plainAddress(request.remoteAddress) };
    audit.seldom(actor, 'token.issue', { reason: 'client credentials' }, monotonicMs());
    if (hostKind(request.header('host') ?? '') === 'foreign') hosts.noteTrusted(request, tokenId);
  }

  #refuse(request: AskingRequest, verdict: Exclude<TokenVerdict, { kind: 'valid' }>): Error {
    const { audit, monotonicMs } = this.#parts;
    const address = plainAddress(request.remoteAddress);
    const { method, path } = request;
    const actor = { tokenId: verdict.id, remoteAddress: address };
    audit.refused(actor, `${verdict.kind} client`, { method, path }, monotonicMs());
    const waitMs = countFailure(this.#parts, verdict, address);
    if (waitMs !== undefined) return tooManyAttempts(waitMs);
    // One message for all causes: what became of a client is told only by whoever made it.
    return new TokenFault('invalid_client', 'There is no such client, or its secret is another one.');
  }
}
