// Which requests may be for a Host that is not known to be this server's: those with a valid token, which no browser sends by
// itself, and those for local names, which no outsider can point here.

import type { HttpRequest } from '../http/contract/http-server.ts';
import { plainAddress } from './audit/remote-address.ts';
import type { AuthCore } from './auth-core.ts';
import { judgeBearer, tooManyAttempts } from './bearer.ts';

type HostRequest = Pick<HttpRequest, 'path' | 'remoteAddress' | 'header'>;

/** The audit log has each of so many hosts once, and others of them once a minute for each network. */
const HOSTS_NOTED = 1024;
/** Its route looks at the Host itself, once it knows whether the client's secret is right. */
const TOKEN_PATH = /^\/auth\/token\/?$/i;

export class HostCheck {
  readonly #core: AuthCore;
  readonly #noted = new Set<string>();

  constructor(core: AuthCore) {
    this.#core = core;
  }

  /** For the HTTP server. Throws a 429 for an address that has sent too many tokens that are not valid. */
  allows(request: HostRequest, kind: 'local' | 'foreign'): boolean {
    if (kind === 'local') return this.noteLocal(request);
    if (!this.#core.tokens.isOn) return false;
    return TOKEN_PATH.test(request.path) || this.#hasToken(request);
  }

  noteLocal(request: HostRequest): true {
    this.#note(request, 'local name', undefined);
    return true;
  }

  /** A request that has shown a secret of this token or client. */
  noteTrusted(request: HostRequest, tokenId: string): void {
    this.#note(request, 'valid token', tokenId);
  }

  #hasToken(request: HostRequest): boolean {
    const authorization = request.header('authorization');
    if (authorization === undefined) return false;
    const { verdict, waitMs } = judgeBearer(this.#core, authorization, plainAddress(request.remoteAddress));
    if (waitMs !== undefined) throw tooManyAttempts(waitMs);
    if (verdict.kind !== 'valid') return false;
    this.noteTrusted(request, verdict.entry.id);
    return true;
  }

  #note(request: HostRequest, reason: string, tokenId: string | undefined): void {
    const host = request.header('host') ?? '';
    const key = `${tokenId ?? ''} ${host}`;
    if (this.#noted.has(key)) return;
    const actor = { tokenId, remoteAddress: plainAddress(request.remoteAddress) };
    const isWritten = this.#core.audit.seldom(actor, 'host.pass', { reason, host }, this.#core.monotonicMs());
    if (isWritten && this.#noted.size < HOSTS_NOTED) this.#noted.add(key);
  }
}
