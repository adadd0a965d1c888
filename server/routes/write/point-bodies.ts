// The readers of bodies of points, one for each format.

import { Bodies } from '../../codec/body/bodies.ts';
import { MsgpackParser } from '../../codec/msgpack/msgpack-body.ts';
import type { ParseOptions } from '../../codec/read-json/body-parser.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';

export interface PointBodies {
  readonly json: Bodies<ParseOptions>;
  readonly msgpack: Bodies<ParseOptions>;
}

/**
 * One for all apps of the process. A parser is compiled for the objects that it has met: those of the server are to be the
 * ones that its warm-up has used, or the first requests of clients would find code that is not made for them.
 */
export const POINT_BODIES: PointBodies = {
  json: new Bodies(() => new TvqParser()),
  msgpack: new Bodies(() => new MsgpackParser()),
};
