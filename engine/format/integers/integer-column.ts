// A column of whole numbers in the cheapest of a handful of encodings: a predictor and a packer, or runs of equal values.
// A sample ranks the predictors; the most promising is measured in full, and the next ones only if the sample misled.

import { corrupt } from '../../errors.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { cheapest, FRAMES_SLACK_BITS, findCheapestPacker, Packer, pack, unpack } from './integer-packers.ts';
import {
  leadBytes,
  leadCount,
  meanStep,
  PREDICTORS,
  Predictor,
  predict,
  readLead,
  restore,
  writeLead,
} from './integer-predictors.ts';
import { createMeasure, measureFrames } from './residual-measure.ts';
import { type ColumnChoice, chooseForFew, FEW_VALUES } from './short-columns.ts';

/** In the place of predictor and packer: run values and run lengths follow, as two columns. */
export const RUNS = 0xf0;
/** Runs are tried when they are at least so long on average, and taken unseen when they are this long. */
export const WORTHWHILE_RUN = 4;
const LONG_RUN = 16;
/** Least bytes of runs of two different values: four numbers before two columns of two values each. */
const RUNS_MIN_BYTES = 8;

/** The sample: number of spans, and values of each. */
export const SPAN_COUNT = 4;
export const SPAN_LENGTH = 32;
/** Up to this length all predictors are tried in full. */
export const SHORT_LENGTH = SPAN_COUNT * SPAN_LENGTH;
/** Bits per value by which a column may exceed its sample before the next predictor is tried. */
export const SURPRISE_BITS = 1;

const residuals = new Float64Array(MAX_BLOCK_POINTS);
const runValues = new Float64Array(MAX_BLOCK_POINTS);
const runLengths = new Float64Array(MAX_BLOCK_POINTS);
const measure = createMeasure(MAX_BLOCK_POINTS);
/** Estimated bits per value, by predictor. */
const estimates = new Float64Array(PREDICTORS.length);

/** The choice for the current column. */
const choice: ColumnChoice = { predictor: Predictor.Raw, packer: Packer.Constant, sizeBytes: 0 };
/** The predictor of the current residuals and measure. */
let predicted: Predictor = Predictor.Raw;

/**
 * Appends `values[start, end)` as a column: 1 to 8,192 whole numbers of magnitude below 2^50.
 */
export function encodeIntegers(out: ByteWriter, values: Float64Array, start: number, end: number): void {
  const runCount = countRuns(values, start, end);
  if (runCount === 1) return encodeConstant(out, values[start] as number);
  if (runCount * LONG_RUN <= end - start) return encodeRuns(out, values, start, end, runCount);
  const step = meanStep(values, start, end);
  choose(values, start, end, step);
  const mayBeRuns = runCount * WORTHWHILE_RUN <= end - start && choice.sizeBytes > RUNS_MIN_BYTES;
  if (mayBeRuns && encodeShorterRuns(out, values, start, end, runCount)) return;
  encodeChosen(out, values, start, end, step);
}

function encodeConstant(out: ByteWriter, value: number): void {
  out.u8(Predictor.Raw * 16 + Packer.Constant);
  out.zigzag(value);
}

/** Counts runs of equal values; stops when they are too short to be worth storing. */
function countRuns(values: Float64Array, start: number, end: number): number {
  const enough = Math.max(1, (end - start) / WORTHWHILE_RUN);
  let before = values[start] as number;
  let runCount = 1;
  for (let i = start + 1; i < end && runCount <= enough; i++) {
    const value = values[i] as number;
    if (value !== before) runCount++;
    before = value;
  }
  return runCount;
}

function encodeChosen(out: ByteWriter, values: Float64Array, start: number, end: number, step: number): void {
  const { predictor, packer } = choice;
  if (predicted !== predictor) predictAgain(values, start, end, step);
  out.u8(predictor * 16 + packer);
  writeLead(out, predictor, values, start, step);
  pack(out, packer, residuals, measure);
}

