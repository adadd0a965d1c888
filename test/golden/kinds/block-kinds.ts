// Walks the payload of a block column by column, and notes every coding byte on the way.

import { BlockFlag, type BlockHeader, decodeBlockHeader } from '../../../engine/format/block/block-header.ts';
import { BLOCK_STATISTICS_LAYOUT } from '../../../engine/format/block/block-statistics.ts';
import { READ_AHEAD_BYTES } from '../../../engine/format/bytes/bit-packing.ts';
import { MAX_BLOCK_POINTS } from '../../../engine/format/bytes/block-limits.ts';
import { ByteReader } from '../../../engine/format/bytes/byte-cursors.ts';
import { BigintForm } from '../../../engine/format/columns/bigint-column.ts';
import { decodeXor } from '../../../engine/format/columns/double-bits.ts';
import { NumberForm } from '../../../engine/format/columns/number-column.ts';
import { decodeIntegers, RUNS } from '../../../engine/format/integers/integer-column.ts';
import { Packer } from '../../../engine/format/integers/integer-packers.ts';
import { leadCount, type Predictor, readLead } from '../../../engine/format/integers/integer-predictors.ts';
import { payloadOf, ValueType } from '../../../engine/index.ts';
import { type SeenKinds, Variant } from './kinds.ts';

const numbers = new Float64Array(MAX_BLOCK_POINTS);
const words = new Uint32Array(2 * MAX_BLOCK_POINTS);

/** Notes what is in the block at an offset; returns its header. Throws CORRUPT where there is none. */
export function seeBlock(seen: SeenKinds, bytes: Uint8Array, offset: number): BlockHeader {
  const header = decodeBlockHeader(bytes, offset);
  seen.see('layout', 'block-header');
  if (header.statistics) seen.see('layout', BLOCK_STATISTICS_LAYOUT.name);
  else seen.see('variant', Variant.StatisticsLacking);
  seen.see('blockType', header.type);
  seen.seeFlags('blockFlag', header.flags);
  const start = offset + header.headerBytes;
  const padded = new Uint8Array(header.payloadBytes + READ_AHEAD_BYTES);
  padded.set(bytes.subarray(start, start + header.payloadBytes));
  const reader = new ByteReader(padded, 0, header.payloadBytes);
  seeColumns(seen, reader, header);
  if (reader.remaining !== 0) throw new Error(`${reader.remaining} bytes of a block were not walked`);
  return header;
}

function seeColumns(seen: SeenKinds, reader: ByteReader, { flags, pointCount, nullCount, type }: BlockHeader): void {
  seeIntegers(seen, reader, pointCount);
  for (const flag of [BlockFlag.Ticks, BlockFlag.Nulls, BlockFlag.Qualities])
    if (flags & flag) seeIntegers(seen, reader, pointCount);
  if (nullCount === pointCount) return;
  const payload = payloadOf(type);
  if (payload === 'bigint') seeBigints(seen, reader, pointCount);
  else if (payload === 'text') seeTexts(seen, reader, pointCount);
  else if (type === ValueType.Double || type === ValueType.Single) seeDoubles(seen, reader, pointCount);
  else seeIntegers(seen, reader, pointCount);
}

function seeIntegers(seen: SeenKinds, reader: ByteReader, count: number): void {
  if (reader.bytes[reader.offset] !== RUNS) return seePacked(seen, reader, count);
  seen.see('runs', reader.u8());
  const runCount = reader.varint();
  seePacked(seen, reader, runCount);
  seePacked(seen, reader, runCount);
}

function seePacked(seen: SeenKinds, reader: ByteReader, count: number): void {
  const code = reader.bytes[reader.offset] as number;
  const predictor = (code >> 4) as Predictor;
  seen.see('predictor', predictor);
  seen.see('packer', code & 15);
  seePacker(seen, reader, code & 15, predictor, count - leadCount(predictor));
  decodeIntegers(reader, numbers, 0, count);
}

/** Looks ahead; the reader stays where it is. */
function seePacker(seen: SeenKinds, reader: ByteReader, packer: number, predictor: Predictor, count: number): void {
  const ahead = new ByteReader(reader.bytes, reader.offset + 1, reader.end);
  readLead(ahead, predictor);
  if (packer !== Packer.Entropy && packer !== Packer.Radix) return;
  ahead.zigzag();
  if (packer === Packer.Entropy) {
    seen.see('variant', ahead.u8() > 0 ? Variant.EntropyLowBits : Variant.EntropyWhole);
    return;
  }
  ahead.varint();
  if (count % ahead.u8() !== 0) seen.see('variant', Variant.RadixRest);
}

function seeBigints(seen: SeenKinds, reader: ByteReader, count: number): void {
  const form = reader.u8();
  seen.see('bigintForm', form);
  if (form === BigintForm.SplitBits) return seeSplitBits(seen, reader, count);
  reader.take(8);
  if (reader.varint() > 1) seen.see('variant', Variant.BigintUnit);
  seeIntegers(seen, reader, count);
}

function seeSplitBits(seen: SeenKinds, reader: ByteReader, count: number): void {
  reader.u8();
  seeIntegers(seen, reader, count);
  seeIntegers(seen, reader, count);
}

function seeTexts(seen: SeenKinds, reader: ByteReader, count: number): void {
  for (let left = reader.varint(); left > 0; left--) reader.text();
  seeIntegers(seen, reader, count);
}

function seeDoubles(seen: SeenKinds, reader: ByteReader, count: number): void {
  const form = reader.u8();
  seen.see('numberForm', form);
  if (form === NumberForm.Xor) return decodeXor(reader, words, count);
  if (form === NumberForm.SplitBits) return seeSplitBits(seen, reader, count);
  reader.u8();
  seeIntegers(seen, reader, count);
  if (form !== NumberForm.DecimalsWithExceptions) return;
  const exceptionCount = reader.varint();
  seeIntegers(seen, reader, exceptionCount);
  decodeXor(reader, words, exceptionCount);
}
