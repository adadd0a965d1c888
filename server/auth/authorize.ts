// Authorizes requests: checks the token of a request, and makes the caller that the route gets.

import type { HttpRequest, HttpResponse } from '../http/contract/http-server.ts';
import { foreignHostFault } from '../http/guard/cross-site.ts';
import type { Authorize, Route } from '../http/routing/router.ts';
import { ProblemError } from '../problem.ts';
import type { Actor, AuditAction, AuditDetails } from './audit/audit.ts';
import { plainAddress } from './audit/remote-address.ts';
import type { AuthParts } from './auth-parts.ts';
import { judgeBearer, tooManyAttempts } from './bearer.ts';
import { HeldResponse } from './held-response.ts';
import { type Caller, type CallerRights, EVERY_RIGHT } from './rules/caller.ts';
import { includesRole, mayIn, type Role } from './rules/role.ts';
import { needOf, type RouteNeed } from './rules/route-rules.ts';
import type { Grant } from './tokens/token-store.ts';

const REALM = 'Bearer realm="varve"';

/** For `createRouter`. Throws when a route has no rule. */
export function createAuthorization(routes: readonly Route[], parts: AuthParts): Authorize {
  const needs = new Map<Route, RouteNeed>(routes.map((route) => [route, needOf(route.method, route.pattern)]));
  return (route, request, params) => {
    const need = needs.get(route);
    if (need === undefined) throw new Error(`BUG: ${route.pattern} is not a route of this server`);
    const { authorizationOf = headerOf } = route;
    return authorize(need, new Visit(parts, request, authorizationOf), params.get('dataset'));
  };
}

function headerOf(request: HttpRequest): string | undefined {
  return request.header('authorization');
}

function authorize(need: RouteNeed, visit: Visit, dataset: string | undefined): Caller {
  if (need === 'probe') return visit.stranger();
  // The address cannot be read once the client has gone, and reading it costs microseconds: only where it may be needed.
  if (visit.parts.tokens.isOn || need === 'admin') visit.noteAddress();
  if (!visit.parts.tokens.isOn) return visit.anyone();
  if (need === 'page' || need === 'client') return visit.stranger();
  const grant = visit.identify();
  // Checked again after the body, which may take minutes: the token may have ended meanwhile.
  visit.request.checkAfterBody(() => visit.recheck(grant));
  const caller = visit.holder(grant);
  if (dataset === undefined) caller.requireSomewhere(need);
  else caller.require(need, dataset);
  return caller;
}

/** One request while it is being authorized. */
class Visit {
  readonly parts: AuthParts;
  readonly request: HttpRequest;
  readonly #authorizationOf: (request: HttpRequest) => string | undefined;
  #remoteAddress: string | undefined;

  constructor(parts: AuthParts, request: HttpRequest, authorizationOf: (request: HttpRequest) => string | undefined) {
    this.parts = parts;
    this.request = request;
    this.#authorizationOf = authorizationOf;
  }

  noteAddress(): void {
    this.#remoteAddress = this.request.remoteAddress;
  }

  get remoteAddress(): string {
    return this.#remoteAddress ?? this.request.remoteAddress;
  }

  /** Without tokens everybody may do everything, except pages of other sites, which may not even read. */
  anyone(): Caller {
    const host = this.request.header('host') ?? '';
    const kind = this.parts.hostKind(host);
    if (kind === 'local') this.parts.hosts.noteLocal(this.request);
    if (kind !== 'foreign') return new AnyCaller(this);
    this.refuse('host', undefined, {});
    throw foreignHostFault(host);
  }

  /** Whether everybody may do everything, and no page of another site asks. */
  get isOpen(): boolean {
    return !this.parts.tokens.isOn && this.parts.hostKind(this.request.header('host') ?? '') !== 'foreign';
  }

  stranger(): Caller {
    return new StrangeCaller(this);
  }

  holder(grant: Grant): TokenCaller {
    return new TokenCaller(this, grant);
  }

  /** What the token that was sent is good for. Throws 401, or 429 when this address has failed too often. */
  identify(): Grant {
    const header = this.#authorizationOf(this.request);
    if (header === undefined) {
      this.refuse('no token', undefined, {});
      throw unauthorized(REALM, 'This needs a token, sent as Authorization: Bearer.');
    }
    const { verdict, waitMs } = judgeBearer(this.parts, header, this.address);
    if (verdict.kind === 'valid') {
      this.request.chargeTo(`token ${verdict.entry.id}`);
      return verdict;
    }
    this.refuse(`${verdict.kind} token`, verdict.id, {});
    if (waitMs !== undefined) throw tooManyAttempts(waitMs);
    throw invalidToken();
  }

