// The columns of a plain run as a journal record has them, cut into pieces of a head without being coded again.

import { RAW } from '../format/run-coding.ts';

const RAW_BYTES = 8;

/** Plain points of a run, coded already: where their columns are in a journal record. */
export interface CodedRun {
  readonly count: number;
  readonly coding: number;
  readonly columnsStart: number;
  readonly columnsEnd: number;
}

/** Steps through a run's columns: the steps of time behind its first point, then its values. */
export class CodedColumns {
  #bytes: Uint8Array = new Uint8Array(0);
  #isRaw = false;
  #left = 0;
  /** Steps of the piece, but for the one to its first point. */
  stepsStart = 0;
  stepsEnd = 0;
  /** Values of the piece: the first one, which is told from the one before it, and those behind it. */
  firstStart = 0;
  valuesStart = 0;
  valuesEnd = 0;

  /** Begins a run. */
  begin(bytes: Uint8Array, { count, coding, columnsStart }: CodedRun): void {
    this.#bytes = bytes;
    this.#isRaw = coding === RAW;
    this.#left = count;
    this.stepsEnd = columnsStart;
    let valuesStart = columnsStart;
    for (let i = 1; i < count; i++) valuesStart = behindNumber(bytes, valuesStart);
    this.valuesEnd = valuesStart;
  }

  /** The next points whose columns take up to `roomBytes`, their first value left out: one or more, `most` at most. */
  take(roomBytes: number, most: number): number {
    const bytes = this.#bytes;
    const limit = Math.min(most, this.#left);
    let step = this.stepsEnd;
    let value = this.#behindValue(this.valuesEnd);
    this.stepsStart = step;
    this.firstStart = this.valuesEnd;
    this.valuesStart = value;
    let count = 1;
    for (let left = roomBytes; count < limit; count++) {
      const nextStep = behindNumber(bytes, step);
      const nextValue = this.#behindValue(value);
      left -= nextStep - step + nextValue - value;
      if (left < 0) break;
      step = nextStep;
      value = nextValue;
    }
    this.#left -= count;
    this.stepsEnd = step;
    this.valuesEnd = value;
    return count;
  }

  /** Steps over the time between two pieces. */
  skipStep(): void {
    this.stepsEnd = behindNumber(this.#bytes, this.stepsEnd);
  }

  /** Lets go of the memory. */
  end(): void {
    this.#bytes = new Uint8Array(0);
  }

  #behindValue(place: number): number {
    return this.#isRaw ? place + RAW_BYTES : behindNumber(this.#bytes, place);
  }
}

/** The place behind the varint at a place. */
function behindNumber(bytes: Uint8Array, start: number): number {
  let place = start;
  while ((bytes[place] as number) >= 0x80) place++;
  return place + 1;
}
