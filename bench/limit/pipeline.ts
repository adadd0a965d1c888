// What must be done for every point whatever is around it: body bytes parsed, put in a journal record with a checksum,
// written (and synced), kept until they make a block, encoded as blocks, written. One process, no server.

import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { encodeBlock } from '../../engine/format/block/block.ts';
import { ByteWriter } from '../../engine/format/bytes/byte-cursors.ts';
import { beginFrame, endFrame } from '../../engine/format/bytes/frame.ts';
import { beginPoints } from '../../engine/format/record/journal-record.ts';
import { DEFAULT_TUNABLES, type PointBatch, PointColumns, type PointRun, type TagLookup } from '../../engine/index.ts';
import { orderByTime } from '../../engine/points/time-order.ts';
import { Tag } from '../../engine/tag/tag.ts';
import { TagNames } from '../../engine/tag/tag-names.ts';
import type { ParsedBody } from '../../server/codec/body/batch-builder.ts';
import { MsgpackParser } from '../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../server/codec/read-json/tvq-parser.ts';
import { BODY_HEADERS, type BodyFormat } from '../workloads/bodies.ts';
import { VALUE_TYPES } from '../workloads/value-types.ts';
import type { WriteLoad } from '../workloads/write-load.ts';

const BLOCK_POINTS = DEFAULT_TUNABLES.blockPoints;
const SEGMENT_WRITE_BYTES = 1 << 20;
/** The journal is one preallocated file, used round and round. */
const JOURNAL_BYTES = 64 * 2 ** 20;
const FIRST_TAG_ID = 64;

/** The parser does not know this kind of body. */
export class UnreadableBodyError extends Error {}

export type Sync = 'synced' | 'unsynced';

export interface StageTimes {
  parseMs: number;
  recordMs: number;
  journalWriteMs: number;
  headMs: number;
  blockMs: number;
  blockWriteMs: number;
}

export interface PipelineResult extends StageTimes {
  readonly elapsedMs: number;
  readonly points: number;
  readonly journalBytes: number;
  readonly blockBytes: number;
}

interface LimitTag {
  readonly tag: Tag;
  readonly head: PointColumns;
  ordinal: number;
}

/**
 * Takes a whole load through the pipeline, its connections in turn.
 * @param recordsAWrite requests that share a journal write, as group commit does with small ones
 */
export function runPipeline(load: WriteLoad, folder: string, sync: Sync, recordsAWrite: number): PipelineResult {
  const journal = new LimitJournal(`${folder}/journal`, sync, recordsAWrite);
  const blocks = new LimitBlocks(`${folder}/blocks`, load);
  const parse = parserFor(load.shape.format, blocks.lookup);
  const times: StageTimes = { parseMs: 0, recordMs: 0, journalWriteMs: 0, headMs: 0, blockMs: 0, blockWriteMs: 0 };
  let points = 0;
  const startedMs = performance.now();
  const rounds = load.requests[0]?.length ?? 0;
  for (let round = 0; round < rounds; round++) {
    for (const own of load.requests) {
      const request = own[round];
      if (!request) continue;
      const beginMs = performance.now();
      const parsed = parse.body(request.body);
      const parsedMs = performance.now();
      times.parseMs += parsedMs - beginMs;
      journal.add(parsed.batch, blocks, times);
      blocks.add(parsed.batch, times);
      points += parsed.batch.points.count;
      parse.release(parsed.batch);
    }
  }
  journal.flush(times);
  blocks.flush(times);
  const elapsedMs = performance.now() - startedMs;
  journal.close();
  blocks.close();
  if (points !== load.points) throw new Error(`parsed ${points} points; want ${load.points}`);
  return { ...times, elapsedMs, points, journalBytes: journal.bytesWritten, blockBytes: blocks.bytesWritten };
}

interface LimitParser {
  body(bytes: Uint8Array): ParsedBody;
  release(batch: PointBatch): void;
}

function parserFor(format: BodyFormat, lookup: TagLookup): LimitParser {
  const { contentType, contentEncoding } = BODY_HEADERS[format];
  const parser = contentType === 'application/msgpack' ? new MsgpackParser() : new TvqParser();
  const options = { shape: { kind: 'tags' }, lookup, handling: 'strict', arrivalMs: 0, maxTextBytes: 65_536 } as const;
  return {
    body(bytes) {
      const parsed = parser.parse(contentEncoding === 'gzip' ? gunzipSync(bytes) : bytes, options);
      if (parsed.faultCount > 0) throw new UnreadableBodyError(parsed.faults[0]?.message);
      return parsed;
    },
    release: (batch) => parser.release(batch),
  };
}

/** The journal: records one behind the other, written when enough of them are together. */
class LimitJournal {
  readonly #file: number;
  readonly #recordsAWrite: number;
  readonly #out = new ByteWriter(1 << 20);
  #records = 0;
  #sequence = 1;
  #position = 0;
  bytesWritten = 0;

