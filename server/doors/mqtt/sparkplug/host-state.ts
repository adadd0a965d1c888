// What a primary host of Sparkplug says of itself: that it is there, which edge nodes wait for, and that it is not, in which
// case they store and forward. The broker keeps the message, and sends the second one itself when the connection is lost.

/** State that the host tells on one connection. */
export class HostState {
  readonly topic: string;
  readonly #connectedMs: number;
  /** What this connection has said has come back: messages that come now were published later. */
  #isHeard = false;

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

  /**
   * Whether the host has to say once more that it is there: somebody has said since that it is not, such as the broker for an
   * earlier connection. What was said before, and was kept for the session, is over: edge nodes would be born twice.
   */
  mustTellAgain(payload: Uint8Array): boolean {
    const { online, timestamp } = readState(payload);
    if (online === true && timestamp === this.#connectedMs) this.#isHeard = true;
    return online === false && this.#isHeard;
  }
}

function readState(payload: Uint8Array): { readonly online?: unknown; readonly timestamp?: unknown } {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8')) ?? {};
  } catch {
    return {};
  }
}
