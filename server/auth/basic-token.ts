// Tokens of clients that know users and passwords: the password is the token, and the user may be anything.

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i;

/** The Authorization header that is meant; any but `Basic` as it is. */
export function basicAuthorization(header: string | undefined): string | undefined {
  const credentials = BASIC.exec(header ?? '')?.[1];
  if (credentials === undefined) return header;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}
