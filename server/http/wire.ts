// What a transport does for one exchange. The rules that both transports share are above it.

import type { BodyFlow } from './body/body.ts';
import type { HeaderList, HttpSocket, HttpStream } from './contract/http-server.ts';

/** The start of an answer. `Date` is the transport's to add. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** True when the connection is to be closed after the answer. */
  readonly isLast: boolean;
}

/** After the client has gone every call does nothing. */
export interface Wire extends BodyFlow {
  /** A chunked body is to come. Its end is uncertain when extensions and trailers may be misread: the answer is the last then. */
  chunksBegin(): 'certain' | 'uncertain';
  remoteAddress(): string;
  /** Sends a whole answer, with back-pressure when it is large. Says whether the bytes may be used again. */
  sendWhole(head: AnswerHead, body: Uint8Array | string): boolean;
  /** Sends an answer without body; `lengthBytes` is what Content-Length says, undefined for none. */
  sendHead(head: AnswerHead, lengthBytes: number | undefined): void;
  /** Begins an answer of unknown length. */
  openStream(head: AnswerHead): HttpStream;
  /** Only for a proper handshake. The exchange is told of an abort when the socket is closed. */
  openSocket(): HttpSocket;
  /** Answers a request whose body is not going to be read, gives the client a moment to see it, and closes. */
  sendAndHangUp(head: AnswerHead, body: Uint8Array): void;
  /** Answers and closes; nothing that follows on the connection is parsed. */
  refuse(head: AnswerHead, body: Uint8Array): void;
  /** Whether the client has taken nothing for so long, though there is something for it. */
  isStalled(ms: number): boolean;
  /** Closes the connection at once. */
  destroy(): void;
}
