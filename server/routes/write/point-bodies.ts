// The readers of bodies of points, one for each format.

import { Bodies } from '../../codec/body/bodies.ts';
import { MsgpackParser } from '../../codec/msgpack/msgpack-body.ts';
import type { ParseOptions } from '../../codec/read-json/body-parser.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';

export interface PointBodies {
  readonly json: Bodies<ParseOptions>;
  readonly msgpack: Bodies<ParseOptions>;
}

/** All requests share them, and the memory that they hold. */
export const POINT_BODIES: PointBodies = {
  json: new Bodies(() => new TvqParser()),
  msgpack: new Bodies(() => new MsgpackParser()),
};
