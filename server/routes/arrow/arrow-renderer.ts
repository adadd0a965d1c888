// A read's answer as a stream of Arrow: record batches as they come, a row for each point, one tag after the other. One batch is
// all that is held.

import { AsyncByteQueue, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';
import { type FileAnswer, PointGroup } from '../parquet/point-group.ts';
import { PointRows } from '../parquet/point-rows.ts';
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

export class ArrowRenderer extends PointRows {
  readonly pointsAtOnce = POINTS_A_TURN;
  readonly #memory: HeldMemory;
  readonly #schema: Schema;
  readonly #writer = new RecordBatchStreamWriter();
  readonly #bytes: BytesOut;
  protected readonly group = new PointGroup(BATCH_ROWS);

  constructor(answer: FileAnswer) {
    super(answer, { rows: BATCH_ROWS, characters: BATCH_CHARACTERS });
    const { out, memory, dataset, isOfFunctions } = answer;
    memory.take(BATCH_BYTES);
    this.#memory = memory;
    this.#schema = schemaOf(dataset, isOfFunctions);
    this.#bytes = new BytesOut(out);
  }

  begin(): void {
    this.#writer.reset(this.#bytes, this.#schema);
  }

  end(): void {
    this.writeGroup();
    this.#writer.close();
  }

  protected writeGroup(): void {
    if (this.group.count === 0) return;
    this.#memory.take(BATCH_FACTS_BYTES);
    this.#writer.write(batchOf(this.#schema, this.group));
    this.group.clear();
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
