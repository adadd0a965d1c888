// The file of `--rejects`: a line for each row that is left out, with its line and the reason.

import { closeSync, openSync, writeSync } from 'node:fs';
import type { CsvFault } from './recognise/csv-records.ts';

export class RejectsFile {
  readonly #path: string;
  readonly #source: string;
  #file: number | undefined;
  #count = 0;

  /** Adds to what is there: several files of one import share it. Made when the first row is left out. */
  constructor(path: string, source: string) {
    this.#path = path;
    this.#source = source;
  }

  readonly add = ({ line, message }: CsvFault): void => {
    this.#file ??= openSync(this.#path, 'a');
    writeSync(this.#file, `${this.#source}, line ${line}: ${message}\n`);
    this.#count++;
  };

  /** Gives the number of rows that were left out. */
  end(): number {
    if (this.#file !== undefined) closeSync(this.#file);
    return this.#count;
  }
}
