// The reader of msgpack bodies of TVQs: the same shapes, rules and faults as JSON. A time may also be a msgpack time
// stamp or a number of ms since 1970; the value of a System.DateTime may be a msgpack time stamp, too.

import { BodyParser } from '../body/body-parser.ts';
import { MsgpackReader } from './msgpack-reader.ts';

export class MsgpackParser extends BodyParser {
  constructor() {
    super(new MsgpackReader());
  }
}
