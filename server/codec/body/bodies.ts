// Reads bodies of one form: in one go where that is quick, as nearly all are, and else in steps between which others have
// their turn. One of each form serves all requests.

import type { PointBatch, TagLookup } from '../../../engine/index.ts';
import type { ParsedBody } from './batch-builder.ts';
import { LongBodies, type Looking, type SteppedParser } from './long-bodies.ts';

/** Longer bodies are not tried in one go, unless the form says otherwise. */
const MOST_BYTES_AT_ONCE = 524_288;
/** A body that takes longer is begun again in steps: one of very many short members takes a hundred times as long as points do. */
const MOST_MS_AT_ONCE = 10;

/** Whose turn a long body takes: asked only then, because the address of a client takes a call of the system. */
export interface Sender {
  readonly holder: string;
}

export class Bodies<Options extends Looking, Parsed extends ParsedBody = ParsedBody> {
  readonly #short: SteppedParser<Options, Parsed>;
  readonly #long: LongBodies<Options, Parsed>;
  readonly #mostBytesAtOnce: number;

  constructor(make: () => SteppedParser<Options, Parsed>, mostBytesAtOnce = MOST_BYTES_AT_ONCE) {
    this.#short = make();
    this.#long = new LongBodies(make());
    this.#mostBytesAtOnce = mostBytesAtOnce;
  }

  /** Throws or rejects as the parser throws. `lookup`, which `options` has once, and the holder as `LongBodies.parse` takes them. */
  parse(bytes: Uint8Array, options: Options, sender: Sender, lookup: () => TagLookup): Parsed | Promise<Parsed> {
    const isLong = bytes.length > this.#mostBytesAtOnce;
    const parsed = isLong ? undefined : parseWithin(this.#short, bytes, options, MOST_MS_AT_ONCE);
    return parsed ?? this.#long.parse(bytes, options, sender.holder, lookup);
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    // The one that has not read it does nothing.
    this.#short.release(batch);
    this.#long.release(batch);
  }
}

/** Reads a body in one go, unless that takes longer than `limitMs`: then undefined, and nothing has been read. Throws as the parser. */
export function parseWithin<Options extends Looking, Parsed extends ParsedBody>(
  parser: SteppedParser<Options, Parsed>,
  bytes: Uint8Array,
  options: Options,
  limitMs: number,
): Parsed | undefined {
  const endMs = performance.now() + limitMs;
  parser.beginSteps(bytes, options, 'long');
  while (!parser.step()) {
    if (performance.now() < endMs) continue;
    parser.abandon();
    return undefined;
  }
  return parser.finish();
}
