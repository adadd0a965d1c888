// Addresses of this server in its own answers.

import type { HttpRequest } from '../../http/contract/http-server.ts';

/**
 * The address by which the client reaches this server. A proxy that ends TLS says so; it is believed here, where it only
 * changes what the client itself is told.
 */
export function baseUrl(request: HttpRequest, ownScheme: 'http' | 'https' = 'http'): string {
  const [forwarded = ''] = (request.header('x-forwarded-proto') ?? '').split(',');
  const isSecure = ownScheme === 'https' || forwarded.trim().toLowerCase() === 'https';
  return `${isSecure ? 'https' : 'http'}://${request.header('host') ?? ''}`;
}
