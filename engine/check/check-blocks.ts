// Checks blocks: every checksum, a full decode, and every header field recomputed from the points.

import { EngineError } from '../errors.ts';
import { walkBlocks } from '../files/block-walk.ts';
import { decodeBlock, orderOf } from '../format/block/block.ts';
import { BlockFlag, type BlockHeader } from '../format/block/block-header.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import { type BlockStatistics, computeStatistics } from '../format/block/block-statistics.ts';
import { timeBounds } from '../format/block/time-bounds.ts';
import { examinePoints } from '../format/columns/point-flags.ts';
import type { ReadableFile } from '../io/vfs.ts';
import { type PointColumns, TICKS_PER_MS } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { CheckLog } from './check-log.ts';

export interface BlockSpan {
  readonly file: ReadableFile;
  readonly bytes: Uint8Array;
  /** Inside the folder that is checked. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Undefined: blocks of any tag. */
  readonly tagId: number | undefined;
  readonly scratch: PointColumns;
}

/** Checks all blocks in a range of a file; calls `visit` for the sound ones, returns the entries of all whose header is. */
export function checkBlocks(
  log: CheckLog,
  span: BlockSpan,
  visit: (header: BlockHeader, points: PointColumns) => void,
): BlockEntry[] {
  const { file, path, from, to, tagId } = span;
  const walk = walkBlocks(file, { from, to, tagId, verify: 'headers' });
  for (const { offset, sizeBytes, reason } of walk.damages)
    log.report('error', path, `${sizeBytes} bytes hold no block: ${reason}`, offset);
  for (const [i, header] of walk.headers.entries()) {
    const { offset } = walk.entries[i] as BlockEntry;
    log.counts.blocks++;
    const faults = faultsOf(span, header, offset);
    for (const fault of faults) log.report('error', path, fault, offset);
    if (span.scratch.count > 0) visit(header, span.scratch);
  }
  return walk.entries;
}

function faultsOf({ bytes, scratch }: BlockSpan, header: BlockHeader, offset: number): string[] {
  try {
    decodeBlock(bytes, offset, header, scratch);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    return [`a block of ${header.pointCount} points cannot be read: ${error.message}`];
  }
  return [...pointFaults(header, scratch), ...headerFaults(header, scratch)];
}

function pointFaults(header: BlockHeader, points: PointColumns): string[] {
  const faults: string[] = [];
  const { timesMs, ticks } = points;
  const order = orderOf(header);
  for (let i = 0; i < points.count; i++) {
    if ((ticks[i] as number) >= TICKS_PER_MS) faults.push(`point ${i} has ${String(ticks[i])} ticks`);
    if (i === 0) continue;
    if (order === 'arrival') continue;
    const step = (timesMs[i] as number) - (timesMs[i - 1] as number) || (ticks[i] as number) - (ticks[i - 1] as number);
    if (step < 0) faults.push(`the time of point ${i} is before that of the point before it`);
  }
  if (header.ordinalCount !== header.pointCount)
    faults.push(`got ${header.pointCount} points for ${header.ordinalCount} ordinals`);
  return faults;
}

/** Compares every header field that can be computed from the points. */
function headerFaults(header: BlockHeader, points: PointColumns): string[] {
  const last = points.count - 1;
  const state = examinePoints(points, 0, points.count);
  const payload = payloadOf(header.type);
  const lastIsNull = points.nulls[last] !== 0;
  const wanted: Partial<BlockHeader> = {
    ...timeBounds(points, 0, points.count, orderOf(header)),
    lastNull: lastIsNull,
    lastNumber: payload === 'number' && !lastIsNull ? (points.numbers[last] as number) : 0,
    lastBigint: payload === 'bigint' && !lastIsNull ? (points.bigints[last] as bigint) : 0n,
    lastQuality: points.qualities[last] as number,
    nullCount: state.nullCount,
    goodCount: state.goodCount,
    worstQuality: points.qualities[state.worstIndex] as number,
    worstIndex: state.worstIndex,
  };
  return [...differences(header, wanted), ...statisticsFaults(header, points, state)];
}

function statisticsFaults(
  header: BlockHeader,
  points: PointColumns,
  state: ReturnType<typeof examinePoints>,
): string[] {
  const { statistics, flags } = header;
  if (!statistics || (flags & BlockFlag.Statistics) === 0) return [];
  return differences<BlockStatistics>(statistics, computeStatistics(points, 0, points.count, header.type, state));
}

function differences<T extends object>(got: T, wanted: Partial<T>): string[] {
  const faults: string[] = [];
  for (const key of Object.keys(wanted) as (keyof T & string)[]) {
    if (!Object.is(got[key], wanted[key]))
      faults.push(`the header says ${key} ${String(got[key])}; its points give ${String(wanted[key])}`);
  }
  return faults;
}

/** How an index differs from the headers of its blocks; undefined when it does not. */
export function indexFault(index: readonly BlockEntry[], blocks: readonly BlockEntry[]): string | undefined {
  if (index.length !== blocks.length) return `the index has ${index.length} entries; there are ${blocks.length} blocks`;
  for (const [i, entry] of index.entries()) {
    const [fault] = differences(entry, blocks[i] as BlockEntry);
    if (fault) return `entry ${i} of the index differs: ${fault}`;
  }
  return undefined;
}
