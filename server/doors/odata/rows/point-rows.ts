// Rows of points: those of a range, and the newest one of each tag.

import {
  compareInstants,
  type Instant,
  type ReadMarker,
  type ReadRange,
  type TagCursor,
} from '../../../../engine/index.ts';
import type { Row } from '../query/cells.ts';
import type { RowTest, TimeBounds } from '../query/filter-parts.ts';
import { type AskedRows, datasetsOf, type GiveRows, tagsOf } from './asked-rows.ts';
import { setPoint } from './point-cells.ts';
import type { RowSink } from './row-sink.ts';

/** Points that become rows in one turn. */
const POINTS_A_TURN = 512;

export const givePoints: GiveRows = (asked, sink) => {
  const { start, end } = asked.parts.bounds;
  return giveRead(asked, sink, { kind: 'range', start, end });
};

export const giveCurrent: GiveRows = async (asked, sink) => giveRead(asked, sink, { kind: 'newest' });

interface TagRead {
  readonly dataset: string;
  readonly tag: string;
  readonly range: ReadRange;
  readonly test: RowTest;
}

async function giveRead(asked: AskedRows, sink: RowSink, range: ReadRange) {
  const { parts, from, call } = asked;
  for (const dataset of await datasetsOf(asked, 'Dataset')) {
    for await (const { name: tag } of tagsOf(asked, dataset, 'Tag')) {
      if (sink.room === 0) return { dataset, tag };
      const test = parts.testFor({ Dataset: dataset, Tag: tag });
      if (test === 'none') continue;
      const begun = from?.dataset === dataset && from.tag === tag ? from.after : undefined;
      const after = await giveTag(asked, sink, { dataset, tag, range, test }, begun);
      if (after !== undefined) return { dataset, tag, after };
      if (call.request.aborted) return undefined;
    }
  }
  return undefined;
}

/** Read again and again until there is no room, for a filter may leave little of what a read gives; behind which point it ended. */
async function giveTag(
  asked: AskedRows,
  sink: RowSink,
  read: TagRead,
  begun: ReadMarker | undefined,
): Promise<ReadMarker | undefined> {
  const { engine } = asked.service;
  const { dataset, tag, range } = read;
  let after = begun;
  do {
    const limit = sink.room === Number.POSITIVE_INFINITY || range.kind === 'newest' ? undefined : sink.room;
    const markers = after === undefined ? [] : [after];
    const request = { tags: [tag], range, carryIn: false, skipMissing: true, limit, after: markers };
    const result = engine.read(dataset, request);
    if (result.tagCount === 0) return undefined;
    const cursor = result.open(0);
    try {
      await giveChunks(asked, sink, read, cursor);
      after = cursor.outcome().marker;
    } finally {
      cursor.close();
    }
  } while (after !== undefined && sink.room > 0 && !asked.call.request.aborted);
  return after;
}

async function giveChunks(asked: AskedRows, sink: RowSink, { dataset, tag, test, range }: TagRead, cursor: TagCursor) {
  const row: Row = { Dataset: dataset, Tag: tag };
  const { bounds } = asked.parts;
  // The newest point is read whatever its time.
  const isInside = range.kind === 'newest' ? timeTest(bounds) : undefined;
  for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
    if (sink.isCounting && test === 'all' && isInside === undefined) sink.pass(chunk.end - chunk.start);
    else {
      for (let at = chunk.start; at < chunk.end; at++) {
        setPoint(row, chunk, at);
        if ((isInside?.(row) ?? true) && (typeof test === 'string' || test(row))) sink.put(row);
        if (at % POINTS_A_TURN !== 0) continue;
        const waiting = asked.breathe();
        if (waiting !== undefined) await waiting;
        if (asked.call.request.aborted) return;
      }
    }
    const waiting = asked.breathe();
    if (waiting !== undefined) await waiting;
    if (asked.call.request.aborted) return;
  }
}

function timeTest({ start, end }: TimeBounds): (row: Row) => boolean {
  return ({ Time: time }) => compareInstants(time as Instant, start) >= 0 && compareInstants(time as Instant, end) <= 0;
}
