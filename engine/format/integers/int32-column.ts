// An integer column encoded directly from 32-bit integers, in the format of integer-column.ts: used for plain points.
// Predictor and packer are those of the tag's last block while they fit, and chosen anew from time to time.
// Short and wide columns and those with runs take the general path.

import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { cheapestInt32, findCheapestInt32Packer, int32PackerBytes, packInt32s } from './int32-packers.ts';
import {
  INT32_LIMIT,
  Int32Measure,
  int32LeadBytes,
  meanInt32Step,
  predictInt32s,
  writeInt32Lead,
} from './int32-predictors.ts';
import {
  encodeIntegers,
  SHORT_LENGTH,
  SPAN_COUNT,
  SPAN_LENGTH,
  SURPRISE_BITS,
  WORTHWHILE_RUN,
} from './integer-column.ts';
import { FRAMES_SLACK_BITS, Packer } from './integer-packers.ts';
import { PREDICTORS, Predictor } from './integer-predictors.ts';
import type { ColumnChoice } from './short-columns.ts';

/** Blocks of a tag that reuse the choice before predictor and packer are chosen anew. */
const TRUSTED_BLOCKS = 7;
/** When the bits per value change by more than these factors, they are chosen anew at once: the series has changed. */
const WORSE = 1.04;
const BETTER = 0.8;
/** Residuals whose range takes this many bits more than they take packed have outliers; their best packer varies by block. */
const OUTLIER_BITS = 2;

const residuals = new Int32Array(MAX_BLOCK_POINTS);
const measure = new Int32Measure();
const general = new Float64Array(MAX_BLOCK_POINTS);
/** Estimated bits a value, by predictor. */
const estimates = new Float64Array(PREDICTORS.length);
/** The choice for the current column. */
const choice: ColumnChoice = { predictor: Predictor.Raw, packer: Packer.Constant, sizeBytes: 0 };
/** The predictor of the current residuals. */
let predicted: Predictor = Predictor.Raw;

// A memory is 0 for none, else a small whole number: from the lowest bit on predictor (3 bits), packer (3), blocks that may
// still reuse it (3), and the bits per value in sixteenths (10).

function memoryOf(count: number, trusted: number): number {
  const sixteenths = Math.min(1023, Math.ceil((choice.sizeBytes * 128) / count));
  return choice.predictor | (choice.packer << 3) | (trusted << 6) | (sixteenths << 9);
}

/**
 * Appends `base + values[start, end)` as a column that `decodeIntegers` reads, 1 to 8,192 whole numbers of magnitude below
 * 2^50 from `base + min` to `base + max`. `memory` is the result for the same column of the tag's previous block, or 0.
 * @returns the memory for the next block
 */
export function encodeInt32s(
  out: ByteWriter,
  values: Int32Array,
  start: number,
  end: number,
  min: number,
  max: number,
  base: number,
  memory: number,
): number {
  const isNarrow = min > -INT32_LIMIT && max < INT32_LIMIT && min < max;
  if (end - start <= SHORT_LENGTH || !isNarrow) {
    encodeGenerally(out, values, start, end, base);
    return memory;
  }
  const step = meanInt32Step(values, start, end);
  let trusted = ((memory >> 6) & 7) - 1;
  if (trusted < 0 || !recall(memory, values, start, end, step, base)) {
    trusted = TRUSTED_BLOCKS;
    if (hasRuns(values, start, end)) {
      encodeGenerally(out, values, start, end, base);
      return 0;
    }
    choose(values, start, end, step, base);
  }
  const { predictor, packer } = choice;
  out.u8(predictor * 16 + packer);
  writeInt32Lead(out, predictor, values, start, step, base);
  packInt32s(out, packer, residuals, measure, predictor === Predictor.Raw ? base : 0);
  return memoryOf(end - start, trusted);
}

function encodeGenerally(out: ByteWriter, values: Int32Array, start: number, end: number, base: number): void {
  for (let i = start; i < end; i++) general[i - start] = base + (values[i] as number);
  encodeIntegers(out, general, 0, end - start);
}

/** Whether runs of equal values are long enough to be worth storing as runs. Stops as soon as they are not. */
function hasRuns(values: Int32Array, start: number, end: number): boolean {
  const most = (end - start) / WORTHWHILE_RUN;
  let before = values[start] as number;
  let runCount = 1;
  for (let i = start + 1; i < end; i++) {
    const value = values[i] as number;
    if (value !== before && ++runCount > most) return false;
    before = value;
  }
  return true;
}