/** Computes the residuals of the choice again, after others were tried. */
function predictAgain(values: Float64Array, start: number, end: number, step: number): void {
  predict(choice.predictor, values, start, end, step, residuals, measure);
  if (choice.packer === Packer.Frames) measureFrames(measure, residuals);
}

/** Sets `choice` for `values[start, end)`: the predictor that a sample favours, or the next ones if the sample misled. */
function choose(values: Float64Array, start: number, end: number, step: number): void {
  if (end - start < FEW_VALUES && end - start > 1) {
    chooseForFew(choice, values, start, end, step);
    predictAgain(values, start, end, step);
    predicted = choice.predictor;
    return;
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
  const span = SPAN_LENGTH;
  const stride = Math.floor((length - span) / (SPAN_COUNT - 1));
  let spanBits = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let k = 0; k < SPAN_COUNT; k++) {
    const from = start + k * stride;
    if (!predict(predictor, values, from, from + span, step, residuals, measure)) return Infinity;
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

function encodeRuns(out: ByteWriter, values: Float64Array, start: number, end: number, runCount: number): void {
  gatherRuns(values, start, end);
  out.u8(RUNS);
  out.varint(runCount);
  encodePacked(out, runValues, runCount);
  encodePacked(out, runLengths, runCount);
}

/** Appends the column as runs if that takes fewer bytes than the choice; returns whether it did. */
function encodeShorterRuns(
  out: ByteWriter,
  values: Float64Array,
  start: number,
  end: number,
  runCount: number,
): boolean {
  const { predictor, packer, sizeBytes } = choice;
  const before = out.length;
  encodeRuns(out, values, start, end, runCount);
  if (out.length - before < sizeBytes) return true;
  out.length = before;
  choice.predictor = predictor;
  choice.packer = packer;
  predictAgain(values, start, end, meanStep(values, start, end));
  predicted = predictor;
  return false;
}

function encodePacked(out: ByteWriter, values: Float64Array, count: number): void {
  const step = meanStep(values, 0, count);
  choose(values, 0, count, step);
  encodeChosen(out, values, 0, count, step);
}

function gatherRuns(values: Float64Array, start: number, end: number): void {
  let run = 0;
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    if (i < end && values[i] === values[from]) continue;
    runValues[run] = values[from] as number;
    runLengths[run++] = i - from;
    from = i;
  }
}

/** Fills `target[start, end)`. Throws CORRUPT. */
export function decodeIntegers(reader: ByteReader, target: Float64Array, start: number, end: number): void {
  const code = reader.u8();
  if (code === RUNS) return decodeRuns(reader, target, start, end);
  decodePacked(reader, code, target, start, end);
}

function decodePacked(reader: ByteReader, code: number, target: Float64Array, start: number, end: number): void {
  const predictor = (code >> 4) as Predictor;
  const lead = readLead(reader, predictor);
  const from = start + leadCount(predictor);
  if (from > end)
    throw corrupt(`got ${end - start} values; want ${leadCount(predictor)} or more`, { offset: reader.offset });
  unpack(reader, (code & 15) as Packer, target, from, end);
  restore(predictor, lead, target, start, end);
}

function decodeRuns(reader: ByteReader, target: Float64Array, start: number, end: number): void {
  const runCount = reader.varint();
  if (runCount < 1 || runCount > end - start)
    throw corrupt(`got ${runCount} runs; want at most ${end - start}`, { offset: reader.offset });
  decodePacked(reader, reader.u8(), runValues, 0, runCount);
  decodePacked(reader, reader.u8(), runLengths, 0, runCount);
  let from = start;
  for (let run = 0; run < runCount; run++) {
    const to = from + (runLengths[run] as number);
    if (!(to > from && to <= end)) throw corrupt(`run ${run} does not fit the column`, { offset: reader.offset });
    target.fill(runValues[run] as number, from, to);
    from = to;
  }
  if (from !== end)
    throw corrupt(`the runs hold ${from - start} values; want ${end - start}`, { offset: reader.offset });
}
