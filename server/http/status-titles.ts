// The titles of HTTP status codes, for status lines and for the `title` of problems.

import { STATUS_CODES } from 'node:http';

/** Node's list, with the titles of RFC 9110 where it has older ones. */
const titles = new Map(
  Object.entries({ ...STATUS_CODES, 413: 'Content Too Large', 422: 'Unprocessable Content' }).map(
    ([status, title]) => [Number(status), title as string] as const,
  ),
);

/** The standard title of a status code; its class's name for a code that has none. */
export function statusTitle(status: number): string {
  const title = titles.get(status);
  if (title !== undefined) return title;
  if (status < 400) return 'OK';
  return status < 500 ? 'Client Error' : 'Server Error';
}

const statusLines = new Map<number, string>([...titles].map(([status, title]) => [status, `${status} ${title}`]));

/** The status line without the version: `404 Not Found`. */
export function statusLine(status: number): string {
  return statusLines.get(status) ?? `${status} ${statusTitle(status)}`;
}
