// Reads the body of a write straight into columns: `{"tag":[tvq…],"tag":{"t":[…],"v":[…]},…}`, or the points of one
// tag, in any format.
//
// A repeated key replaces what it named before, at every level: a body that repeats a tag is read once more, and the
// earlier one stepped over.
//
// A long body is read in steps, which end between two points or two tags.

import type { PointBatch, TagLookup, TagRef } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import { BatchBuilder, type ParsedBody } from '../body/batch-builder.ts';
import type { BodySource, ShortCut } from '../body/body-source.ts';
import { ColumnReader } from '../body/column-reader.ts';
import { kindName, PointAssembler } from '../body/point-assembler.ts';
import { RepeatedMembers } from '../names/repeated-members.ts';
import { SYSTEM_TAG_PREFIX, tagNameFault } from '../names/tag-name.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import type { TruthTags } from '../scalars/value-fit.ts';
import { MAX_SKIPPED_BYTES, MAX_STRING_BYTES, refuseLong } from './json-scanner.ts';

/** What a write's body holds: points by tag, or the points of one tag; each as an array of them, or as columns. */
export type WriteBodyShape = { readonly kind: 'tags' } | { readonly kind: 'points'; readonly tag: string };

export interface ParseOptions {
  readonly shape: WriteBodyShape;
  readonly lookup: TagLookup;
  /** `lenient` leaves faulty points out; with `strict` a body with any fault gives an empty batch. */
  readonly handling: 'strict' | 'lenient';
  /** Time of points without one. */
  readonly receiptMs: number;
  readonly maxTextBytes: number;
  /** Which tags take true and false; Boolean ones when absent. */
  readonly truths?: TruthTags;
}

const WANTED_POINTS = 'an array of points, or columns t and v';
const DOLLAR = SYSTEM_TAG_PREFIX.charCodeAt(0);
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A step ends at the first point or tag that begins behind so many bytes: some 3 ms at the worst. */
const STEP_BYTES = 16_384;
/** What a step has left off in. */
type Unfinished = 'points' | 'usual columns' | 'columns to find' | 'columns' | 'value to skip';
/** More than any name takes, however it is escaped; longer ones are cut, and refused like that. */
const MAX_NAME_TOKEN_BYTES = 8192;
/** Wanted are t, v and q; very many others would hold the event loop. */
const MAX_POINT_MEMBERS = 1000;
/** Members of a point are read in one go: as many as a text of the longest kind leaves room for. */
const MAX_POINT_BYTES = MAX_STRING_BYTES + MAX_SKIPPED_BYTES;
/** Tags that one body may name: a new one takes some 0.8 KB of memory, for as long as it is there. */
export const MAX_TAGS_IN_BODY = 500_000;

export class BodyParser {
  private readonly source: BodySource;
  private readonly builder = new BatchBuilder();
  private readonly assembler: PointAssembler;
  private readonly columns: ColumnReader;
  private readonly token = new Token();
  private lookup: TagLookup | undefined;
  private readonly repeated = new RepeatedMembers();

  private shape: WriteBodyShape = { kind: 'tags' };
  private handling: ParseOptions['handling'] = 'strict';
  private pace: 'in one go' | 'in steps' = 'in one go';
  /** Where the step is to end. */
  private stopAt = Number.POSITIVE_INFINITY;
  private isBegun = false;
  /** The member that is next. */
  private member = 0;
  private unfinished: Unfinished | undefined;
  /** The point that is next in the array at which the last step ended. */
  private openIndex = 0;
  /** A tag that cannot be, whose points are being counted. */
  private badName: { readonly name: string; readonly fault: string } | undefined;

  constructor(source: BodySource) {
    this.source = source;
    this.assembler = new PointAssembler(this.builder, source);
    this.columns = new ColumnReader(source, this.builder, this.assembler);
  }

  /**
   * Reads a body. Throws a 400 `ProblemError` when it is unreadable, or something else than tags or points as a whole,
   * and 413 when it names too many tags or has too many points; all other faults are in the answer.
   */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedBody {
    this.pace = 'in one go';
    this.begin(bytes, options);
    while (!this.step());
    return this.finish();
  }

