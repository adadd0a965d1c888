// One exchange over node:http.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerBytes } from '../http/contract/body-bytes.ts';
import { ClientGoneError } from '../http/contract/client-gone.ts';
import type { HttpSocket, HttpStream } from '../http/contract/http-server.ts';
import { Linger } from '../http/linger.ts';
import type { ServerState } from '../http/server-state.ts';
import { statusTitle } from '../http/status-titles.ts';
import type { AnswerHead, Wire } from '../http/wire.ts';
import { BodyTurns } from './body-turns.ts';
import { NodeSocket } from './node-socket.ts';
import { copyToSend, smallCopy } from './sent-copies.ts';

/** A request that can become a WebSocket. */
export interface NodeUpgrade {
  /** Bytes that came after the request. */
  readonly rest: Buffer;
  /** The WebSocket is closed. */
  readonly onClosed: () => void;
}

export class NodeWire implements Wire {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #state: ServerState;
  readonly #remoteAddress: string;
  readonly #bodyTurns: BodyTurns;
  readonly #upgrade: NodeUpgrade | undefined;
  #isOver = false;

  constructor(state: ServerState, request: IncomingMessage, response: ServerResponse, upgrade?: NodeUpgrade) {
    this.#state = state;
    this.#upgrade = upgrade;
    this.#request = request;
    this.#response = response;
    this.#remoteAddress = request.socket.remoteAddress ?? '';
    this.#bodyTurns = new BodyTurns(request);
    response.once('close', () => {
      this.#isOver = true;
    });
  }

  remoteAddress(): string {
    return this.#remoteAddress;
  }

  chunksBegin(): 'certain' | 'uncertain' {
    return 'certain';
  }

  /** Takes note of bytes of the body that have come. */
  bodyArrived(sizeBytes: number): void {
    this.#bodyTurns.arrived(sizeBytes);
  }

  pauseBody(): void {
    this.#bodyTurns.pauseBody();
  }

  resumeBody(): void {
    this.#bodyTurns.resumeBody();
  }

  sendWhole(head: AnswerHead, body: Uint8Array | string): boolean {
    if (this.#isOver) return true;
    const copy = typeof body === 'string' ? undefined : smallCopy(body);
    const bytes = copy ?? answerBytes(body);
    this.#writeHead(head, bytes.length);
    this.watchReader();
    this.#response.end(bytes);
    return copy !== undefined;
  }

  sendHead(head: AnswerHead, lengthBytes: number | undefined): void {
    if (this.#isOver) return;
    this.#writeHead(head, lengthBytes);
    this.#response.end();
  }

  openStream(head: AnswerHead): HttpStream {
    if (!this.#isOver) this.#writeHead(head, undefined);
    return new NodeStream(this, this.#response);
  }

  openSocket(): HttpSocket {
    if (this.#upgrade === undefined) throw new Error('BUG: the request cannot become a WebSocket');
    const request = this.#request;
    this.#isOver = true;
    this.#response.detachSocket(request.socket);
    const { slowReaderMs } = this.#state;
    return new NodeSocket({ ...this.#upgrade, request, connection: request.socket, slowReaderMs });
  }

  sendAndHangUp(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    const request = this.#request;
    this.#writeHead(head, body.length);
    // Never ended: Node closes as soon as a last answer is ended, and the client would see a reset instead.
    this.#response.write(body);
    const linger = new Linger(() => this.#cutWhenSent());
    request.on('data', (chunk: Buffer) => linger.dropped(chunk.length));
    request.on('end', () => linger.ended());
    this.#response.once('close', () => linger.stop());
    this.resumeBody();
  }

  refuse(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    this.#writeHead(head, body.length);
    this.#response.end(body);
    this.#request.socket.destroySoon();
  }

  /** Its transport closes connections that take nothing. */
  isStalled(): boolean {
    return false;
  }

  destroy(): void {
    this.#request.socket.destroy();
  }

  #cutWhenSent(): void {
    const { socket } = this.#request;
    if (socket.writableLength === 0) {
      this.destroy();
      return;
    }
    this.watchReader();
    socket.once('drain', () => this.destroy());
  }

  /** From now on the connection is closed when the client takes nothing for too long, or for up to twice as long. */
  watchReader(): void {
    this.#request.socket.setTimeout(this.#state.slowReaderMs);
  }

  unwatchReader(): void {
    this.#request.socket.setTimeout(0);
  }

  #writeHead(head: AnswerHead, lengthBytes: number | undefined): void {
    const flat: string[] = [];
    for (const [name, value] of head.headers) flat.push(name, value);
    if (lengthBytes !== undefined) flat.push('Content-Length', String(lengthBytes));
    if (head.isLast) flat.push('Connection', 'close');
    this.#response.writeHead(head.status, statusTitle(head.status), flat);
  }
}

class NodeStream implements HttpStream {
  readonly #wire: NodeWire;
  readonly #response: ServerResponse;

  constructor(wire: NodeWire, response: ServerResponse) {
    this.#wire = wire;
    this.#response = response;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#response.closed || this.#response.destroyed) return Promise.reject(new ClientGoneError());
    if (chunk.length === 0) return undefined;
    const { bytes, sent } = copyToSend(chunk);
    const isTaken = this.#response.write(bytes, sent);
    return isTaken ? undefined : this.#drained();
  }

  end(): void {
    this.#wire.watchReader();
    this.#response.end();
  }

  destroy(): void {
    this.#wire.destroy();
  }

  #drained(): Promise<void> {
    const response = this.#response;
    this.#wire.watchReader();
    return new Promise((resolve, reject) => {
      const onDrain = (): void => {
        response.off('close', onClose);
        this.#wire.unwatchReader();
        resolve();
      };
      const onClose = (): void => {
        response.off('drain', onDrain);
        reject(new ClientGoneError());
      };
      response.once('drain', onDrain);
      response.once('close', onClose);
    });
  }
}
