// The readers of bodies of points, one for each format.

import { MsgpackParser } from '../../codec/msgpack/msgpack-body.ts';
import { Bodies } from '../../codec/read-json/bodies.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';

export interface PointBodies {
  readonly json: Bodies;
  readonly msgpack: Bodies;
}

/** They serve all requests of those who make them. */
export function createPointBodies(): PointBodies {
  return { json: new Bodies(() => new TvqParser()), msgpack: new Bodies(() => new MsgpackParser()) };
}
