// A column of whole numbers in the cheapest of a handful of encodings: a predictor and a packer, or runs of equal values.

import { corrupt } from '../../errors.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { choice, choose, encodeChosen, newMemory, recall, restoreChoice, SHORT_LENGTH } from './column-choice.ts';
import { Packer, unpack } from './integer-packers.ts';
import { leadCount, Predictor, readLead, restore } from './integer-predictors.ts';

/** In the place of predictor and packer: run values and run lengths follow, as two columns. */
export const RUNS = 0xf0;
/** Runs are tried when they are at least so long on average, and taken unseen when they are this long. */
const WORTHWHILE_RUN = 4;
const LONG_RUN = 16;
/** Least bytes of runs of two different values: four numbers before two columns of two values each. */
const RUNS_MIN_BYTES = 8;

const runValues = new Float64Array(MAX_BLOCK_POINTS);
const runLengths = new Float64Array(MAX_BLOCK_POINTS);

/**
 * Appends `values[start, end)` as a column: 1 to 8,192 whole numbers of magnitude below 2^50. `memory` is the result for the
 * same column of the tag's previous block, or 0; any value gives a correct column, and a good one saves time.
 * @returns the memory for the next block: 0 after runs, the given one after a short or constant column
 */
export function encodeIntegers(
  out: ByteWriter,
  values: Float64Array,
  start: number,
  end: number,
  memory: number = 0,
): number {
  const isShort = end - start <= SHORT_LENGTH;
  const left = isShort ? 0 : recall(memory, values, start, end);
  if (left !== 0) {
    encodeChosen(out, values, start, end);
    return left;
  }
  const runCount = countRuns(values, start, end);
  if (runCount === 1) encodeConstant(out, values[start] as number);
  else if (runCount * WORTHWHILE_RUN <= end - start) encodeLikelyRuns(out, values, start, end, runCount);
  else {
    choose(values, start, end);
    encodeChosen(out, values, start, end);
    return isShort ? memory : newMemory(end - start);
  }
  return isShort || runCount === 1 ? memory : 0;
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

/** Appends a column of runs that are worth trying: as runs, unless another choice takes no more bytes. */
function encodeLikelyRuns(out: ByteWriter, values: Float64Array, start: number, end: number, runCount: number): void {
  if (runCount * LONG_RUN <= end - start) return encodeRuns(out, values, start, end, runCount);
  choose(values, start, end);
  const chosen = { ...choice };
  if (chosen.sizeBytes > RUNS_MIN_BYTES) {
    const before = out.length;
    encodeRuns(out, values, start, end, runCount);
    if (out.length - before < chosen.sizeBytes) return;
    out.length = before;
    restoreChoice(chosen, values, start, end);
  }
  encodeChosen(out, values, start, end);
}

function encodeRuns(out: ByteWriter, values: Float64Array, start: number, end: number, runCount: number): void {
  gatherRuns(values, start, end);
  out.u8(RUNS);
  out.varint(runCount);
  encodePacked(out, runValues, runCount);
  encodePacked(out, runLengths, runCount);
}

function encodePacked(out: ByteWriter, values: Float64Array, count: number): void {
  choose(values, 0, count);
  encodeChosen(out, values, 0, count);
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