  constructor(path: string, sync: Sync, recordsAWrite: number) {
    const isDirect = sync === 'synced' ? constants.O_DSYNC : 0;
    const preallocated = openSync(path, 'w');
    writeSync(preallocated, new Uint8Array(JOURNAL_BYTES));
    fdatasyncSync(preallocated);
    closeSync(preallocated);
    this.#file = openSync(path, constants.O_RDWR | isDirect);
    this.#recordsAWrite = recordsAWrite;
  }

  add(batch: PointBatch, blocks: LimitBlocks, times: StageTimes): void {
    const startedMs = performance.now();
    const out = this.#out;
    const offset = beginFrame(out);
    const encoder = beginPoints(out, batch.runs.length);
    for (const run of batch.runs) {
      orderByTime(batch.points, run.start, run.count);
      const { tag, ordinal } = blocks.tagOf(run);
      const head = { tagId: tag.id, firstOrdinal: ordinal, count: run.count, type: run.type, stamped: 0 };
      encoder.run(head, batch.points, run.start);
    }
    endFrame(out, offset, this.#sequence++, 1);
    times.recordMs += performance.now() - startedMs;
    if (++this.#records >= this.#recordsAWrite) this.flush(times);
  }

  flush(times: StageTimes): void {
    const startedMs = performance.now();
    const bytes = this.#out.written();
    if (this.#position + bytes.length > JOURNAL_BYTES) this.#position = 0;
    if (bytes.length > 0) writeSync(this.#file, bytes, 0, bytes.length, this.#position);
    this.#position += bytes.length;
    this.bytesWritten += bytes.length;
    this.#out.clear();
    this.#records = 0;
    times.journalWriteMs += performance.now() - startedMs;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Points by tag until they make a block; blocks one behind the other in one file. */
class LimitBlocks {
  readonly #file: number;
  readonly #names = new TagNames();
  readonly #tags: LimitTag[] = [];
  readonly #out = new ByteWriter(2 * SEGMENT_WRITE_BYTES);
  bytesWritten = 0;

  constructor(path: string, load: WriteLoad) {
    this.#file = openSync(path, 'w');
    const type = VALUE_TYPES[load.shape.kind];
    for (const [i, name] of load.names.entries()) {
      const tag = new Tag(FIRST_TAG_ID + i, { name, type });
      this.#names.add(name, tag);
      this.#tags.push({ tag, head: new PointColumns(BLOCK_POINTS), ordinal: 0 });
    }
  }

  get lookup(): TagLookup {
    return this.#names;
  }

  tagOf(run: PointRun): LimitTag {
    return this.#tags[(run.tag as Tag).id - FIRST_TAG_ID] as LimitTag;
  }

  add({ points, runs }: PointBatch, times: StageTimes): void {
    const startedMs = performance.now();
    const blockMsBefore = times.blockMs + times.blockWriteMs;
    for (const run of runs) {
      const owner = this.tagOf(run);
      for (let start = run.start, left = run.count; left > 0; ) {
        const count = Math.min(left, BLOCK_POINTS - owner.head.count);
        copyPoints(points, start, owner.head, count);
        if (owner.head.count === BLOCK_POINTS) this.#writeBlock(owner, times);
        start += count;
        left -= count;
      }
      owner.ordinal += run.count;
    }
    times.headMs += performance.now() - startedMs - (times.blockMs + times.blockWriteMs - blockMsBefore);
  }

  flush(times: StageTimes): void {
    for (const owner of this.#tags) if (owner.head.count > 0) this.#writeBlock(owner, times);
    this.#writeOut(times);
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeBlock(owner: LimitTag, times: StageTimes): void {
    const startedMs = performance.now();
    const { tag, head } = owner;
    const options = { tagId: tag.id, type: tag.type, firstOrdinal: owner.ordinal, statistics: 'when-long' } as const;
    encodeBlock(this.#out, head, 0, head.count, options);
    head.clear();
    times.blockMs += performance.now() - startedMs;
    if (this.#out.length >= SEGMENT_WRITE_BYTES) this.#writeOut(times);
  }

  #writeOut(times: StageTimes): void {
    const startedMs = performance.now();
    writeSync(this.#file, this.#out.written());
    this.bytesWritten += this.#out.length;
    this.#out.clear();
    times.blockWriteMs += performance.now() - startedMs;
  }
}

function copyPoints(from: PointColumns, start: number, to: PointColumns, count: number): void {
  const at = to.count;
  const { timesMs, ticks, numbers, nulls, qualities, texts } = from;
  for (let i = 0; i < count; i++) {
    to.timesMs[at + i] = timesMs[start + i] as number;
    to.ticks[at + i] = ticks[start + i] as number;
    to.numbers[at + i] = numbers[start + i] as number;
    to.nulls[at + i] = nulls[start + i] as number;
    to.qualities[at + i] = qualities[start + i] as number;
  }
  if (texts.length > 0) {
    for (let i = at; i < at + count; i++) to.numbers[i] = to.texts.push(texts.at(to.numbers[i] as number));
  }
  to.count = at + count;
}
