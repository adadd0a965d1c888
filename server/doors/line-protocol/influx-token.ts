// The token of a request of a client of InfluxDB. In versions with a user and a password, the password is the token and
// the user may be anything.

import type { HttpRequest } from '../../http/contract/http-server.ts';
import { parseQuery } from '../../http/routing/query.ts';

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i;
/** Form in which some clients of version 2 talk to servers of version 1. */
const TOKEN_WITH_USER = /^Token +[^\s:]*:([^\s]+)$/i;

/** The Authorization header that the request means; undefined when it shows nothing. */
export function influxAuthorization(request: HttpRequest): string | undefined {
  const header = request.header('authorization');
  if (header === undefined) return passwordOf(request.query);
  const basic = BASIC.exec(header)?.[1];
  if (basic !== undefined) return asBearer(passwordIn(Buffer.from(basic, 'base64').toString('utf8')));
  const token = TOKEN_WITH_USER.exec(header)?.[1];
  return token === undefined ? header : asBearer(token);
}

function passwordOf(query: string): string | undefined {
  const password = parseQuery(query).get('p')?.[0];
  return password === undefined ? undefined : asBearer(password);
}

function passwordIn(credentials: string): string {
  return credentials.slice(credentials.indexOf(':') + 1);
}

function asBearer(token: string): string {
  return `Bearer ${token}`;
}
