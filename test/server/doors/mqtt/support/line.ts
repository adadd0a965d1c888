// A line to a broker, or another server, that can be cut: a TCP proxy.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface LineState {
  isCut: boolean;
  isSilent: boolean;
}

export class Line {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: LineState;

  private constructor(server: Server, sockets: Set<Socket>, state: LineState) {
    this.#server = server;
    this.#sockets = sockets;
    this.#state = state;
    this.port = (server.address() as AddressInfo).port;
  }

  static async open(target: number): Promise<Line> {
    const sockets = new Set<Socket>();
    const state = { isCut: false, isSilent: false };
    const server = createServer((near) => {
      if (state.isCut) return void near.destroy();
      if (state.isSilent) {
        sockets.add(near);
        near.on('error', () => undefined);
        return;
      }
      const far = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('error', () => undefined);
        one.once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Line(server, sockets, state);
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  /** Ends all connections at once, and lets no new one through. */
  cut(): void {
    this.#state.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets nothing through, as a cable that is pulled. */
  silence(): void {
    this.#state.isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  mend(): void {
    this.#state.isCut = false;
    if (!this.#state.isSilent) return;
    this.#state.isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
