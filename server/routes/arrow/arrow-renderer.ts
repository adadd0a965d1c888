// A read's answer as a stream of Arrow: record batches as they come, a row for each point, one tag after the other. One batch is
// all that is held.

import { AsyncByteQueue, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import type { AggregateLabel, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';
import { type EntryCells, entryCells, type FileAnswer, PointGroup } from '../parquet/point-group.ts';
import { batchOf, schemaOf } from './record-batch.ts';

/** Rows of a batch: they are written in one turn. */
const BATCH_ROWS = 4096;
/** Characters of texts in a batch; one text may be longer. */
const BATCH_CHARACTERS = 262_144;
/** About what a batch holds until it is written. */
const BATCH_BYTES = 2 * 1024 * 1024;
const POINTS_A_TURN = 1024;
/** About what the library keeps of each batch that it has written. */
const BATCH_FACTS_BYTES = 128;

export class ArrowRenderer {
  readonly isPlanned = false;
  readonly pointsAtOnce = POINTS_A_TURN;
  readonly #memory: HeldMemory;
  readonly #isOfFunctions: boolean;
  readonly #schema: Schema;
  readonly #writer = new RecordBatchStreamWriter();
  readonly #bytes: BytesOut;
  readonly #group = new PointGroup(BATCH_ROWS);
  #cells: EntryCells = { tag: '', label: undefined };

  constructor({ out, memory, dataset, isOfFunctions }: FileAnswer) {
    memory.take(BATCH_BYTES);
    this.#memory = memory;
    this.#isOfFunctions = isOfFunctions;
    this.#schema = schemaOf(dataset, isOfFunctions);
    this.#bytes = new BytesOut(out);
  }

  begin(): void {
    this.#writer.reset(this.#bytes, this.#schema);
  }

  beginEntry(tag: TagDefinition, _bounds: unknown, _plan: unknown, label: AggregateLabel | undefined): void {
    this.#cells = entryCells(tag.name, label, this.#isOfFunctions);
  }

  passCount(): number {
    return 1;
  }

  beginPass(): void {
    // Rows come as the points do.
  }

  points(chunk: PointChunk): void {
    for (let at = chunk.start; at < chunk.end; at++) {
      this.#group.add(this.#cells, chunk, at);
      this.#writeFull();
    }
  }

  /** What cannot be read has a row at its beginning and one at its end, as in rows. */
  endEntry({ gaps }: { readonly gaps: readonly ReadGap[] }): void {
    for (const { start, end } of gaps) {
      for (const time of [start, end]) {
        this.#group.addGap(this.#cells, time);
        this.#writeFull();
      }
    }
  }

  end(): void {
    this.#write();
    this.#writer.close();
  }

  #writeFull(): void {
    const { count, characters } = this.#group;
    if (count >= BATCH_ROWS || characters >= BATCH_CHARACTERS) this.#write();
  }

  #write(): void {
    if (this.#group.count === 0) return;
    this.#memory.take(BATCH_FACTS_BYTES);
    this.#writer.write(batchOf(this.#schema, this.#group));
    this.#group.clear();
  }
}

/** Hands bytes on at once, where the queue of the library would keep them for somebody who reads it later. */
class BytesOut extends AsyncByteQueue {
  readonly #out: OutputBytes;

  constructor(out: OutputBytes) {
    super();
    this.#out = out;
  }

  override write(bytes: Uint8Array): void {
    this.#out.raw(bytes);
  }
}
