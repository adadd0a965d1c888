// A read's answer as a file of Parquet: a row for each point, one tag after the other. A row group is written while the next one
// fills: these two, and what the footer will say of those before, are all that is held.

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { AggregateLabel, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeldMemory } from '../../http/memory/answer-memory.ts';
import { GroupWriter } from './group-writer.ts';
import { type EntryCells, entryCells, type FileAnswer, PointGroup, schemaOf } from './point-group.ts';

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

export class ParquetRenderer {
  readonly isPlanned = false;
  readonly pointsAtOnce = POINTS_A_TURN;
  readonly #out: OutputBytes;
  readonly #memory: HeldMemory;
  readonly #isOfFunctions: boolean;
  readonly #bytes = new ByteWriter(FIRST_BYTES);
  readonly #file: ParquetWriter;
  readonly #groups: GroupWriter;
  /** The one that fills, and the one that is written. */
  #group = new PointGroup(GROUP_ROWS);
  #written = new PointGroup(GROUP_ROWS);
  #cells: EntryCells = { tag: '', label: undefined };

  constructor({ out, memory, dataset, isOfFunctions }: FileAnswer) {
    memory.take(GROUP_BYTES);
    this.#out = out;
    this.#memory = memory;
    this.#isOfFunctions = isOfFunctions;
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
    this.#write(COLUMNS_A_TURN);
    for (let at = chunk.start; at < chunk.end; at++) {
      this.#group.add(this.#cells, chunk, at);
      this.#turnFull();
    }
  }

  /** What cannot be read has a row at its beginning and one at its end, as in rows. */
  endEntry({ gaps }: { readonly gaps: readonly ReadGap[] }): void {
    for (const { start, end } of gaps) {
      for (const time of [start, end]) {
        this.#group.addGap(this.#cells, time);
        this.#turnFull();
      }
    }
  }

  end(): void {
    this.#turn();
    this.#write(Number.POSITIVE_INFINITY);
    void this.#file.finish();
    this.#moveBytes();
  }

  #turnFull(): void {
    const { count, characters } = this.#group;
    if (count >= GROUP_ROWS || characters >= GROUP_CHARACTERS) this.#turn();
  }

  /** Begins to write the group, and fills the other one. */
  #turn(): void {
    this.#write(Number.POSITIVE_INFINITY);
    const full = this.#group;
    if (full.count === 0) return;
    const columns = full.columns();
    this.#memory.take(COLUMN_FACTS_BYTES * columns.length);
    this.#groups.begin(columns, full.count);
    this.#group = this.#written;
    this.#written = full;
    this.#group.clear();
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
