// The caller of a route: what it may do, and its access to the audit log.

import type { HttpRequest, HttpResponse } from '../../http/contract/http-server.ts';
import type { AuditAction, AuditDetails } from '../audit/audit.ts';
import type { Role } from './role.ts';

/** What a caller may do, told to the caller. */
export interface CallerRights {
  /** `open` while there are no tokens: everybody may do everything. */
  readonly access: 'open' | 'token';
  readonly role: Role;
  /** Patterns of names, with `*` for any characters. */
  readonly datasets: readonly string[];
  /** What the token is called in lists; may be empty. */
  readonly name: string;
  /** ISO 8601; absent without an end. */
  readonly expires?: string;
}

export const EVERY_RIGHT: CallerRights = { access: 'open', role: 'admin', datasets: ['*'], name: '' };

export interface Caller {
  readonly rights: CallerRights;
  may(role: Role, dataset: string): boolean;
  /** Throws a 403, and puts the attempt into the audit log, unless the caller may. */
  require(role: Role, dataset: string): void;
  /**
   * In whose name things are kept that belong to who made them: the name of the token, or where it has none its client id or
   * its id. Undefined while there are no tokens.
   */
  readonly ownerName: string | undefined;
  /** Throws a 403 that says this, and puts the attempt into the audit log: the role is needed here. */
  refuse(needed: Role, detail: string): never;
  /** Puts into the audit log what the request has changed. To be called once it is done. */
  audit(action: AuditAction, details: AuditDetails): void;
  /** The response, whose stream or WebSocket is closed when the caller may no longer have it. */
  holdOpen(request: HttpRequest, response: HttpResponse): HttpResponse;
}

/** May do everything, without audit: for routers without access control. */
export const ANYONE: Caller = {
  rights: EVERY_RIGHT,
  may: () => true,
  require: () => {},
  ownerName: undefined,
  refuse: () => {
    throw new Error('BUG: a caller who may do everything was refused');
  },
  audit: () => {},
  holdOpen: (_request, response) => response,
};
