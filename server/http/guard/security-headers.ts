// What browsers are told on every answer: to take it for nothing but what it says it is, and to show it in no frame.

import type { HeaderList } from '../contract/http-server.ts';

/** For answers that are no page: should a browser show one all the same, nothing in it runs or loads. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * No Strict-Transport-Security: browsers would apply it to every port of the host, and so to what other servers there
 * offer without TLS.
 */
export const SECURITY_HEADERS: HeaderList = [
  ['Content-Security-Policy', NO_PAGE_POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
];

/** The headers of an answer with those of `SECURITY_HEADERS` that it does not bring itself: pages have a policy of their own. */
export function withSecurityHeaders(headers: HeaderList): HeaderList {
  return [...headers, ...SECURITY_HEADERS.filter(([name]) => !headers.some(([given]) => given === name))];
}