/** Sets `choice` to the remembered one and computes its residuals; false when it no longer fits. */
function recall(memory: number, values: Int32Array, start: number, end: number, step: number, base: number): boolean {
  const rememberedBits = (memory >> 9) / 16;
  choice.predictor = (memory & 7) as Predictor;
  choice.packer = ((memory >> 3) & 7) as Packer;
  if (!predictInt32s(choice.predictor, values, start, end, step, residuals, measure)) return false;
  const hasOutliers = measure.max - measure.min > 2 ** (rememberedBits + OUTLIER_BITS);
  if (hasOutliers) choice.packer = findPacker(choice.predictor, base, rememberedBits);
  measureChoice(values, start, step, base);
  const bits = (choice.sizeBytes * 8) / (end - start);
  return bits <= rememberedBits * WORSE && bits >= rememberedBits * BETTER;
}

function findPacker(predictor: Predictor, base: number, expectedBits: number): Packer {
  findCheapestInt32Packer(residuals, measure, predictor === Predictor.Raw ? base : 0, expectedBits);
  return cheapestInt32.packer;
}

/** Sets the size of `choice` from the current residuals: Infinity if its packer cannot hold them. */
function measureChoice(values: Int32Array, start: number, step: number, base: number): void {
  const { predictor, packer } = choice;
  const packed = int32PackerBytes(packer, residuals, measure, predictor === Predictor.Raw ? base : 0);
  choice.sizeBytes = 1 + int32LeadBytes(predictor, values, start, step, base) + packed;
}

/** Sets `choice` to the predictor that a sample favours, or the next ones if the sample misled, and computes its residuals. */
function choose(values: Int32Array, start: number, end: number, step: number, base: number): void {
  for (const predictor of PREDICTORS) estimates[predictor] = estimateBits(predictor, values, start, end, step, base);
  const count = end - start;
  choice.sizeBytes = Infinity;
  for (;;) {
    const predictor = lowestEstimate();
    const expected = estimates[predictor] as number;
    if ((expected * count) / 8 >= choice.sizeBytes) break;
    consider(predictor, values, start, end, step, base, expected);
    if (choice.sizeBytes * 8 <= (expected + SURPRISE_BITS) * count) break;
    estimates[predictor] = Infinity;
  }
  if (predicted === choice.predictor) return;
  predictInt32s(choice.predictor, values, start, end, step, residuals, measure);
  measureChoice(values, start, step, base);
}

function lowestEstimate(): Predictor {
  let lowest: Predictor = Predictor.Raw;
  for (const predictor of PREDICTORS)
    if ((estimates[predictor] as number) < (estimates[lowest] as number)) lowest = predictor;
  return lowest;
}

/** Chooses `predictor` if it makes the column smaller than the choice so far. */
function consider(
  predictor: Predictor,
  values: Int32Array,
  start: number,
  end: number,
  step: number,
  base: number,
  expectedBits: number,
): void {
  predicted = predictor;
  if (!predictInt32s(predictor, values, start, end, step, residuals, measure)) return;
  const packer = findPacker(predictor, base, expectedBits);
  const sizeBytes = 1 + int32LeadBytes(predictor, values, start, step, base) + cheapestInt32.sizeBytes;
  if (sizeBytes >= choice.sizeBytes) return;
  choice.predictor = predictor;
  choice.packer = packer;
  choice.sizeBytes = sizeBytes;
}

/** Estimated bits per value with `predictor`, from a sample; Infinity if it cannot be used. */
function estimateBits(
  predictor: Predictor,
  values: Int32Array,
  start: number,
  end: number,
  step: number,
  base: number,
): number {
  const length = end - start;
  const stride = Math.floor((length - SPAN_LENGTH) / (SPAN_COUNT - 1));
  let spanBits = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let k = 0; k < SPAN_COUNT; k++) {
    const from = start + k * stride;
    if (!predictInt32s(predictor, values, from, from + SPAN_LENGTH, step, residuals, measure)) return Infinity;
    spanBits += Math.log2(measure.max - measure.min + 1);
    const isGrid = predictor === Predictor.Grid;
    const offset = isGrid ? (values[from] as number) - (values[start] as number) - (from - start) * step : 0;
    min = Math.min(min, measure.min + offset);
    max = Math.max(max, measure.max + offset);
  }
  const leadBits = (8 * int32LeadBytes(predictor, values, start, step, base)) / length;
  return leadBits + Math.min(Math.log2(max - min + 1), spanBits / SPAN_COUNT + FRAMES_SLACK_BITS);
}
