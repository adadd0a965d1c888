// The choice of predictor and packer for columns of a few values: all predictors are measured in one pass, which determines
// their sizes; a checkpoint of a million tags encodes a million such columns. Benchmark: bench/engine/codecs.ts 10.

import { bitWidth, MAX_FIELD_BITS, packedBytes } from '../bytes/bit-packing.ts';
import { zigzagBytes } from '../bytes/number-sizes.ts';
import { Packer } from './integer-packers.ts';
import { AVERAGE_LIMIT, Predictor } from './integer-predictors.ts';
import { digitsPerWord, radixBytes } from './radix-packing.ts';

/** Columns of fewer values are handled here. With so few values a radix of two bytes saves nothing against a frame. */
export const FEW_VALUES = 16;
const SMALL_RADIX = 128;

const SPAN_LIMIT = 2 ** MAX_FIELD_BITS;

/** The predictor and packer chosen for a column, and its size with them. */
export interface ColumnChoice {
  predictor: Predictor;
  packer: Packer;
  sizeBytes: number;
}

/** Bytes of `count` digits of a small radix, by `radix * FEW_VALUES + count`; 0: not computed yet. */
const digitBytes = new Uint8Array(SMALL_RADIX * FEW_VALUES);

/** Sets `choice` to the one with the fewest bytes for `values[start, end)`, 2 to 15 values with the mean step `step`. */
export function chooseForFew(
  choice: ColumnChoice,
  values: Float64Array,
  start: number,
  end: number,
  step: number,
): void {
  const first = values[start] as number;
  const count = end - start;
  const firstStep = (values[start + 1] as number) - first;
  let value = first;
  let before = firstStep;
  let line = first;
  let level = 0;
  let isNear = true;
  let min = first;
  let max = first;
  let minStep = firstStep;
  let maxStep = firstStep;
  let minDeltaOfDelta = Infinity;
  let maxDeltaOfDelta = -Infinity;
  let minLinear = Infinity;
  let maxLinear = -Infinity;
  let minAverageResidual = 0x7fff_ffff;
  let maxAverageResidual = -0x8000_0000;
  for (let i = start + 1; i < end; i++) {
    const next = values[i] as number;
    if (next < min) min = next;
    else if (next > max) max = next;
    const nextStep = next - value;
    if (nextStep < minStep) minStep = nextStep;
    else if (nextStep > maxStep) maxStep = nextStep;
    if (i > start + 1) {
      const deltaOfDelta = nextStep - before;
      if (deltaOfDelta < minDeltaOfDelta) minDeltaOfDelta = deltaOfDelta;
      if (deltaOfDelta > maxDeltaOfDelta) maxDeltaOfDelta = deltaOfDelta;
    }
    line += step;
    const linearResidual = next - line;
    if (linearResidual < minLinear) minLinear = linearResidual;
    if (linearResidual > maxLinear) maxLinear = linearResidual;
    const distance = next - first;
    if (distance < AVERAGE_LIMIT && distance > -AVERAGE_LIMIT) {
      const averageResidual = (distance | 0) - ((level + 4) >> 3);
      level = (level + averageResidual) | 0;
      if (averageResidual < minAverageResidual) minAverageResidual = averageResidual;
      if (averageResidual > maxAverageResidual) maxAverageResidual = averageResidual;
    } else isNear = false;
    value = next;
    before = nextStep;
  }
  const firstBytes = 1 + zigzagBytes(first);
  choice.sizeBytes = Infinity;
  weigh(choice, Predictor.Raw, 1, count, min, max);
  weigh(choice, Predictor.Delta, firstBytes, count - 1, minStep, maxStep);
  if (count > 2)
    weigh(
      choice,
      Predictor.DeltaOfDelta,
      firstBytes + zigzagBytes(firstStep),
      count - 2,
      minDeltaOfDelta,
      maxDeltaOfDelta,
    );
  weigh(choice, Predictor.Grid, firstBytes + zigzagBytes(step), count - 1, minLinear, maxLinear);
  if (isNear) weigh(choice, Predictor.Average, firstBytes, count - 1, minAverageResidual, maxAverageResidual);
}

/** Chooses a predictor with `count` residuals from `min` to `max` and `leadBytes` of parameters, if it takes fewer bytes. */
function weigh(
  choice: ColumnChoice,
  predictor: Predictor,
  leadBytes: number,
  count: number,
  min: number,
  max: number,
): void {
  const span = max - min;
  let packer: Packer = Packer.Plain;
  let sizeBytes = count * 8;
  if (span < SPAN_LIMIT && min < 2 * SPAN_LIMIT && min > -2 * SPAN_LIMIT) {
    const minBytes = zigzagBytes(min);
    if (span === 0) {
      packer = Packer.Constant;
      sizeBytes = minBytes;
    } else {
      const framesSize = 1 + minBytes + packedBytes(count, bitWidth(span));
      if (framesSize < sizeBytes) {
        packer = Packer.Frames;
        sizeBytes = framesSize;
      }
      if (span < SMALL_RADIX - 1) {
        const radixSize = minBytes + 2 + bytesOfDigits(count, span + 1);
        if (radixSize <= sizeBytes) {
          packer = Packer.Radix;
          sizeBytes = radixSize;
        }
      }
    }
  }
  if (leadBytes + sizeBytes >= choice.sizeBytes) return;
  choice.predictor = predictor;
  choice.packer = packer;
  choice.sizeBytes = leadBytes + sizeBytes;
}

function bytesOfDigits(count: number, radix: number): number {
  const at = radix * FEW_VALUES + count;
  if (digitBytes[at] === 0) digitBytes[at] = radixBytes(count, radix, digitsPerWord(radix));
  return digitBytes[at] as number;
}
