// Revisions of what clients change as a whole: the tag of an answer, and the header that says which one was seen.

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

/** What If-Match says, where it is needed; `of` is what is changed. Throws a 428 without it. */
export function requireIfMatch(request: HttpRequest, of: string): (revision: number) => boolean {
  const isSeen = readIfMatch(request);
  if (isSeen !== undefined) return isSeen;
  const detail = `Say in If-Match which revision is changed, as the ETag of the ${of} has it: If-Match: "3".`;
  throw new ProblemError(428, detail, { key: 'Error.RevisionWanted' });
}
