// The streams and WebSockets that tokens hold open: looked through after each look at the token file, and those are closed
// whose token has been revoked, changed or removed, or is over.

import type { Grant, TokenStore } from './tokens/token-store.ts';

export interface OpenStream {
  readonly grant: Grant;
  /** Closes it from our side; it leaves the list by itself. */
  close(): void;
}

/** Closed in one go; the next ones after other work had its turn. */
const CLOSED_AT_ONCE = 100;

export class OpenStreams {
  readonly #tokens: Pick<TokenStore, 'holds'>;
  readonly #streams = new Set<OpenStream>();

  constructor(tokens: Pick<TokenStore, 'holds'>) {
    this.#tokens = tokens;
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
  }

  /** Closes what is no longer held open. */
  sweep(nowMs: number): void {
    const over: OpenStream[] = [];
    for (const stream of this.#streams) if (!this.#tokens.holds(stream.grant, nowMs)) over.push(stream);
    for (const stream of over) this.#streams.delete(stream);
    closeInSlices(over);
  }
}

function closeInSlices(streams: readonly OpenStream[]): void {
  for (const stream of streams.slice(0, CLOSED_AT_ONCE)) stream.close();
  const rest = streams.slice(CLOSED_AT_ONCE);
  if (rest.length > 0) setImmediate(closeInSlices, rest);
}
