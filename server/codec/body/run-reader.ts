// Reads the points of one run, in any format: an array of them, or columns; as far as the source can, by its fast paths. A
// run may take several pieces.

import { Token, TokenKind } from '../scalars/token.ts';
import type { BatchBuilder, RunLocation } from './batch-builder.ts';
import { type BodySource, tryFast } from './body-source.ts';
import type { ColumnReader } from './column-reader.ts';
import { FastOutcome, type FastRequest, FastStep } from './fast-path.ts';
import { MAX_SKIPPED_BYTES, MAX_STRING_BYTES, refuseLong } from './long-values.ts';
import type { Pieces } from './pieces.ts';
import { kindName, type PointAssembler } from './point-assembler.ts';
import { shapeProblem } from './shape-problem.ts';

const NONE = -1;
export const WANTED_POINTS = 'an array of points, or columns t and v';
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A point has t, v and q; very many others would hold the event loop. */
const MAX_POINT_MEMBERS = 1000;
/** Members of a point are read in one go: up to the longest text and the longest value that is skipped. */
const MAX_POINT_BYTES = MAX_STRING_BYTES + MAX_SKIPPED_BYTES;

/** What the reader of runs works with, which is the body's. */
export interface RunReaderParts {
  readonly source: BodySource;
  readonly builder: BatchBuilder;
  readonly assembler: PointAssembler;
  readonly columns: ColumnReader;
  readonly request: FastRequest;
}

export class RunReader {
  readonly #source: BodySource;
  readonly #builder: BatchBuilder;
  readonly #assembler: PointAssembler;
  readonly #columns: ColumnReader;
  readonly #request: FastRequest;
  readonly #token = new Token();

  constructor({ source, builder, assembler, columns, request }: RunReaderParts) {
    this.#source = source;
    this.#builder = builder;
    this.#assembler = assembler;
    this.#columns = columns;
    this.#request = request;
  }

  /** Reads the points that come next, of the run that the builder has begun; returns how to read on where the piece has ended. */
  read(location: RunLocation): Pieces | undefined {
    const source = this.#source;
    const outcome = tryFast(source, FastStep.Points, this.#request);
    if (outcome === FastOutcome.ColumnsPaused) return this.#pausedColumns(location);
    if (outcome === FastOutcome.NotTaken) {
      const kind = source.kind();
      if (kind === TokenKind.Object) return this.#columnsOf(location);
      if (kind === TokenKind.Absent) this.#refuseValue();
      else if (source.enter()) return this.#array(0);
    } else if (outcome > 0 && source.more(TokenKind.Array)) {
      return this.#array(outcome);
    }
    this.#builder.endRun();
    return undefined;
  }

  *#pausedColumns(location: RunLocation): Pieces {
    let outcome: number = FastOutcome.ColumnsPaused;
    while (outcome === FastOutcome.ColumnsPaused) {
      yield;
      outcome = tryFast(this.#source, FastStep.PausedColumns, this.#request);
    }
    if (outcome === FastOutcome.NotTaken) yield* this.#columnsOf(location);
    else this.#builder.endRun();
  }

  #refuseValue(): void {
    this.#source.value(this.#token);
    this.#builder.runFault(`got ${kindName(this.#token.kind)}; want ${WANTED_POINTS}`);
  }

  *#columnsOf(location: RunLocation): Pieces {
    yield* this.#columns.find();
    if (location === 'body' && !this.#columns.areFound) {
      this.#source.expectEnd();
      throw shapeProblem('an object', WANTED_POINTS);
    }
    yield* this.#columns.addPoints();
    this.#builder.endRun();
  }

  /** The elements of an array, the next of which has the index `first`; in pieces where there are many. */
  #array(first: number): Pieces | undefined {
    const next = this.#elements(first);
    if (next !== NONE) return this.#restOfArray(next);
    this.#builder.endRun();
    return undefined;
  }

  *#restOfArray(first: number): Pieces {
    for (let next = first; next !== NONE; next = this.#elements(next)) yield;
    this.#builder.endRun();
  }

  /** Reads elements up to the end of the array, then NONE, or of the piece, then the index of the next one. */
  #elements(first: number): number {
    const source = this.#source;
    const request = this.#request;
    let index = first;
    do {
      if (source.position >= request.stopAt && index > first) return index;
      const fastCount = tryFast(source, FastStep.Elements, request);
      if (fastCount > 0) index += fastCount;
      else this.#element(index++);
    } while (source.more(TokenKind.Array));
    return NONE;
  }

  #element(index: number): void {
    const source = this.#source;
    const assembler = this.#assembler;
    const token = this.#token;
    if (source.kind() !== TokenKind.Object) {
      source.value(token);
      assembler.refuse(index, token.kind);
      return;
    }
    assembler.begin(index);
    if (source.enter()) this.#tvqMembers();
    assembler.end();
  }

  /** The members of a TVQ object, of which there is at least one. */
  #tvqMembers(): void {
    const source = this.#source;
    const assembler = this.#assembler;
    const token = this.#token;
    const start = source.position;
    let count = 0;
    do {
      if (source.position - start > MAX_POINT_BYTES) refuseLong('a point', start, MAX_POINT_BYTES);
      if (++count > MAX_POINT_MEMBERS) refuseMembers(start);
      source.key(token);
      source.value(assembler.member(this.#memberName()));
    } while (source.more(TokenKind.Object));
  }

  /** The key just read; one letter, as all wanted ones are, costs no decoding. */
  #memberName(): string {
    const token = this.#token;
    const source = this.#source;
    const letter = token.end - token.start === 1 ? LETTERS[source.bytes[token.start] as number] : undefined;
    return letter ?? source.text(token);
  }
}

function refuseMembers(offset: number): never {
  throw shapeProblem(`a point of more than ${MAX_POINT_MEMBERS} members at byte ${offset}`, 't, v and q');
}
