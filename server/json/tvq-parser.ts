// The reader of JSON bodies of TVQs.

import { BodyParser } from './body-parser.ts';
import { JsonScanner } from './json-scanner.ts';

export type { ParseOptions, WriteBodyShape } from './body-parser.ts';

export class TvqParser extends BodyParser {
  constructor() {
    super(new JsonScanner());
  }
}
