// What peers behind HTTP share: connections, writes, and requests that must succeed.

import { type RawAnswer, RawConnection, withConnections } from '../client/raw-connection.ts';
import { type RequestParts, requestBytes } from '../client/request-bytes.ts';
import { type DriveResult, driveWrites, type OnAnswered, type Sendable } from '../client/write-driver.ts';

export class HttpPeer {
  readonly url: string;
  #reading: RawConnection | undefined;

  constructor(url: string) {
    this.url = url;
  }

  write(load: Sendable, onAnswered: OnAnswered): Promise<DriveResult> {
    return driveWrites(this.url, load, onAnswered);
  }

  /** A request by itself, on a connection of its own. */
  ask(parts: RequestParts): Promise<Buffer> {
    return withConnections(this.url, 1, async ([connection]) =>
      successBody(await (connection as RawConnection).send(requestBytes(parts), 'body')),
    );
  }

  /** One of many requests, on a connection that stays open. */
  async fetch(request: Buffer): Promise<Buffer> {
    this.#reading ??= await RawConnection.open(this.url);
    return successBody(await this.#reading.send(request, 'body'));
  }

  get(path: string): Promise<Buffer> {
    return this.fetch(requestBytes({ method: 'GET', path }));
  }

  close(): void {
    this.#reading?.close();
    this.#reading = undefined;
  }
}

function successBody({ status, body }: RawAnswer): Buffer {
  if (status === 200 || status === 204) return body;
  throw new Error(`got status ${status}; want 200: ${body.toString().slice(0, 300)}`);
}