  /** Throws 401 when the grant has ended since the request came. */
  recheck(grant: Grant): void {
    if (this.parts.tokens.holds(grant, this.parts.nowMs())) return;
    this.refuse('token ended', grant.entry.id, {});
    throw invalidToken();
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
  readonly rights = EVERY_RIGHT;
  readonly ownerName = undefined;
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  may(): boolean {
    return true;
  }

  require(): void {}

  refuse(): never {
    throw new Error('BUG: a caller who may do everything was refused');
  }

  audit(action: AuditAction, details: AuditDetails): void {
    this.#visit.parts.audit.done({ tokenId: undefined, remoteAddress: this.#visit.address }, action, details);
  }

  holdOpen(_request: HttpRequest, response: HttpResponse): HttpResponse {
    return response;
  }
}

/** Caller of a page or probe that is answered without looking at the token. */
class StrangeCaller implements Caller {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  get ownerName(): string | undefined {
    throw new Error('BUG: the name of a caller who was not asked for a token');
  }

  get rights(): CallerRights {
    throw new Error('BUG: the rights of a caller who was not asked for a token');
  }

  /** A probe names datasets where anybody could list them. */
  may(role: Role): boolean {
    return role === 'read' && this.#visit.isOpen;
  }

  refuse(role: Role): never {
    return this.require(role);
  }

  require(role: Role): never {
    this.#visit.refuse('no token', undefined, { needed: role });
    throw unauthorized(REALM, 'This needs a token, sent as Authorization: Bearer.');
  }

  audit(action: AuditAction): void {
    throw new Error(`BUG: ${action} by a caller who may do nothing`);
  }

  holdOpen(_request: HttpRequest, response: HttpResponse): HttpResponse {
    return response;
  }
}

class TokenCaller implements Caller {
  readonly #visit: Visit;
  readonly #grant: Grant;

  constructor(visit: Visit, grant: Grant) {
    this.#visit = visit;
    this.#grant = grant;
  }

  get rights(): CallerRights {
    const { entry, untilMs } = this.#grant;
    const { role, datasets, name } = entry;
    const end = Number.isFinite(untilMs) ? { expires: new Date(untilMs).toISOString() } : {};
    return { access: 'token', role, datasets, name, ...end };
  }

  get ownerName(): string {
    const { name, client, id } = this.#grant.entry;
    return name || client || id;
  }

  may(role: Role, dataset: string): boolean {
    return mayIn(this.#grant.entry, role, dataset);
  }

  require(role: Role, dataset: string): void {
    if (this.may(role, dataset)) return;
    this.#noteRefusal(role, dataset);
    throw forbidden(`The token may not ${TASKS[role]} the dataset '${dataset}'.`);
  }

  /** For routes that are about no dataset, or about one that only the body names. */
  requireSomewhere(role: Role): void {
    if (includesRole(this.#grant.entry.role, role)) return;
    this.#noteRefusal(role, undefined);
    throw forbidden(`The token may not ${TASKS[role]} any dataset.`);
  }

  refuse(needed: Role, detail: string): never {
    this.#noteRefusal(needed, undefined);
    throw forbidden(detail);
  }

  audit(action: AuditAction, details: AuditDetails): void {
    this.#visit.parts.audit.done(this.#actor, action, details);
  }

  holdOpen(request: HttpRequest, response: HttpResponse): HttpResponse {
    const { streams } = this.#visit.parts;
    const grant = this.#grant;
    return new HeldResponse({ streams, grant, request, response, recheck: () => this.#visit.recheck(grant) });
  }

  #noteRefusal(needed: Role, dataset: string | undefined): void {
    this.#visit.refuse('not permitted', this.#grant.entry.id, { needed, dataset });
  }

  get #actor(): Actor {
    return { tokenId: this.#grant.entry.id, remoteAddress: this.#visit.address };
  }
}

const TASKS: Readonly<Record<Role, string>> = { read: 'read', write: 'write to', admin: 'administer' };

function unauthorized(challenge: string, detail: string): ProblemError {
  return new ProblemError(401, detail, { key: 'Error.Unauthorized', headers: [['WWW-Authenticate', challenge]] });
}

/** One message for all causes: what became of a token is told only by whoever issued it. */
function invalidToken(): ProblemError {
  return unauthorized(`${REALM}, error="invalid_token"`, 'The token is not valid here.');
}

function forbidden(detail: string): ProblemError {
  const challenge = `${REALM}, error="insufficient_scope"`;
  return new ProblemError(403, detail, { key: 'Error.Forbidden', headers: [['WWW-Authenticate', challenge]] });
}
