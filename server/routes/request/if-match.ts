// The header If-Match: a change is meant for the revision that the client has seen, and for no later one.

import type { HttpRequest } from '../../http/contract/http-server.ts';
import { ProblemError } from '../../problem.ts';

/** Proxies that compress an answer make its tag a weak one; what it says of the revision stays true. */
const TAG_LIST = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

export function revisionTag(revision: number): string {
  return `"${revision}"`;
}

/** Undefined without the header. Throws a 400 for one that cannot be understood. */
export function readIfMatch(request: HttpRequest): ((revision: number) => boolean) | undefined {
  const text = request.header('if-match');
  if (text === undefined) return undefined;
  if (text.trim() === '*') return () => true;
  if (!TAG_LIST.test(text)) {
    throw new ProblemError(400, `If-Match: got ${text.slice(0, 60)}; want the revision in quotes, such as "3".`, {
      key: 'Error.BadParameter',
    });
  }
  const tags = new Set(text.match(/"[^"]*"/g));
  return (revision) => tags.has(revisionTag(revision));
}
