// Points as i3X has them: value, quality in words, time stamp. A bad value is null, and a null is no good value.

import { foreignQuality, UNCERTAIN_QUALITY } from '../../../../client/foreign-quality.ts';
import { GOOD_QUALITY, type PointChunk, payloadOf, ValueType } from '../../../../engine/index.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { writeJsonText } from '../../../codec/write-json/json-text.ts';
import type { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import { DEFAULT_STYLE } from '../../../codec/write-json/value-style.ts';
import { isWrittenAsDouble, VALUE_BYTES, ValueWriter } from '../../../codec/write-json/value-writer.ts';

/** Numbers may be written beyond their end, up to here. */
const ROOM = VALUE_BYTES + 8;

const values = new ValueWriter();

/** The words of the standard; another one is refused. */
export const QUALITIES: ReadonlyMap<unknown, number> = new Map(
  ['Good', 'GoodNoData', 'Uncertain', 'Bad'].map((word) => [word, foreignQuality(word)]),
);

/** The members of a point, without braces. */
export function writeVqt(out: OutputBytes, chunk: PointChunk, i: number): void {
  const quality = qualityOf(chunk, i);
  writeMembers(out, chunk, i, { quality, word: quality });
}

/** The same in the older dialect, whose words are in capitals. */
export function writeOlderVqt(out: OutputBytes, chunk: PointChunk, i: number): void {
  const quality = qualityOf(chunk, i);
  writeMembers(out, chunk, i, { quality, word: quality.toUpperCase() });
}

interface QualityWord {
  readonly quality: string;
  readonly word: string;
}

function writeMembers(out: OutputBytes, chunk: PointChunk, i: number, { quality, word }: QualityWord): void {
  out.ascii('"value":');
  if (quality === 'Good' || quality === 'Uncertain') writeValue(out, chunk, i);
  else out.ascii('null');
  const { timesMs, ticks } = chunk.points;
  const time = formatInstant({ ms: timesMs[i] as number, ticks: ticks[i] as number });
  out.ascii(`,"quality":"${word}","timestamp":"${time}"`);
}

function qualityOf({ type, points }: PointChunk, i: number): string {
  const quality = points.qualities[i] as number;
  if (points.nulls[i] !== 0) return quality >= GOOD_QUALITY ? 'GoodNoData' : 'Bad';
  const isNumber = payloadOf(type) === 'number';
  if (quality < UNCERTAIN_QUALITY || (isNumber && !Number.isFinite(points.numbers[i]))) return 'Bad';
  return quality >= GOOD_QUALITY ? 'Good' : 'Uncertain';
}

function writeValue(out: OutputBytes, chunk: PointChunk, i: number): void {
  const { type, points } = chunk;
  if (payloadOf(type) === 'text') {
    const text = points.texts.at(points.numbers[i] as number);
    if (type === ValueType.String) writeJsonText(out, text);
    else out.ascii(text);
    return;
  }
  out.reserve(ROOM);
  if (isWrittenAsDouble(type))
    out.length = values.numbers.double(out.bytes, out.view, out.length, points.numbers[i] as number);
  else out.length = values.other(out.bytes, out.view, out.length, chunk, i, DEFAULT_STYLE);
}
