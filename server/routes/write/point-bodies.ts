// The readers of bodies of points, one for each format.

import type { ParsedBody } from '../../codec/body/batch-builder.ts';
import type { ParseOptions } from '../../codec/body/body-parser.ts';
import { Bodies } from '../../codec/body/pieces.ts';
import { MsgpackParser } from '../../codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';

export interface PointBodies {
  readonly json: Bodies<ParseOptions, ParsedBody>;
  readonly msgpack: Bodies<ParseOptions, ParsedBody>;
}

/** All requests share them, and the memory that they hold. */
export const POINT_BODIES: PointBodies = {
  json: new Bodies(() => new TvqParser()),
  msgpack: new Bodies(() => new MsgpackParser()),
};
