// A line to a server on which requests get lost: before they arrive, or after they were executed, with their answers.

import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fate = 'passes' | 'lost before' | 'lost after';

export class LossyLine {
  /** Asked for each request. */
  fate: (method: string, path: string) => Fate = () => 'passes';
  /** All requests, for tests that count them. */
  readonly requests: string[] = [];
  /** Bytes of the longest body. */
  longestBytes = 0;
  /** Address that the line leads to. */
  target: string;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(target: string) {
    this.target = target;
    this.#server = createServer((incoming, answer) => void this.#take(incoming, answer));
  }

  static async open(target: string): Promise<LossyLine> {
    const line = new LossyLine(target);
    await new Promise<void>((resolve) => void line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  async #take(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      this.requests.push(`${method} ${url}`);
      this.longestBytes = Math.max(this.longestBytes, body.length);
      const fate = this.fate(method, url);
      if (fate === 'lost before') throw new Error('lost');
      const given = await this.#ask(method, url, { headers, body });
      if (fate === 'lost after') throw new Error('lost');
      answer.writeHead(given.status, given.headers).end(given.body);
    } catch {
      incoming.socket.destroy();
    }
  }

  #ask(
    method: string,
    path: string,
    { headers, body }: { headers: IncomingMessage['headers']; body: Buffer },
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const { hostname, port, host } = new URL(this.target);
      const outgoing = request({ agent: this.#agent, hostname, port, method, path, headers: { ...headers, host } });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('error', reject);
        incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
        incoming.on('end', () => {
          const { statusCode = 500, headers: given } = incoming;
          resolve({ status: statusCode, headers: given, body: Buffer.concat(chunks) });
        });
      });
      outgoing.end(body);
    });
  }
}
