// The start of an answer over uWebSockets, answers that it does not know to be complete, and the Date header of both.

import { rememberingLast } from '../http/contract/header-list.ts';
import type { HeaderList } from '../http/contract/http-server.ts';
import { statusLine } from '../http/status-titles.ts';
import type { AnswerHead } from '../http/wire.ts';
import type { UwsResponse } from './uws-api.ts';

/** Clients are told to close an idle connection in time: the older build closes it 8 to 12 s after the last answer. */
const KEEP_ALIVE = ['Keep-Alive', 'timeout=7'] as const;

/** Status and headers; the head is not ended. */
export function writeHead(response: UwsResponse, head: AnswerHead): void {
  response.writeStatus(statusLine(head.status));
  // All in one call, as lines of the first one's value: a call takes longer than putting a line together.
  const [name, lines] = head.isLast ? linesOf(head.headers) : keptAliveLines(head.headers);
  if (name !== '') response.writeHeader(name, lines);
}

/** The name of the first header, and its value with the other headers as further lines of it. */
function linesOf(headers: HeaderList): readonly [name: string, lines: string] {
  const [first, ...others] = headers;
  if (first === undefined) return ['', ''];
  let lines = first[1];
  for (const [name, value] of others) lines += `\r\n${name}: ${value}`;
  return [first[0], lines];
}

const keptAliveLines = rememberingLast((headers: HeaderList) => linesOf([KEEP_ALIVE, ...headers]));

/**
 * Writes a complete answer without telling uWebSockets that it is one: so it goes on taking the body, and a further
 * request on the connection closes it. All that can be written so are header lines: the body goes into the last one as its
 * only chunk, and the line end of that header is the one behind the last chunk.
 */
export function writeUnended(response: UwsResponse, head: AnswerHead, body: Uint8Array): void {
  writeHead(response, head);
  response.writeHeader('Date', httpDate());
  if (body.length === 0) {
    response.writeHeader('Content-Length', '0');
    response.writeHeader('Connection', 'close\r\n');
    return;
  }
  response.writeHeader('Connection', 'close');
  const start = Buffer.from(`chunked\r\n\r\n${body.length.toString(16)}\r\n`);
  response.writeHeader('Transfer-Encoding', Buffer.concat([start, body, Buffer.from('\r\n0\r\n')]));
}

let madeForSecond = -1;
let made = '';

/** The present time, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function httpDate(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== madeForSecond) {
    madeForSecond = second;
    made = new Date(nowMs).toUTCString();
  }
  return made;
}
