// Decides who may call a route: looks at the token of a request, and makes the caller of it that the route gets.

import type { HttpRequest } from '../http/http-server.ts';
import { ProblemError } from '../http/problem.ts';
import type { Admission, Route } from '../http/router.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { Actor, Audit, AuditAction, AuditDetails } from './audit.ts';
import type { Caller } from './caller.ts';
import { matchesPattern } from './dataset-pattern.ts';
import { networkOf, plainAddress } from './remote-address.ts';
import { includesRole, type Role } from './role.ts';
import { needOf, type RouteNeed } from './route-rules.ts';
import type { TokenEntry } from './token-file.ts';
import type { TokenStore } from './token-store.ts';

export interface AccessParts {
  readonly tokens: TokenStore;
  readonly audit: Audit;
  readonly attempts: AttemptLimit;
  /** The fault of a request whose Host is not this server's. Undefined when all is well. */
  readonly checkHost: (host: string) => ProblemError | undefined;
  /** Wall clock, for the expiry of tokens. */
  readonly nowMs: () => number;
  /** Never steps; for limits. */
  readonly monotonicMs: () => number;
}

const BEARER = /^Bearer +([^\s,]+)$/i;
const REALM = 'Bearer realm="varve"';

/** For `createRouter`. Throws when a route has no rule. */
export function createAdmission(routes: readonly Route[], parts: AccessParts): Admission {
  const needs = new Map<Route, RouteNeed>(routes.map((route) => [route, needOf(route.method, route.pattern)]));
  return (route, request, params) => {
    const need = needs.get(route);
    if (need === undefined) throw new Error(`BUG: ${route.pattern} is not a route of this server`);
    return admit(need, new Visit(parts, request), params.get('dataset'));
  };
}

function admit(need: RouteNeed, visit: Visit, dataset: string | undefined): Caller {
  if (need === 'probe') return visit.stranger();
  // It cannot be asked for when the client has gone, and it costs microseconds where nobody wants it.
  if (visit.parts.tokens.isOn || need === 'admin') visit.noteAddress();
  if (!visit.parts.tokens.isOn) return visit.anyone();
  if (need === 'page') return visit.stranger();
  const caller = visit.holder(visit.identify());
  if (dataset === undefined) caller.requireSomewhere(need);
  else caller.require(need, dataset);
  return caller;
}

/** One request, while it is decided about. */
class Visit {
  readonly parts: AccessParts;
  readonly request: HttpRequest;
  #remoteAddress: string | undefined;

  constructor(parts: AccessParts, request: HttpRequest) {
    this.parts = parts;
    this.request = request;
  }

  noteAddress(): void {
    this.#remoteAddress = this.request.remoteAddress;
  }

  get remoteAddress(): string {
    return this.#remoteAddress ?? this.request.remoteAddress;
  }

  /** Without tokens everybody may do everything, but for pages of other sites, also those that only read. */
  anyone(): Caller {
    const fault = this.parts.checkHost(this.request.header('host') ?? '');
    if (fault === undefined) return new AnyCaller(this);
    this.refuse('host', undefined, {});
    throw fault;
  }

  stranger(): Caller {
    return new StrangeCaller(this);
  }

  holder(entry: TokenEntry): TokenCaller {
    return new TokenCaller(this, entry);
  }

  /** The entry of the token that was sent. Throws 401, or 429 when this address has failed too often. */
  identify(): TokenEntry {
    const header = this.request.header('authorization');
    if (header === undefined) {
      this.refuse('no token', undefined, {});
      throw unauthorized(REALM, 'This needs a token, sent as Authorization: Bearer.');
    }
    const verdict = this.parts.tokens.verify(BEARER.exec(header)?.[1] ?? '', this.parts.nowMs());
    if (verdict.kind === 'valid') return verdict.entry;
    const waitMs = this.parts.attempts.fail(networkOf(this.address), this.parts.monotonicMs());
    this.refuse(`${verdict.kind} token`, verdict.id, {});
    if (waitMs !== undefined) throw tooManyAttempts(waitMs);
    // The same words for all: only who has the token learns what became of it, from whom they have it.
    throw unauthorized(`${REALM}, error="invalid_token"`, 'The token is not valid here.');
  }

  refuse(reason: string, tokenId: string | undefined, details: AuditDetails): void {
    const { method, path } = this.request;
    const actor = { tokenId, remoteAddress: this.address };
    this.parts.audit.refused(actor, reason, { method, path, ...details }, this.parts.monotonicMs());
  }

  get address(): string {
    return plainAddress(this.remoteAddress);
  }
}

/** While there are no tokens. */
class AnyCaller implements Caller {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  may(): boolean {
    return true;
  }

  require(): void {}

  audit(action: AuditAction, details: AuditDetails): void {
    this.#visit.parts.audit.done({ tokenId: undefined, remoteAddress: this.#visit.address }, action, details);
  }
}

/** Of a page or probe that is answered without looking at the token. */
class StrangeCaller implements Caller {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  may(): boolean {
    return false;
  }

  require(role: Role): void {
    this.#visit.refuse('no token', undefined, { needed: role });
    throw unauthorized(REALM, 'This needs a token, sent as Authorization: Bearer.');
  }

  audit(action: AuditAction): void {
    throw new Error(`BUG: ${action} by a caller who may do nothing`);
  }
}

class TokenCaller implements Caller {
  readonly #visit: Visit;
  readonly #entry: TokenEntry;

  constructor(visit: Visit, entry: TokenEntry) {
    this.#visit = visit;
    this.#entry = entry;
  }

  may(role: Role, dataset: string): boolean {
    const { role: held, datasets } = this.#entry;
    return includesRole(held, role) && datasets.some((pattern) => matchesPattern(pattern, dataset));
  }

  require(role: Role, dataset: string): void {
    if (this.may(role, dataset)) return;
    this.#refuse(role, dataset);
    throw forbidden(`The token may not ${TASKS[role]} the dataset '${dataset}'.`);
  }

  /** For routes that are about no dataset, or about one that only the body names. */
  requireSomewhere(role: Role): void {
    if (includesRole(this.#entry.role, role)) return;
    this.#refuse(role, undefined);
    throw forbidden(`The token may not ${TASKS[role]} any dataset.`);
  }

  audit(action: AuditAction, details: AuditDetails): void {
    this.#visit.parts.audit.done(this.#actor, action, details);
  }

  #refuse(needed: Role, dataset: string | undefined): void {
    this.#visit.refuse('not permitted', this.#entry.id, { needed, dataset });
  }

  get #actor(): Actor {
    return { tokenId: this.#entry.id, remoteAddress: this.#visit.address };
  }
}

const TASKS: Readonly<Record<Role, string>> = { read: 'read', write: 'write to', admin: 'administer' };

function unauthorized(challenge: string, detail: string): ProblemError {
  return new ProblemError(401, detail, { key: 'Error.Unauthorized', headers: [['WWW-Authenticate', challenge]] });
}

function forbidden(detail: string): ProblemError {
  const challenge = `${REALM}, error="insufficient_scope"`;
  return new ProblemError(403, detail, { key: 'Error.Forbidden', headers: [['WWW-Authenticate', challenge]] });
}

function tooManyAttempts(waitMs: number): ProblemError {
  const detail = 'Too many requests with a token that is not valid came from this address.';
  const retryAfter = ['Retry-After', String(Math.ceil(waitMs / 1000))] as const;
  return new ProblemError(429, detail, { key: 'Error.TooManyAttempts', headers: [retryAfter] });
}