  /** Begins a body that is read in steps; nothing else may be read before `finish`. Throws as `parse` does. */
  beginSteps(bytes: Uint8Array, options: ParseOptions): void {
    this.pace = 'in steps';
    this.begin(bytes, options);
  }

  /** Reads on; true when there is no more to read. Throws as `parse` does, and the body is over then. */
  step(): boolean {
    try {
      this.stopAt = this.pace === 'in steps' ? this.source.position + STEP_BYTES : Number.POSITIVE_INFINITY;
      const isRead = this.readOn();
      // Whatever may be wrong with the rest is found when the body is read again.
      if (this.repeated.mustReadAgain) return !this.beginNextPass();
      if (!isRead) return false;
      this.source.expectEnd();
      return !this.beginNextPass();
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  /** What was read. */
  finish(): ParsedBody {
    const parsed = this.builder.finish(this.handling);
    this.close();
    return parsed;
  }

  /** Forgets the body being read. */
  giveUp(): void {
    this.builder.abandon();
    this.close();
  }

  /** Takes the memory of a batch back, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.builder.release(batch);
  }

  private begin(bytes: Uint8Array, options: ParseOptions): void {
    const { lookup, shape, handling } = options;
    this.lookup = lookup;
    this.shape = shape;
    this.handling = handling;
    this.assembler.beginBody(options.receiptMs, options.maxTextBytes, options.truths ?? 'boolean');
    this.repeated.begin();
    this.builder.begin(bytes.length);
    try {
      this.source.load(bytes);
      this.beginPass();
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  private close(): void {
    this.source.unload();
    this.repeated.end();
    this.lookup = undefined;
  }

  private beginNextPass(): boolean {
    if (!this.repeated.beginNextPass()) return false;
    this.builder.abandon();
    this.builder.begin(this.source.bytes.length);
    this.source.load(this.source.bytes);
    this.beginPass();
    return true;
  }

  private beginPass(): void {
    this.isBegun = false;
    this.unfinished = undefined;
    this.badName = undefined;
    this.member = 0;
  }

  /** Reads up to the end of the step; true when the body has been read. */
  private readOn(): boolean {
    const { shape } = this;
    if (!this.isBegun) {
      this.isBegun = true;
      if (shape.kind === 'points') this.pointsOf(shape.tag);
      else if (!this.enterTags()) return true;
      else this.tag(this.member++);
    } else if (this.unfinished !== undefined) {
      this.goOn(this.unfinished);
    }
    if (this.unfinished !== undefined) return false;
    return shape.kind === 'points' || this.tags();
  }

  private goOn(unfinished: Unfinished): void {
    this.unfinished = undefined;
    switch (unfinished) {
      case 'points':
        this.array(this.openIndex);
        return this.endRun();
      case 'usual columns':
        return this.columnsBegun(this.source.fastColumnsOn(this.builder, this.stepBytes));
      case 'columns to find':
        return this.findColumns();
      case 'columns':
        return this.addColumns();
      case 'value to skip':
        return this.skipOn();
    }
  }

  private get stepBytes(): number {
    return this.pace === 'in steps' ? STEP_BYTES : Number.POSITIVE_INFINITY;
  }

  /** Ends the run when all of its points are there. */
  private endRun(): void {
    if (this.unfinished === undefined) this.builder.endRun();
  }

  /** A body of the shape `points`; an empty object is one without points, too. */
  private pointsOf(tag: string): void {
    const fault = tagNameFault(tag);
    if (fault !== undefined) throw new ProblemError(400, fault);
    const { source } = this;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.refuseBody(WANTED_POINTS);
    if (kind === TokenKind.Object && source.isEmpty()) {
      source.enter();
      return;
    }
    this.builder.beginRun(tag, this.lookup?.find(tag), 'body');
    this.columnsBegun(kind === TokenKind.Object ? source.fastColumns(this.builder, this.stepBytes) : 'none');
  }

  /** Steps into a body of the shape `tags`; false when it is empty. An empty array is one without tags, too. */
  private enterTags(): boolean {
    const { source } = this;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.refuseBody('an object of points by tag name');
    if (!source.enter()) return false;
    if (kind === TokenKind.Array) this.refuseArray();
    return true;
  }

  /** Behind a member: the members that follow; false when the step has ended before they have. */
  private tags(): boolean {
    const { source } = this;
    while (source.more(TokenKind.Object)) {
      const fastCount = this.fastRuns();
      if (fastCount > 0) this.member += fastCount;
      else this.tag(this.member++);
      if (this.unfinished !== undefined || source.position >= this.stopAt) return false;
    }
    return true;
  }

  /** What is behind its beginning is not looked at any more. */
  private refuseArray(): never {
    const { source, token } = this;
    const stopAt = source.position + MAX_SKIPPED_BYTES;
    do {
      source.value(token);
      if (source.position >= stopAt) throw shapeProblem('an array', 'an object of points by tag name');
    } while (source.more(TokenKind.Array));
    source.expectEnd();
    throw shapeProblem('an array', 'an object of points by tag name');
  }

  /** What is next may be readable, but it is not what is wanted. */
  private refuseBody(want: string): never {
    this.source.value(this.token);
    this.source.expectEnd();
    throw shapeProblem(this.token.kind === TokenKind.Object ? 'an object' : kindName(this.token.kind), want);
  }

  /** One member of the body: a tag's name and its points. */
  private tag(member: number): void {
    const { source, token } = this;
    const expected = this.expectedTag();
    if (expected !== undefined) {
      this.noteMember(expected.name, expected, member);
      return this.run(expected.name, expected);
    }
    source.key(token);
    if (this.repeated.isReplaced(member)) return this.skip();
    if (token.end - token.start > MAX_NAME_TOKEN_BYTES) cutName(token, source.bytes);
    const isPlain = !token.isEscaped && source.bytes[token.start] !== DOLLAR;
    const tag = isPlain ? this.lookup?.findBytes(source.bytes, token.start, token.end) : undefined;
    const name = tag?.name ?? source.text(token);
    this.noteMember(name, tag, member);
    if (tag !== undefined) return this.run(name, tag);
    const fault = tagNameFault(name);
    if (fault !== undefined) return this.countPoints(name, fault);
    this.run(name, isPlain ? undefined : this.lookup?.find(name));
  }

  /** Adds the members that are next as far as a short cut knows them; their number. */
  private fastRuns(): number {
    if (!this.repeated.areNone || this.lookup === undefined) return 0;
    const most = MAX_TAGS_IN_BODY - this.member;
    return this.source.fastRuns(this.lookup, this.builder, this.repeated.named, most, this.stopAt);
  }

  /** The tag that is next, when it is the one that followed the last time and nothing is known against it. */
  private expectedTag(): TagRef | undefined {
    if (!this.repeated.areNone || this.lookup === undefined) return undefined;
    return this.source.fastKey(this.lookup);
  }

  /** Looks out for names that were there before, which end the step and the pass; an unknown tag's token is still the name's. */
  private noteMember(name: string, tag: TagRef | undefined, member: number): void {
    const nameCount = this.repeated.note(member, name, tag, this.token, this.source.view);
    if (nameCount > MAX_TAGS_IN_BODY) refuseTags();
    if (nameCount === 0) this.stopAt = 0;
  }

  private run(name: string, tag: TagRef | undefined): void {
    const { source, builder } = this;
    builder.beginRun(name, tag, 'member');
    const count = source.fastArray(builder);
    if (count === 0) return this.columnsBegun(source.fastColumns(builder, this.stepBytes));
    if (source.more(TokenKind.Array)) this.array(count);
    this.endRun();
  }

  /** Behind a short cut through columns: the points are there, are to come, or go the general way. */
  private columnsBegun(outcome: ShortCut): void {
    if (outcome === 'none') return this.points();
    if (outcome === 'begun') this.unfinished = 'usual columns';
    this.endRun();
  }

  /** The points of a run the general way: an array of them, columns, or something else. */
  private points(): void {
    const { source, token } = this;
    const kind = source.kind();
    if (kind === TokenKind.Object) {
      this.columns.begin();
      return this.findColumns();
    }
    if (kind === TokenKind.Array) {
      if (source.enter()) this.array(0);
    } else {
      source.value(token);
      this.builder.runFault(`got ${kindName(token.kind)}; want ${WANTED_POINTS}`);
    }
    this.endRun();
  }

  private findColumns(): void {
    if (!this.columns.find(this.stopAt)) {
      this.unfinished = 'columns to find';
      return;
    }
    if (this.badName !== undefined) return this.refuseName(this.columns.lostCount);
    if (this.shape.kind === 'points' && !this.columns.areFound) {
      this.source.expectEnd();
      throw shapeProblem('an object', WANTED_POINTS);
    }
    this.addColumns();
  }

  private addColumns(): void {
    if (!this.columns.addPoints(this.stepBytes)) this.unfinished = 'columns';
    this.endRun();
  }

  /** Steps over the value of a tag that cannot be, and counts its points. */
  private countPoints(name: string, fault: string): void {
    this.badName = { name, fault };
    if (this.source.kind() !== TokenKind.Object) return this.skip();
    this.columns.begin();
    this.findColumns();
  }

  /** Steps over the value that is next, whatever it is. */
  private skip(): void {
    const { source } = this;
    if (source.kind() !== TokenKind.Absent) {
      source.beginSkip();
      return this.skipOn();
    }
    source.value(this.token);
    if (this.badName !== undefined) this.refuseName(1);
  }

  private skipOn(): void {
    if (!this.source.skipOn(this.stopAt)) this.unfinished = 'value to skip';
    else if (this.badName !== undefined) this.refuseName(this.source.skippedEntries);
  }

  private refuseName(pointCount: number): void {
    const { name, fault } = this.badName as { name: string; fault: string };
    this.badName = undefined;
    this.builder.nameFault(name, fault, pointCount);
  }

  /** The elements of an array from the one that is next, the `first`-th, up to the end of the step. */
  private array(first: number): void {
    const { source, builder, stopAt } = this;
    let index = first;
    do {
      const fastCount = source.fastPoints(builder);
      if (fastCount > 0) index += fastCount;
      else this.element(index++);
      if (source.position >= stopAt) {
        if (!source.more(TokenKind.Array)) return;
        this.openIndex = index;
        this.unfinished = 'points';
        return;
      }
    } while (source.more(TokenKind.Array));
  }

  private element(index: number): void {
    const { source, assembler, token } = this;
    if (source.kind() !== TokenKind.Object) {
      source.value(token);
      assembler.refuse(index, token.kind);
      return;
    }
    assembler.begin(index, 'object');
    if (source.enter()) this.tvqMembers();
    assembler.end();
  }

  /** The members of a TVQ object, of which there is at least one. */
  private tvqMembers(): void {
    const { source, assembler, token } = this;
    const start = source.position;
    let count = 0;
    do {
      if (source.position - start > MAX_POINT_BYTES) refuseLong('a point', start, MAX_POINT_BYTES);
      if (++count > MAX_POINT_MEMBERS) refuseMembers(start);
      source.key(token);
      source.value(assembler.member(this.memberName()));
    } while (source.more(TokenKind.Object));
  }

  /** The key just read; one letter, as all wanted ones are, costs no decoding. */
  private memberName(): string {
    const { token, source } = this;
    const letter = token.end - token.start === 1 ? LETTERS[source.bytes[token.start] as number] : undefined;
    return letter ?? source.text(token);
  }
}

/** Leaves the beginning of a name that is far too long, so that messages about it stay short. */
function cutName(token: Token, bytes: Uint8Array): void {
  let end = token.start + MAX_NAME_TOKEN_BYTES;
  while (((bytes[end] as number) & 0xc0) === 0x80) end--; // not within a character
  token.end = end;
  token.isEscaped = false;
}

function refuseMembers(place: number): never {
  throw shapeProblem(`a point of more than ${MAX_POINT_MEMBERS} members at byte ${place}`, 't, v and q');
}

function refuseTags(): never {
  const message = `The body names more than ${MAX_TAGS_IN_BODY} tags; write them in several requests.`;
  throw new ProblemError(413, message);
}

/** A 400 about the body as a whole. */
function shapeProblem(got: string, want: string): ProblemError {
  const message = `got ${got}; want ${want}`;
  return new ProblemError(400, `The body has the wrong shape: ${message}.`, { errors: [{ path: '', message }] });
}
