// Every state of a token, of a client's too, that a request may come with.

import { ROLES, type Role } from '../../../../server/auth/rules/role.ts';
import { clientToken, makeClient, makeToken } from '../support/access-server.ts';

const HOUR_MS = 3_600_000;

/** Whose the view is: all that may write here have this name. */
export const OWNER = 'Shift';

export const clients = {
  read: makeClient('read', ['Line*']),
  write: makeClient('write', ['Line*'], { name: OWNER }),
  admin: makeClient('admin', ['*']),
  revoked: makeClient('admin', ['*'], { revoked: '2026-01-02T00:00:00.000Z' }),
  expired: makeClient('admin', ['*'], { expires: '2026-01-02T00:00:00.000Z' }),
  'other dataset': makeClient('admin', ['Other']),
};

export const made = {
  read: makeToken('read', ['Line*']),
  write: makeToken('write', ['Other', 'Line*'], { name: OWNER }),
  admin: makeToken('admin', ['*ine *']),
  revoked: makeToken('admin', ['*'], { revoked: '2026-01-02T00:00:00.000Z' }),
  expired: makeToken('admin', ['*'], { expires: '2026-01-02T00:00:00.000Z' }),
  'other dataset': makeToken('admin', ['Other', 'Line', 'line*', '*Line']),
};
export const unknown = makeToken('admin', ['*']);
export const valid = made.admin;

export interface TokenState {
  readonly name: string;
  readonly authorization: string | undefined;
  readonly meaning: Role | 'none' | 'invalid' | 'other dataset';
}

export const STATES: readonly TokenState[] = [
  { name: 'none', authorization: undefined, meaning: 'none' },
  ...ROLES.map((role) => ({ name: role, authorization: `Bearer ${made[role].token}`, meaning: role })),
  { name: 'scheme in small letters', authorization: `bearer  ${made.read.token}`, meaning: 'read' },
  { name: 'unknown', authorization: `Bearer ${unknown.token}`, meaning: 'invalid' },
  { name: 'revoked', authorization: `Bearer ${made.revoked.token}`, meaning: 'invalid' },
  { name: 'expired', authorization: `Bearer ${made.expired.token}`, meaning: 'invalid' },
  { name: 'secret of another', authorization: `Bearer ${mixed(valid.token, unknown.token)}`, meaning: 'invalid' },
  { name: 'cut off', authorization: `Bearer ${valid.token.slice(0, -1)}`, meaning: 'invalid' },
  { name: 'another scheme', authorization: `Basic ${valid.token}`, meaning: 'invalid' },
  { name: 'two', authorization: `Bearer ${valid.token}, Bearer ${valid.token}`, meaning: 'invalid' },
  { name: 'other dataset', authorization: `Bearer ${made['other dataset'].token}`, meaning: 'other dataset' },
  ...ROLES.map((role) => ({
    name: `client's, ${role}`,
    authorization: `Bearer ${clientToken(clients[role], HOUR_MS)}`,
    meaning: role,
  })),
  {
    name: "client's, other dataset",
    authorization: `Bearer ${clientToken(clients['other dataset'], HOUR_MS)}`,
    meaning: 'other dataset',
  },
  ...[
    clientToken(clients.admin, -1000),
    clientToken(clients.revoked, HOUR_MS),
    clientToken(clients.expired, HOUR_MS),
    mixed(clientToken(clients.admin, HOUR_MS), clientToken(clients.write, HOUR_MS)),
    mixed(clientToken(clients.admin, HOUR_MS), clientToken(clients.admin, 2 * HOUR_MS), 29),
    clients.admin.secret,
    `varve_${clients.admin.entry.id}_${clients.admin.secret}`,
  ].map((token, index) => ({
    name: `client's, ${['lapsed', 'of one revoked', 'of one expired', 'of two', 'prolonged', 'secret', 'secret as token'][index]}`,
    authorization: `Bearer ${token}`,
    meaning: 'invalid' as const,
  })),
];

/** The id of one token with the secret of another; with 29, of a client's, the time of one with the signature of another. */
function mixed(first: string, second: string, length = 15): string {
  return `${first.slice(0, length)}${second.slice(length)}`;
}
