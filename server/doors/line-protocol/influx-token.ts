// The token of a request of a client of InfluxDB. In versions with a user and a password, the password is the token and
// the user may be anything.

import { basicAuthorization } from '../../auth/basic-token.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import { parseQuery } from '../../http/routing/query.ts';

/** Form in which some clients of version 2 talk to servers of version 1. */
const TOKEN_WITH_USER = /^Token +[^\s:]*:([^\s]+)$/i;

/** The Authorization header that the request means; undefined when it shows nothing. */
export function influxAuthorization(request: HttpRequest): string | undefined {
  const header = request.header('authorization');
  if (header === undefined) return passwordOf(request.query);
  const token = TOKEN_WITH_USER.exec(header)?.[1];
  return token === undefined ? basicAuthorization(header) : asBearer(token);
}

function passwordOf(query: string): string | undefined {
  const password = parseQuery(query).get('p')?.[0];
  return password === undefined ? undefined : asBearer(password);
}

function asBearer(token: string): string {
  return `Bearer ${token}`;
}
