// A line to a server as they are on a bad day: a TCP proxy that cuts, falls silent, delays, or leaves open connections hanging.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * `cut`: all connections end, and no new one comes about. `silent`: nothing passes, and nobody is told. `hanging`: so for the
 * connections that are open, while new ones pass. `slow`: every piece waits. `blip`: all connections end once.
 */
export const TROUBLES = ['cut', 'silent', 'hanging', 'slow', 'blip'] as const;
export type Trouble = (typeof TROUBLES)[number];

interface Wire {
  readonly near: Socket;
  readonly far: Socket;
}

export class FlawedLine {
  /** The port of the server. */
  target = 0;
  #trouble: Trouble | undefined;
  #delayMs = 0;
  readonly #wires = new Set<Wire>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((near) => this.#connect(near));
  }

  static async open(): Promise<FlawedLine> {
    const line = new FlawedLine();
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  /** The name and port that browsers are given; a server takes them for its own when it is told. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `delayMs` is for a slow line, each piece and way. */
  begin(trouble: Trouble, delayMs: number): void {
    this.#trouble = trouble;
    this.#delayMs = delayMs;
    if (trouble === 'cut' || trouble === 'blip') this.#endAll();
    if (trouble === 'silent' || trouble === 'hanging') this.#pauseAll();
  }

  /** Connections that hung come to an end, as those do whose other side has forgotten them. */
  mend(): void {
    const wasHanging = this.#trouble === 'hanging';
    this.#trouble = undefined;
    for (const { near, far } of this.#wires) {
      if (wasHanging && near.isPaused()) near.destroy();
      near.resume();
      far.resume();
    }
  }

  async close(): Promise<void> {
    this.#trouble = 'cut';
    this.#endAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #endAll(): void {
    for (const { near, far } of this.#wires) {
      near.destroy();
      far.destroy();
    }
  }

  #pauseAll(): void {
    for (const { near, far } of this.#wires) {
      near.pause();
      far.pause();
    }
  }

  #connect(near: Socket): void {
    if (this.#trouble === 'cut') return void near.destroy();
    const wire = { near, far: connect(this.target, '127.0.0.1') };
    this.#wires.add(wire);
    this.#pass(wire, near, wire.far);
    this.#pass(wire, wire.far, near);
    if (this.#trouble === 'silent') this.#pauseAll();
  }

  #pass(wire: Wire, from: Socket, to: Socket): void {
    from.on('data', (piece) => {
      if (this.#trouble !== 'slow') return void to.write(piece);
      // Later pieces stay behind this one.
      from.pause();
      setTimeout(() => {
        if (!to.destroyed) to.write(piece);
        if (this.#trouble !== 'silent' && this.#trouble !== 'hanging') from.resume();
      }, this.#delayMs);
    });
    from.on('error', () => undefined);
    from.once('close', () => {
      this.#wires.delete(wire);
      to.destroy();
    });
  }
}
