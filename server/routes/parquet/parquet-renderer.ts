// A read's answer as a file of Parquet: a row for each point, one tag after the other. A row group is written while the next one
// fills: these two, and what the footer will say of those before, are all that is held.

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { PointChunk } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';
import { GroupWriter } from './group-writer.ts';
import { type FileAnswer, PointGroup, schemaOf } from './point-group.ts';
import { PointRows } from './point-rows.ts';

/** Rows of a group: enough that what the footer tells of each is little beside it. */
const GROUP_ROWS = 16_384;
/** Characters of texts in a group; one text may be longer. */
const GROUP_CHARACTERS = 1_048_576;
/** About what two groups hold until they are written: their rows, and the bytes of their columns. */
const GROUP_BYTES = 8 * 1024 * 1024;
/** Points that fill a group in one turn, and columns that are written of the group before: it is done when this one is full. */
const POINTS_A_TURN = 1024;
const COLUMNS_A_TURN = 1;
/** About what the footer needs of each column of a group. */
const COLUMN_FACTS_BYTES = 1024;
const FIRST_BYTES = 64 * 1024;

export class ParquetRenderer extends PointRows {
  readonly pointsAtOnce = POINTS_A_TURN;
  readonly #out: OutputBytes;
  readonly #memory: HeldMemory;
  readonly #bytes = new ByteWriter(FIRST_BYTES);
  readonly #file: ParquetWriter;
  readonly #groups: GroupWriter;
  /** The one that fills, and the one that is written. */
  protected group = new PointGroup(GROUP_ROWS);
  #written = new PointGroup(GROUP_ROWS);

  constructor(answer: FileAnswer) {
    super(answer, { rows: GROUP_ROWS, characters: GROUP_CHARACTERS });
    const { out, memory, dataset, isOfFunctions } = answer;
    memory.take(GROUP_BYTES);
    this.#out = out;
    this.#memory = memory;
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(isOfFunctions),
      codec: 'SNAPPY',
      createdBy: 'varve',
      kvMetadata: [{ key: 'varve.dataset', value: dataset }],
    });
    this.#groups = new GroupWriter(this.#file);
  }

  begin(): void {
    this.#moveBytes();
  }

  override points(chunk: PointChunk): void {
    this.#write(COLUMNS_A_TURN);
    super.points(chunk);
  }

  end(): void {
    this.writeGroup();
    this.#write(Number.POSITIVE_INFINITY);
    void this.#file.finish();
    this.#moveBytes();
  }

  /** Begins to write the group, and fills the other one. */
  protected writeGroup(): void {
    this.#write(Number.POSITIVE_INFINITY);
    const full = this.group;
    if (full.count === 0) return;
    const columns = full.columns();
    this.#memory.take(COLUMN_FACTS_BYTES * columns.length);
    this.#groups.begin(columns, full.count);
    this.group = this.#written;
    this.#written = full;
    this.group.clear();
  }

  #write(columnCount: number): void {
    this.#groups.write(columnCount);
    this.#moveBytes();
  }

  /** The writer counts what it has written by itself, so that its buffer can be used again. */
  #moveBytes(): void {
    this.#out.raw(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}
