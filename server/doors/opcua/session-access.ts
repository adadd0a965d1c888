// Who reads over OPC UA: the password of a user is a token of this server, and counts as it does over HTTP, also when it is revoked
// while the session lasts. The name of the user is not looked at.

import type { ServerSession } from 'node-opcua-server';
import { plainAddress } from '../../auth/audit/remote-address.ts';
import type { AuthCore } from '../../auth/auth-core.ts';
import { judgeBearer } from '../../auth/bearer.ts';
import { mayIn } from '../../auth/rules/role.ts';
import type { Grant } from '../../auth/tokens/token-store.ts';

const PLACE = { method: 'OPC UA', path: '' };

export class SessionAccess {
  readonly #core: AuthCore;
  readonly #isAnonymousAllowed: boolean;
  /** Sessions of users; one that has none here is anonymous. */
  readonly #grants = new WeakMap<ServerSession, Grant>();

  constructor(core: AuthCore, isAnonymousAllowed: boolean) {
    this.#core = core;
    this.#isAnonymousAllowed = isAnonymousAllowed;
  }

  /** Gives whether the password is a token that holds. */
  admit(session: ServerSession, password: string): boolean {
    const address = plainAddress(session.channel?.remoteAddress ?? '');
    const { verdict } = judgeBearer(this.#core, `Bearer ${password}`, address);
    if (verdict.kind === 'valid') {
      this.#grants.set(session, verdict);
      return true;
    }
    this.#grants.delete(session);
    const actor = { tokenId: verdict.id, remoteAddress: address };
    this.#core.audit.refused(actor, `${verdict.kind} token`, PLACE, this.#core.monotonicMs());
    return false;
  }

  /** The session goes on without a user. */
  forget(session: ServerSession): void {
    this.#grants.delete(session);
  }

  mayRead(session: ServerSession, dataset: string): boolean {
    const grant = this.#grants.get(session);
    if (grant === undefined) return this.#isAnonymousAllowed;
    return this.#core.tokens.holds(grant, this.#core.nowMs()) && mayIn(grant.entry, 'read', dataset);
  }
}
