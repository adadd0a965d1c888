// Stands before a server of ClickHouse and counts what it answers, for tests of how much is read.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export class CountingProxy {
  /** Bytes of all answers so far, without headers. */
  answeredBytes = 0;
  readonly #target: URL;
  readonly #server = createServer((asked, answer) => this.#pass(asked, answer));

  private constructor(target: string) {
    this.#target = new URL(target.replace('clickhouse:', 'http:'));
  }

  /** @param address `clickhouse://…` of the server behind it */
  static async start(address: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(address);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): string {
    return `clickhouse://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port } = this.#target;
    const { method, url: path, headers } = asked;
    const passed = request({ hostname, port, path, method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 500, from.headers);
      from.on('data', (piece: Buffer) => {
        this.answeredBytes += piece.length;
      });
      from.on('error', () => answer.destroy());
      from.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }
}
