// Rows of functions over intervals. The filter says which functions, which interval, and from when to when.

import type { AggregateLabel, ReadRange, TagCursor } from '../../../../engine/index.ts';
import { badParameter } from '../../../api/validation/bad-parameter.ts';
import {
  type ResolvedAggregates,
  resolveAggregates,
  toAggregateForm,
} from '../../../routes/request/aggregate-parameters.ts';
import { single } from '../../../routes/request/read-parameters.ts';
import { nowInstant } from '../../../routes/service/service.ts';
import type { Row } from '../query/cells.ts';
import { type AskedRows, datasetsOf, type GiveRows, tagsOf } from './asked-rows.ts';
import { setPoint } from './point-cells.ts';
import type { RowSink } from './row-sink.ts';

const EXAMPLE =
  "$filter=Function eq 'TimeAverage' and Interval eq '1h' and Time ge 2026-03-01T00:00:00Z and Time lt 2026-03-02T00:00:00Z";

/** A page ends behind a tag: the results of one are computed together. */
export const giveAggregates: GiveRows = async (asked, sink) => {
  const { parts, call, service } = asked;
  const range = rangeOf(asked);
  const interval = [...(parts.namesOf('Interval') ?? [])];
  const functions = [...(parts.namesOf('Function') ?? [])];
  if (interval.length !== 1 || functions.length === 0) {
    throw badParameter(`Aggregates want a function, an interval and times: ${EXAMPLE}.`);
  }
  const values: Readonly<Record<string, string | readonly string[] | undefined>> = { aggregate: functions, interval };
  const form = toAggregateForm((name) => (name === 'interval' ? interval[0] : values[name]));
  const { request } = call;
  const { memory } = request;
  for (const dataset of await datasetsOf(asked, 'Dataset')) {
    for await (const { name: tag } of tagsOf(asked, dataset, 'Tag')) {
      if (sink.room === 0) return { dataset, tag };
      if (parts.testFor({ Dataset: dataset, Tag: tag }) === 'none') continue;
      const waiting = { now: nowInstant(service), isAborted: () => request.aborted, memory };
      const aggregates = await resolveAggregates(form, single(asked.query, 'tz'), range, waiting);
      await giveTag(asked, sink, { dataset, tag, range, aggregates, interval: interval[0] as string });
      if (request.aborted) return undefined;
    }
  }
  return undefined;
};

/** Until now where the filter has no end; up to a time, not with it, as intervals are. */
function rangeOf({ parts, service }: AskedRows): ReadRange & { kind: 'range' } {
  const { start, end, openEnd, hasStart, hasEnd } = parts.bounds;
  if (!hasStart) throw badParameter(`Aggregates want the time at which they begin: ${EXAMPLE}.`);
  return { kind: 'range', start, end: hasEnd ? (openEnd ?? end) : nowInstant(service) };
}

interface TagRead {
  readonly dataset: string;
  readonly tag: string;
  readonly range: ReadRange;
  readonly aggregates: ResolvedAggregates | undefined;
  readonly interval: string;
}

async function giveTag(asked: AskedRows, sink: RowSink, read: TagRead): Promise<void> {
  const { dataset, tag, range, aggregates } = read;
  const request = { tags: [tag], range, carryIn: false, skipMissing: true, limit: undefined, after: [] };
  const result = asked.service.engine.read(dataset, { ...request, aggregates: aggregates?.request });
  await result.settle?.();
  for (let i = 0; i < result.tagCount && sink.room > 0; i++) {
    const cursor = result.open(i);
    try {
      await giveResults(asked, sink, read, cursor);
    } finally {
      cursor.close();
    }
    if (asked.call.request.aborted) return;
  }
}

async function giveResults(asked: AskedRows, sink: RowSink, { dataset, tag, interval }: TagRead, cursor: TagCursor) {
  for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
    const row: Row = { Dataset: dataset, Tag: tag, Interval: interval, ...labelCells(cursor.label) };
    const test = asked.parts.testFor(row);
    if (test === 'none') return;
    for (let at = chunk.start; at < chunk.end; at++) {
      setPoint(row, chunk, at);
      if (test === 'all' || test(row)) sink.put(row);
    }
    const waiting = asked.breathe();
    if (waiting !== undefined) await waiting;
    if (asked.call.request.aborted) return;
  }
}

function labelCells(label: AggregateLabel | undefined): Row {
  const state = label?.stateName ?? label?.state ?? '';
  return { Function: label?.function ?? '', State: String(state) };
}
