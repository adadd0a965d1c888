// The choice of predictor and packer for a column of whole numbers. A sample ranks the predictors; the most promising is
// measured in full, and the next ones only if the sample misled. A choice is remembered as a small number, and serves the same
// column of the tag's next blocks while it fits.

import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { cheapest, FRAMES_SLACK_BITS, findCheapestPacker, Packer, pack, packerBytes } from './integer-packers.ts';
import { leadBytes, leadCount, meanStep, PREDICTORS, Predictor, predict, writeLead } from './integer-predictors.ts';
import { createMeasure } from './residual-measure.ts';
import { type ColumnChoice, chooseForFew, FEW_VALUES } from './short-columns.ts';

/** The sample: number of spans, and values of each. */
const SPAN_COUNT = 4;
const SPAN_LENGTH = 32;
/** Up to this length all predictors are tried in full, and no choice is remembered. */
export const SHORT_LENGTH = SPAN_COUNT * SPAN_LENGTH;
/** Bits per value by which a column may exceed its sample before the next predictor is tried. */
const SURPRISE_BITS = 1;

/** Blocks of a tag that reuse the choice before predictor and packer are chosen anew. */
const TRUSTED_BLOCKS = 7;
/** When the bits per value change by more than these factors, they are chosen anew at once: the series has changed. */
const WORSE = 1.04;
const BETTER = 0.8;
/** Residuals whose range takes this many bits more than they take packed have outliers; their best packer varies by block. */
const OUTLIER_BITS = 2;

const residuals = new Float64Array(MAX_BLOCK_POINTS);
const measure = createMeasure(MAX_BLOCK_POINTS);
/** Estimated bits per value, by predictor. */
const estimates = new Float64Array(PREDICTORS.length);

/** The choice for the current column, which is the last one given to `recall`, `choose` or `restoreChoice`. */
export const choice: ColumnChoice = { predictor: Predictor.Raw, packer: Packer.Constant, sizeBytes: 0 };
/** The predictor of the current residuals and measure. */
let predicted: Predictor = Predictor.Raw;

// A memory is 0 for none, else a small whole number: from the lowest bit on predictor (3 bits), packer (3), blocks that may
// still reuse it (3), and the bits per value in sixteenths (10).

/** The memory of `choice`, which was made for `count` values; `trusted` more blocks may reuse it. */
function memoryOf(count: number, trusted: number): number {
  const sixteenths = Math.min(1023, Math.ceil((choice.sizeBytes * 128) / count));
  return choice.predictor | (choice.packer << 3) | (trusted << 6) | (sixteenths << 9);
}

/** The memory of a choice that was just made anew. */
export function newMemory(count: number): number {
  return memoryOf(count, TRUSTED_BLOCKS);
}

/** Sets `choice` to the remembered one; returns the memory that is left of it, or 0 when it does not fit `values[start, end)`. */
export function recall(memory: number, values: Float64Array, start: number, end: number): number {
  const trusted = ((memory >> 6) & 7) - 1;
  if (trusted < 0) return 0;
  const rememberedBits = (memory >> 9) / 16;
  choice.predictor = (memory & 7) as Predictor;
  choice.packer = ((memory >> 3) & 7) as Packer;
  predicted = choice.predictor;
  const step = meanStep(values, start, end);
  if (!predict(predicted, values, start, end, step, residuals, measure)) return 0;
  if (measure.max - measure.min > 2 ** (rememberedBits + OUTLIER_BITS)) {
    findCheapestPacker(residuals, measure, rememberedBits);
    choice.packer = cheapest.packer;
  }
  choice.sizeBytes = 1 + leadBytes(predicted, values, start, step) + packerBytes(choice.packer, residuals, measure);
  const bits = (choice.sizeBytes * 8) / (end - start);
  const fits = bits <= rememberedBits * WORSE && bits >= rememberedBits * BETTER;
  return fits ? memoryOf(end - start, trusted) : 0;
}

