// Reads the points of one run, in any format: an array of them, or columns; as far as the source can, by its fast paths. A
// run may take several steps.

import type { BatchBuilder } from '../body/batch-builder.ts';
import { type BodySource, tryFast } from '../body/body-source.ts';
import type { ColumnReader } from '../body/column-reader.ts';
import { FastOutcome, type FastRequest, FastStep } from '../body/fast-path.ts';
import { kindName, type PointAssembler } from '../body/point-assembler.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import { MAX_SKIPPED_BYTES, MAX_STRING_BYTES, refuseLong } from './json-scanner.ts';
import { shapeProblem } from './shape-problem.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const { Points, PausedColumns, Elements } = FastStep;
const { NotTaken, ColumnsPaused } = FastOutcome;

export const WANTED_POINTS = 'an array of points, or columns t and v';
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A point has t, v and q; very many others would hold the event loop. */
const MAX_POINT_MEMBERS = 1000;
/** Members of a point are read in one go: up to the longest text and the longest value that is skipped. */
const MAX_POINT_BYTES = MAX_STRING_BYTES + MAX_SKIPPED_BYTES;

/** What a step was in the middle of when it ended. */
type Unfinished = 'points' | 'fast columns' | 'columns to find' | 'columns';

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
  #unfinished: Unfinished | undefined;
  /** Index of the next point in the array at which the last step ended. */
  #openIndex = 0;
  /** The points are the body itself. */
  #isBody = false;

  constructor({ source, builder, assembler, columns, request }: RunReaderParts) {
    this.#source = source;
    this.#builder = builder;
    this.#assembler = assembler;
    this.#columns = columns;
    this.#request = request;
  }

  /** Reads the points that come next, of the run that the builder has begun; false when the step has ended before they have. */
  read(location: 'member' | 'body'): boolean {
    this.#isBody = location === 'body';
    this.#unfinished = undefined;
    return this.#endFastStep(tryFast(this.#source, Points, this.#request));
  }

  /** Reads on in the next step. */
  goOn(): boolean {
    const unfinished = this.#unfinished;
    this.#unfinished = undefined;
    switch (unfinished) {
      case 'points':
        this.#array(this.#openIndex);
        return this.#end();
      case 'fast columns':
        return this.#endFastStep(tryFast(this.#source, PausedColumns, this.#request));
      case 'columns to find':
        return this.#findColumns();
      case 'columns':
        return this.#addColumns();
      case undefined:
        throw new Error('BUG: no run is unfinished');
    }
  }

  /** Ends the run when all of its points are there. */
  #end(): boolean {
    if (this.#unfinished !== undefined) return false;
    this.#builder.endRun();
    return true;
  }

  /** After a fast path was asked for the points, or for the rest of them. */
  #endFastStep(outcome: number): boolean {
    if (outcome === NotTaken) return this.#points();
    if (outcome === ColumnsPaused) this.#unfinished = 'fast columns';
    else if (outcome > 0 && this.#source.more(TokenKind.Array)) this.#array(outcome);
    return this.#end();
  }

  /** The points by the general path: an array of them, columns, or something else. */
  #points(): boolean {
    const source = this.#source;
    const token = this.#token;
    const kind = source.kind();
    if (kind === TokenKind.Object) {
      this.#columns.begin();
      return this.#findColumns();
    }
    if (kind === TokenKind.Array) {
      if (source.enter()) this.#array(0);
    } else {
      source.value(token);
      this.#builder.runFault(`got ${kindName(token.kind)}; want ${WANTED_POINTS}`);
    }
    return this.#end();
  }

  #findColumns(): boolean {
    if (!this.#columns.find(this.#request.stopAt)) {
      this.#unfinished = 'columns to find';
      return false;
    }
    if (this.#isBody && !this.#columns.areFound) {
      this.#source.expectEnd();
      throw shapeProblem('an object', WANTED_POINTS);
    }
    return this.#addColumns();
  }

  #addColumns(): boolean {
    if (!this.#columns.addPoints(this.#request.stepBytes)) this.#unfinished = 'columns';
    return this.#end();
  }

  /** The elements of an array, the next of which has the index `first`, up to the end of the step. */
  #array(first: number): void {
    const source = this.#source;
    const request = this.#request;
    let index = first;
    do {
      const fastCount = tryFast(source, Elements, request);
      if (fastCount > 0) index += fastCount;
      else this.#element(index++);
      if (source.position >= request.stopAt) {
        if (!source.more(TokenKind.Array)) return;
        this.#openIndex = index;
        this.#unfinished = 'points';
        return;
      }
    } while (source.more(TokenKind.Array));
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
