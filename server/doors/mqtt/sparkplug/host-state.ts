// What a primary host of Sparkplug says of itself: that it is there, which edge nodes wait for, and that it is not, in which
// case they store and forward. The broker keeps the message, and sends the second one itself when the connection is lost.

/** Of one connection. */
export class HostState {
  readonly topic: string;
  readonly #connectedMs: number;

  constructor(host: string, connectedMs: number) {
    this.topic = `spBv1.0/STATE/${host}`;
    this.#connectedMs = connectedMs;
  }

  get online(): string {
    return JSON.stringify({ online: true, timestamp: this.#connectedMs });
  }

  /** Sent by the broker; it has the time of the birth, so that nodes know which of the two is the newer one. */
  get lost(): string {
    return JSON.stringify({ online: false, timestamp: this.#connectedMs });
  }

  leaving(nowMs: number): string {
    return JSON.stringify({ online: false, timestamp: nowMs });
  }

  /** Whether a message says that this host is not there; one of an earlier connection may come late. */
  saysOffline(payload: Uint8Array): boolean {
    try {
      return JSON.parse(Buffer.from(payload).toString('utf8'))?.online === false;
    } catch {
      return false;
    }
  }
}
