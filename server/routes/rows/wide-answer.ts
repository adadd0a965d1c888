// A read's answer as wide rows: a row for each time at which a tag has a point, and a column for each tag. The tags are read
// side by side.

import type { AggregateLabel, PointChunk, ReadGap, ReadResult, TagCursor } from '../../../engine/index.ts';
import { badParameter } from '../../api/validation/bad-parameter.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import { ProblemError } from '../../problem.ts';
import type { Pacer } from '../../process/pacer.ts';
import type { AnswerSink } from '../answer/answer-sink.ts';
import type { PreparedCell, RowWriter } from './row-writer.ts';

/** Most tags that are read side by side: a block of each is in memory. */
export const MAX_WIDE_COLUMNS = 64;
/** Below it a quality is bad, and the value is none. */
const UNCERTAIN_QUALITY = 64;
/** About what a point takes while it waits for its row. */
const POINT_BYTES = 32;

export interface WideAnswer {
  readonly request: HttpRequest;
  readonly sink: AnswerSink;
  readonly pacer: Pacer;
  readonly writer: RowWriter;
}

/** The points of one tag on their way into a column. */
interface Column {
  readonly cursor: TagCursor;
  readonly heading: PreparedCell;
  chunk: PointChunk | undefined;
  at: number;
  /** What is charged for its points. */
  heldBytes: number;
}

/** Rejects when it cannot be completed; what was begun is aborted by then. */
export async function answerWide(result: ReadResult, answer: WideAnswer): Promise<void> {
  const { request, sink, writer } = answer;
  const columns: Column[] = [];
  try {
    await result.settle?.();
    if (result.tagCount > MAX_WIDE_COLUMNS) throw tooWide(result.tagCount);
    const names: string[] = [];
    for (let i = 0; i < result.tagCount; i++) {
      const column = { cursor: result.open(i), heading: writer.empty, chunk: undefined, at: 0, heldBytes: 0 };
      columns.push(column);
      await load(column, request); // labels are known with the first points
      names.push(columnName(column.cursor));
    }
    const headed = columns.map((column, i) => ({ ...column, heading: writer.heading(names[i] as string, false) }));
    writer.begin([writer.timeName, ...names]);
    await writeRows(headed, answer);
    if (request.aborted) return;
    writer.end();
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  } finally {
    for (const { cursor } of columns) cursor.close();
  }
}

function tooWide(count: number): Error {
  return badParameter(
    `'format=wide' has a column for each tag, ${MAX_WIDE_COLUMNS} at most, and this would be ${count}; read format=rows, or fewer tags.`,
  );
}

function columnName({ tag, label }: TagCursor): string {
  return label === undefined ? tag.name : `${tag.name} ${functionName(label)}`;
}

function functionName({ function: name, state, stateName }: AggregateLabel): string {
  return state === undefined ? name : `${name} ${stateName ?? String(state)}`;
}

async function writeRows(columns: readonly Column[], { request, sink, pacer, writer }: WideAnswer): Promise<void> {
  const time = writer.heading(writer.timeName, true);
  for (;;) {
    const first = firstColumn(columns);
    if (first?.chunk === undefined) return;
    writer.beginRow();
    writer.put(time);
    const { timesMs, ticks } = first.chunk.points;
    writer.time(timesMs[first.at] as number, ticks[first.at] as number);
    const isNow = timesOf(first);
    for (const column of columns) writeCell(column, isNow, writer);
    writer.endRow();
    const waiting = sink.drain();
    if (waiting !== undefined) await waiting;
    // A row may have a long text in each of its columns.
    if (pacer.isDueNow()) await pacer.yield();
    if (request.aborted) return;
    for (const column of columns) {
      if (!isNow.has(column) || column.chunk === undefined) continue;
      if (++column.at === column.chunk.end) await load(column, request);
    }
  }

  function timesOf(first: Column): ReadonlySet<Column> {
    return new Set(columns.filter((column) => column.chunk !== undefined && compareTimes(column, first) === 0));
  }
}

function writeCell(column: Column, isNow: ReadonlySet<Column>, writer: RowWriter): void {
  const { chunk, at } = column;
  writer.put(column.heading);
  const isThere = chunk !== undefined && isNow.has(column);
  if (isThere && (chunk.points.qualities[at] as number) >= UNCERTAIN_QUALITY) writer.value(chunk, at);
  else writer.put(writer.empty);
}

function firstColumn(columns: readonly Column[]): Column | undefined {
  let first: Column | undefined;
  for (const column of columns) {
    if (column.chunk !== undefined && (first === undefined || compareTimes(column, first) < 0)) first = column;
  }
  return first;
}

/** Both have a point. */
function compareTimes(a: Column, b: Column): number {
  const [from, to] = [(a.chunk as PointChunk).points, (b.chunk as PointChunk).points];
  const ms = (from.timesMs[a.at] as number) - (to.timesMs[b.at] as number);
  return ms !== 0 ? ms : (from.ticks[a.at] as number) - (to.ticks[b.at] as number);
}

/** A table has no place for what cannot be read: the answer is none then, rather than one that looks complete. */
async function load(column: Column, { memory }: HttpRequest): Promise<void> {
  const { cursor } = column;
  do {
    const next = cursor.next();
    column.chunk = next instanceof Promise ? await next : next;
  } while (column.chunk !== undefined && column.chunk.start === column.chunk.end);
  column.at = column.chunk?.start ?? 0;
  const sizeBytes = column.chunk === undefined ? 0 : POINT_BYTES * (column.chunk.end - column.chunk.start);
  if (sizeBytes > column.heldBytes) {
    memory.take(sizeBytes - column.heldBytes);
    column.heldBytes = sizeBytes;
  }
  if (column.chunk === undefined) refuseGaps(cursor.tag.name, cursor.outcome().gaps);
}

function refuseGaps(name: string, gaps: readonly ReadGap[]): void {
  if (gaps.length === 0) return;
  throw new ProblemError(
    500,
    `Points of tag '${name}' cannot be read, which 'format=wide' has no place for; read format=rows.`,
  );
}
