// Answers on a connection that must not be read on, because what uWebSockets takes for the end of a chunked body may not
// be its end. uWebSockets closes a connection on which a request comes before the last answer was ended, and it looks at
// none of it. So these answers are complete for the client and never ended for uWebSockets: nothing that follows on the
// connection is ever handled, in whatever segment and at whatever time it comes.

import { answerBytes } from '../http/contract/body-bytes.ts';
import type { UwsResponse } from './uws-api.ts';
import { httpDate } from './uws-head.ts';

/** A trailer field after the last chunk of a streamed answer: see `writeSealedEnd`. */
const END_FIELD = 'Varve-Complete';

/** After the other headers: ends an answer that has no body; `lengthBytes` is what Content-Length says. */
export function writeSealedHead(response: UwsResponse, lengthBytes: number | undefined): void {
  if (lengthBytes !== undefined) response.writeHeader('Content-Length', String(lengthBytes));
  response.writeHeader('Date', httpDate());
  response.writeHeader('Connection', 'close\r\n');
}

/** After the other headers: ends the answer with a body. The line end of the header serves as the one after the last chunk. */
export function writeSealedBody(response: UwsResponse, body: Uint8Array | string): void {
  const bytes = answerBytes(body);
  if (bytes.length === 0) {
    writeSealedHead(response, 0);
    return;
  }
  response.writeHeader('Date', httpDate());
  response.writeHeader('Connection', 'close');
  const start = Buffer.from(`chunked\r\n\r\n${bytes.length.toString(16)}\r\n`);
  response.writeHeader('Transfer-Encoding', Buffer.concat([start, bytes, Buffer.from('\r\n0\r\n')]));
}

/**
 * Ends a stream. All that uWebSockets can write by now are header lines, so there has to be one between the last chunk
 * and the empty line: a trailer field, which says nothing.
 */
export function writeSealedEnd(response: UwsResponse, hasChunks: boolean): void {
  if (hasChunks) {
    response.writeHeader(`\r\n0\r\n${END_FIELD}`, '1\r\n');
  } else {
    response.writeHeader('Date', httpDate());
    response.writeHeader('Transfer-Encoding', 'chunked\r\n\r\n0\r\n');
  }
}
