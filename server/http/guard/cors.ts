// Lets pages of configured origins read the answers (CORS). Without configured origins nothing of it is ever sent.

import type { HeaderList } from '../contract/http-server.ts';

/** The headers for a request of this origin; `preflight` when a browser asks before it sends the request proper. */
export type CorsHeaders = (origin: string | undefined, purpose: 'request' | 'preflight') => HeaderList;

const NONE: HeaderList = [];
const VARY = ['Vary', 'Origin'] as const;

/** What a script may see besides the body; every header of ours. A test holds it against the API description. */
const EXPOSED = [
  'Date',
  'Deprecation',
  'ETag',
  'Historian-Ahead',
  'Historian-Expired',
  'Historian-Fault',
  'Historian-Ignored',
  'Historian-Rejected',
  'Historian-Removed',
  'Historian-Repeated',
  'Historian-Written',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Varve-Reduced',
  'WWW-Authenticate',
];

const PREFLIGHT: HeaderList = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE'],
  ['Access-Control-Allow-Headers', 'Authorization, Content-Encoding, Content-Type, If-Match, Prefer'],
  ['Access-Control-Max-Age', '600'],
];

/**
 * `allowedOrigins` as browsers write them, in lower case. Cookies and other ambient credentials are never allowed: a
 * page sends its token by itself.
 */
export function createCors(allowedOrigins: readonly string[]): CorsHeaders {
  const allowed = new Set(allowedOrigins);
  if (allowed.size === 0) return () => NONE;
  return (origin, purpose) => {
    if (origin === undefined || !allowed.has(origin)) return [VARY];
    const common = [
      VARY,
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', EXPOSED.join(', ')],
    ] as const;
    return purpose === 'preflight' ? [...common, ...PREFLIGHT] : common;
  };
}
