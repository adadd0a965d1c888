// What a request must say to become a WebSocket (RFC 6455, section 4.2.1).

import { ProblemError } from '../../problem.ts';

type HeaderOf = (name: string) => string | undefined;

/** What clients may send in one message once a WebSocket is open: they have nothing to say. */
export const MAX_RECEIVED_BYTES = 1024;

const upgradeOption = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;
/** 16 bytes in base64. */
const socketKey = /^[A-Za-z0-9+/]{22}==$/;

/** Whether the client would like a WebSocket; a route that has none answers as ever. */
export function asksForSocket(method: string, header: HeaderOf): boolean {
  return method === 'GET' && header('upgrade')?.toLowerCase() === 'websocket';
}

/** The fault (400 or 426) of such a request, or undefined when a WebSocket can be opened. */
export function handshakeFault(header: HeaderOf): ProblemError | undefined {
  if (header('sec-websocket-version') !== '13') {
    const headers = [['Sec-WebSocket-Version', '13']] as const;
    return new ProblemError(426, 'Only version 13 of WebSocket is spoken here.', { headers });
  }
  if (!upgradeOption.test(header('connection') ?? ''))
    return new ProblemError(400, 'The Connection header does not say Upgrade.');
  if (!socketKey.test(header('sec-websocket-key') ?? ''))
    return new ProblemError(400, 'The Sec-WebSocket-Key is not 16 bytes in base64.');
  if (header('content-length') !== undefined || header('transfer-encoding') !== undefined)
    return new ProblemError(400, 'A request for a WebSocket has no body.');
  return undefined;
}
