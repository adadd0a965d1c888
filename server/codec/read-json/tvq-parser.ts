// The reader of JSON bodies of TVQs.

import { BodyParser } from '../body/body-parser.ts';
import { JsonBody } from './json-body.ts';

export type { ParseOptions, WriteBodyShape } from '../body/body-parser.ts';

export class TvqParser extends BodyParser {
  constructor() {
    super(new JsonBody());
  }
}