/** Sets `choice` for `values[start, end)`: the predictor that a sample favours, or the next ones if the sample misled. */
export function choose(values: Float64Array, start: number, end: number): void {
  const step = meanStep(values, start, end);
  if (end - start < FEW_VALUES && end - start > 1) {
    chooseForFew(choice, values, start, end, step);
    return predictAgain(values, start, end, step);
  }
  if (end - start <= SHORT_LENGTH) return chooseByTrial(values, start, end, step);
  for (const predictor of PREDICTORS) estimates[predictor] = estimateBits(predictor, values, start, end, step);
  choice.sizeBytes = Infinity;
  for (;;) {
    const predictor = lowestEstimate();
    const expected = estimates[predictor] as number;
    if ((expected * (end - start)) / 8 >= choice.sizeBytes) return;
    consider(predictor, values, start, end, step, expected);
    if (choice.sizeBytes * 8 <= (expected + SURPRISE_BITS) * (end - start)) return;
    estimates[predictor] = Infinity;
  }
}

/** Sets `choice` to an earlier one of `values[start, end)`, after other columns. */
export function restoreChoice(earlier: ColumnChoice, values: Float64Array, start: number, end: number): void {
  choice.predictor = earlier.predictor;
  choice.packer = earlier.packer;
  choice.sizeBytes = earlier.sizeBytes;
  predictAgain(values, start, end, meanStep(values, start, end));
}

/** Appends `values[start, end)`, the current column, as it was chosen. */
export function encodeChosen(out: ByteWriter, values: Float64Array, start: number, end: number): void {
  const { predictor, packer } = choice;
  const step = meanStep(values, start, end);
  if (predicted !== predictor) predictAgain(values, start, end, step);
  out.u8(predictor * 16 + packer);
  writeLead(out, predictor, values, start, step);
  pack(out, packer, residuals, measure);
}

/** Computes the residuals of the choice, after others were tried or none were. */
function predictAgain(values: Float64Array, start: number, end: number, step: number): void {
  predicted = choice.predictor;
  predict(predicted, values, start, end, step, residuals, measure);
  packerBytes(choice.packer, residuals, measure);
}

/** For a short column every predictor is measured in full, including the bytes of its parameters. */
function chooseByTrial(values: Float64Array, start: number, end: number, step: number): void {
  choice.sizeBytes = Infinity;
  for (const predictor of PREDICTORS)
    if (end - start > leadCount(predictor)) consider(predictor, values, start, end, step, 0);
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
  values: Float64Array,
  start: number,
  end: number,
  step: number,
  expectedBits: number,
): void {
  predicted = predictor;
  if (!predict(predictor, values, start, end, step, residuals, measure)) return;
  findCheapestPacker(residuals, measure, expectedBits);
  const sizeBytes = 1 + leadBytes(predictor, values, start, step) + cheapest.sizeBytes;
  if (sizeBytes >= choice.sizeBytes) return;
  choice.predictor = predictor;
  choice.packer = cheapest.packer;
  choice.sizeBytes = sizeBytes;
}

/** Estimated bits per value with `predictor`, from a sample; Infinity if it cannot be used. */
function estimateBits(predictor: Predictor, values: Float64Array, start: number, end: number, step: number): number {
  const length = end - start;
  const stride = Math.floor((length - SPAN_LENGTH) / (SPAN_COUNT - 1));
  let spanBits = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let k = 0; k < SPAN_COUNT; k++) {
    const from = start + k * stride;
    if (!predict(predictor, values, from, from + SPAN_LENGTH, step, residuals, measure)) return Infinity;
    spanBits += Math.log2(measure.max - measure.min + 1);
    const offset = predictor === Predictor.Grid ? distanceFromGrid(values, start, from, step) : 0;
    min = Math.min(min, measure.min + offset);
    max = Math.max(max, measure.max + offset);
  }
  const leadBits = (8 * leadBytes(predictor, values, start, step)) / length;
  return leadBits + Math.min(Math.log2(max - min + 1), spanBits / SPAN_COUNT + FRAMES_SLACK_BITS);
}

/** Distance of a span's own line from the column's. */
function distanceFromGrid(values: Float64Array, start: number, from: number, step: number): number {
  return (values[from] as number) - (values[start] as number) - (from - start) * step;
}
