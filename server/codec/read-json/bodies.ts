// Reads bodies of one form: in one go where that is quick, as nearly all are, and else in steps between which others have
// their turn. One of each form serves all requests.

import type { PointBatch, TagLookup } from '../../../engine/index.ts';
import type { ParsedBody } from '../body/batch-builder.ts';
import type { BodyParser, ParseOptions } from './body-parser.ts';
import { LongBodies } from './long-bodies.ts';

/** Longer bodies are not tried in one go. */
const MOST_BYTES_AT_ONCE = 524_288;
/** A body that takes longer is begun again in steps: one of very many short members takes a hundred times as long as points do. */
const MOST_MS_AT_ONCE = 10;

export class Bodies {
  readonly #short: BodyParser;
  readonly #long: LongBodies<ParseOptions>;

  constructor(make: () => BodyParser) {
    this.#short = make();
    this.#long = new LongBodies(make());
  }

  /** Throws or rejects as `BodyParser.parse`. `holder` and `lookup`, which `options` has once, as `LongBodies.parse` takes them. */
  parse(
    bytes: Uint8Array,
    options: ParseOptions,
    holder: string,
    lookup: () => TagLookup,
  ): ParsedBody | Promise<ParsedBody> {
    const isLong = bytes.length > MOST_BYTES_AT_ONCE;
    const parsed = isLong ? undefined : this.#short.parseWithin(bytes, options, MOST_MS_AT_ONCE);
    return parsed ?? this.#long.parse(bytes, options, holder, lookup);
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    // The one that has not read it does nothing.
    this.#short.release(batch);
    this.#long.release(batch);
  }
}
