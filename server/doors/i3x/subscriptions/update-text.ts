// An update as subscribers get it.

import type { PointChunk } from '../../../../engine/index.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import { writeVqt } from '../elements/vqt.ts';

const out = new OutputBytes(1024);

/** @param elementId as JSON */
export function updateOf(elementId: string, chunk: PointChunk, i: number): string {
  out.clear();
  out.utf8(`{"elementId":${elementId},`);
  writeVqt(out, chunk, i);
  out.ascii('}');
  return out.bytes.toString('utf8', 0, out.length);
}

/** The update of a tag that has no points any more. */
export function noValueOf(elementId: string, nowMs: number): string {
  const time = formatInstant({ ms: nowMs, ticks: 0 });
  return `{"elementId":${elementId},"value":null,"quality":"GoodNoData","timestamp":"${time}"}`;
}
