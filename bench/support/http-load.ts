// A small HTTP client for measurements: keep-alive connections, one request in flight on each.

import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly body: Buffer;
  /** From sending to the last byte; ms. */
  readonly elapsedMs: number;
}

export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get(path: string): Promise<Answer> {
    return this.#send('GET', path, undefined, {});
  }

  post(path: string, body: Uint8Array | string, contentType = 'application/json'): Promise<Answer> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return this.#send('POST', path, bytes, { 'content-type': contentType, 'content-length': bytes.length });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    body: Uint8Array | undefined,
    headers: Record<string, string | number>,
  ): Promise<Answer> {
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: this.#url.hostname, port: this.#url.port, agent: this.#agent, method, path, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              bytes: answer.length,
              body: answer,
              elapsedMs: performance.now() - startedMs,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** Throws unless the answer is 200. */
export function checkOk(answer: Answer): Answer {
  if (answer.status === 200) return answer;
  throw new Error(`got status ${answer.status}; want 200: ${answer.body.toString().slice(0, 500)}`);
}
