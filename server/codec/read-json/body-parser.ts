// Reads the body of a write straight into columns: `{"tag":[tvq…],"tag":{"t":[…],"v":[…]},…}`, or the points of one
// tag, in any format.
//
// A repeated key replaces the earlier one, at every level: a body that repeats a tag is read once more, and the earlier
// member is skipped.
//
// A long body is read in steps, so that others get their turn; a step ends between two points or two tags.

import { SYSTEM_TAG_PREFIX, tagNameFault } from '../../../client/tag-name.ts';
import type { PointBatch, TagLookup, TagRef } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import { BatchBuilder, type ParsedBody, type RunLocation } from '../body/batch-builder.ts';
import { type BodySource, tryFast } from '../body/body-source.ts';
import { ColumnReader } from '../body/column-reader.ts';
import { FastOutcome, type FastRequest, FastStep } from '../body/fast-path.ts';
import { kindName, PointAssembler, type PointRules } from '../body/point-assembler.ts';
import type { NamedTags } from '../names/named-tags.ts';
import { RepeatedMembers } from '../names/repeated-members.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import { MAX_SKIPPED_BYTES } from './json-scanner.ts';
import { RunReader, WANTED_POINTS } from './run-reader.ts';
import { shapeProblem } from './shape-problem.ts';

/** What a write's body holds: points by tag, or the points of one tag; each as an array of them, or as columns. */
export type WriteBodyShape = { readonly kind: 'tags' } | { readonly kind: 'points'; readonly tag: string };

export interface ParseOptions extends PointRules {
  readonly shape: WriteBodyShape;
  readonly lookup: TagLookup;
  /** `lenient` leaves faulty points out; with `strict` a body with any fault gives an empty batch. */
  readonly handling: 'strict' | 'lenient';
  /** Zeros behind the body in the same memory, which stay: they let the fast paths read it up to its end. 0 when absent. */
  readonly spareBytes?: number;
}

// An import is looked up at every use; a constant of the module itself is compiled in.
const { Members } = FastStep;
const { NotTaken } = FastOutcome;

/** While no body is read. */
const NO_TAGS: TagLookup = {
  findBytes: () => undefined,
  findFollowing: () => undefined,
  foundBytes: 0,
  changes: 0,
  find: () => undefined,
};
const DOLLAR = SYSTEM_TAG_PREFIX.charCodeAt(0);

/** A step ends at the first point or tag that begins after so many bytes: some 3 ms at the worst. */
const STEP_BYTES = 16_384;
/** Step of a body that is to be read in one go: at the very worst two dozen ms. */
const LONG_STEP_BYTES = 65_536;
/** What a step was in the middle of when it ended. */
type Unfinished = 'run' | 'columns to count' | 'value to skip';
/** More than any name takes, however it is escaped; longer ones are truncated for the message that refuses them. */
const MAX_NAME_TOKEN_BYTES = 8192;
/** Tags that one body may name: a new one takes some 0.8 KB of memory for good. */
export const MAX_TAGS_IN_BODY = 500_000;

export class BodyParser {
  readonly #source: BodySource;
  readonly #builder = new BatchBuilder();
  readonly #assembler: PointAssembler;
  readonly #runs: RunReader;
  readonly #columns: ColumnReader;
  readonly #token = new Token();
  readonly #repeated = new RepeatedMembers();
  readonly #request: FastRequest;

  #shape: WriteBodyShape = { kind: 'tags' };
  #spareBytes = 0;
  #handling: ParseOptions['handling'] = 'strict';
  #isBegun = false;
  /** Index of the next member. */
  #member = 0;
  #unfinished: Unfinished | undefined;
  /** The tag with an impossible name whose points are being counted. */
  #badName: { readonly name: string; readonly fault: string } | undefined;

  constructor(source: BodySource) {
    this.#source = source;
    this.#assembler = new PointAssembler(this.#builder, source);
    this.#request = newRequest(this.#builder, this.#repeated.named);
    this.#columns = new ColumnReader(source, this.#assembler, this.#request);
    this.#runs = new RunReader({
      source,
      builder: this.#builder,
      assembler: this.#assembler,
      columns: this.#columns,
      request: this.#request,
    });
  }

  /**
   * Reads a body. Throws a 400 `ProblemError` when it is unreadable, or something else than tags or points as a whole,
   * and 413 when it names too many tags or has too many points; all other faults are in the result.
   */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedBody {
    this.#request.stepBytes = Number.POSITIVE_INFINITY;
    this.#begin(bytes, options);
    while (!this.step());
    return this.finish();
  }

  /** Begins a body that is read in steps; no other body may be read before `finish`. Throws as `parse` does. */
  beginSteps(bytes: Uint8Array, options: ParseOptions, steps: 'short' | 'long' = 'short'): void {
    this.#request.stepBytes = steps === 'short' ? STEP_BYTES : LONG_STEP_BYTES;
    this.#begin(bytes, options);
  }

  /** Reads one step; true when the body has been read. Throws as `parse` does, and forgets the body then. */
  step(): boolean {
    try {
      this.#request.stopAt = this.#source.position + this.#request.stepBytes;
      const isRead = this.#readOn();
      // Faults in the rest of the body are found by the next pass.
      if (this.#repeated.mustReadAgain) return !this.#beginNextPass();
      if (!isRead) return false;
      this.#source.expectEnd();
      return !this.#beginNextPass();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Ends the body; returns what was read. */
  finish(): ParsedBody {
    const parsed = this.#builder.finish(this.#handling);
    this.#close();
    return parsed;
  }

  /** Abandons the body being read. */
  abandon(): void {
    this.#builder.abandon();
    this.#close();
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.#builder.release(batch);
  }

  #begin(bytes: Uint8Array, options: ParseOptions): void {
    const { lookup, shape, handling, spareBytes = 0 } = options;
    this.#request.lookup = lookup;
    this.#request.maxTextBytes = options.maxTextBytes;
    this.#shape = shape;
    this.#handling = handling;
    this.#spareBytes = spareBytes;
    this.#assembler.beginBody(options);
    this.#repeated.begin();
    this.#builder.begin(bytes.length);
    try {
      this.#source.load(bytes, spareBytes);
      this.#beginPass();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #close(): void {
    this.#source.unload();
    this.#repeated.end();
    this.#request.lookup = NO_TAGS;
    this.#request.tag = undefined;
  }

  #beginNextPass(): boolean {
    if (!this.#repeated.beginNextPass()) return false;
    this.#builder.abandon();
    this.#builder.begin(this.#source.bytes.length);
    this.#source.load(this.#source.bytes, this.#spareBytes);
    this.#beginPass();
    return true;
  }

  #beginPass(): void {
    this.#assembler.beginPass();
    this.#isBegun = false;
    this.#unfinished = undefined;
    this.#badName = undefined;
    this.#member = 0;
  }

  /** Reads up to the end of the step; true when the body has been read. */
  #readOn(): boolean {
    const shape = this.#shape;
    if (!this.#isBegun) {
      this.#isBegun = true;
      if (shape.kind === 'points') this.#pointsOf(shape.tag);
      else if (!this.#enterTags()) return true;
      else this.#nextMembers();
    } else if (this.#unfinished !== undefined) {
      this.#goOn(this.#unfinished);
    }
    if (this.#unfinished !== undefined) return false;
    return shape.kind === 'points' || this.#tags();
  }

  #goOn(unfinished: Unfinished): void {
    this.#unfinished = undefined;
    switch (unfinished) {
      case 'run':
        if (!this.#runs.goOn()) this.#unfinished = 'run';
        return;
      case 'columns to count':
        return this.#countColumns();
      case 'value to skip':
        return this.#skipOn();
    }
  }

  /** A body of the shape `points`; an empty object is one without points, too. */
  #pointsOf(tag: string): void {
    const fault = tagNameFault(tag);
    if (fault !== undefined) throw new ProblemError(400, fault);
    const source = this.#source;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.#refuseBody(WANTED_POINTS);
    if (kind === TokenKind.Object && source.isEmpty()) {
      source.enter();
      return;
    }
    this.#run(tag, this.#request.lookup.find(tag), 'body');
  }

  /** Steps into a body of the shape `tags`; false when it is empty. An empty array is one without tags, too. */
  #enterTags(): boolean {
    const source = this.#source;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.#refuseBody('an object of points by tag name');
    if (!source.enter()) return false;
    if (kind === TokenKind.Array) this.#refuseArray();
    return true;
  }

  /** After a member: reads the members that follow; false when the step has ended before they have. */
  #tags(): boolean {
    const source = this.#source;
    while (source.more(TokenKind.Object)) {
      this.#nextMembers();
      if (this.#unfinished !== undefined || source.position >= this.#request.stopAt) return false;
    }
    return true;
  }

  /** Refuses a body that is an array; only its first MAX_SKIPPED_BYTES are checked. */
  #refuseArray(): never {
    const source = this.#source;
    const token = this.#token;
    const stopAt = source.position + MAX_SKIPPED_BYTES;
    do {
      source.value(token);
      if (source.position >= stopAt) throw shapeProblem('an array', 'an object of points by tag name');
    } while (source.more(TokenKind.Array));
    source.expectEnd();
    throw shapeProblem('an array', 'an object of points by tag name');
  }

  /** Refuses a body of another shape, once it is known to be readable. */
  #refuseBody(want: string): never {
    this.#source.value(this.#token);
    this.#source.expectEnd();
    throw shapeProblem(this.#token.kind === TokenKind.Object ? 'an object' : kindName(this.#token.kind), want);
  }

  /** The member that is next, or several where the source has a fast path for them. */
  #nextMembers(): void {
    const outcome = this.#tryFastMembers();
    if (outcome > 0) {
      this.#member += outcome;
      return;
    }
    const member = this.#member++;
    if (outcome === NotTaken) return this.#tag(member);
    const tag = this.#request.tag as TagRef;
    this.#noteMember(tag.name, tag, member);
    this.#run(tag.name, tag);
  }

  /** One member of the body: a tag's name and its points. */
  #tag(member: number): void {
    const source = this.#source;
    const token = this.#token;
    const { lookup } = this.#request;
    source.key(token);
    if (this.#repeated.isReplaced(member)) return this.#skip();
    if (token.end - token.start > MAX_NAME_TOKEN_BYTES) truncateName(token, source.bytes);
    const isVerbatim = !token.isEscaped && source.bytes[token.start] !== DOLLAR;
    const tag = isVerbatim ? lookup.findBytes(source.bytes, token.start, token.end) : undefined;
    const name = tag?.name ?? source.text(token);
    // A name that is not looked up by its bytes may be a tag's all the same, which the fast path knows by its id.
    const found = tag ?? (isVerbatim ? undefined : lookup.find(name));
    this.#noteMember(name, found, member);
    if (tag !== undefined) return this.#run(name, tag);
    const fault = tagNameFault(name);
    if (fault !== undefined) return this.#countPoints(name, fault);
    this.#run(name, found);
  }

  /** Not where a name may have occurred before: a fast path looks at tags, not at names. */
  #tryFastMembers(): number {
    if (!this.#repeated.areNone) return NotTaken;
    this.#request.maxMembers = MAX_TAGS_IN_BODY - this.#member;
    return tryFast(this.#source, Members, this.#request);
  }

  /** Notes the name of a member; a repeated one ends the step and the pass. For an unknown tag `token` must hold the name. */
  #noteMember(name: string, tag: TagRef | undefined, member: number): void {
    const nameCount = this.#repeated.note(member, name, tag, this.#token, this.#source.view);
    if (nameCount > MAX_TAGS_IN_BODY) refuseTags();
    if (nameCount === 0) this.#request.stopAt = 0;
  }

  #run(name: string, tag: TagRef | undefined, location: RunLocation = 'member'): void {
    this.#builder.beginRun(name, tag, location);
    if (!this.#runs.read(location)) this.#unfinished = 'run';
  }

  /** Skips the value of a tag with an impossible name, and counts its points. */
  #countPoints(name: string, fault: string): void {
    this.#badName = { name, fault };
    if (this.#source.kind() !== TokenKind.Object) return this.#skip();
    this.#columns.begin();
    this.#countColumns();
  }

  #countColumns(): void {
    if (!this.#columns.find(this.#request.stopAt)) this.#unfinished = 'columns to count';
    else this.#refuseName(this.#columns.lostCount);
  }

  /** Skips the value that is next, whatever it is. */
  #skip(): void {
    const source = this.#source;
    if (source.kind() !== TokenKind.Absent) {
      source.beginSkip();
      return this.#skipOn();
    }
    source.value(this.#token);
    if (this.#badName !== undefined) this.#refuseName(1);
  }

  #skipOn(): void {
    if (!this.#source.skipOn(this.#request.stopAt)) this.#unfinished = 'value to skip';
    else if (this.#badName !== undefined) this.#refuseName(this.#source.skippedEntries);
  }

  #refuseName(pointCount: number): void {
    const { name, fault } = this.#badName as { name: string; fault: string };
    this.#badName = undefined;
    this.#builder.nameFault(name, fault, pointCount);
  }
}

function newRequest(builder: BatchBuilder, named: NamedTags): FastRequest {
  return {
    builder,
    named,
    lookup: NO_TAGS,
    maxTextBytes: 0,
    maxMembers: 0,
    stopAt: 0,
    stepBytes: 0,
    columns: undefined,
    entryCount: 0,
    tag: undefined,
  };
}

/** Keeps the beginning of a name that is far too long, so that messages about it stay short. */
function truncateName(token: Token, bytes: Uint8Array): void {
  let end = token.start + MAX_NAME_TOKEN_BYTES;
  while (((bytes[end] as number) & 0xc0) === 0x80) end--; // not in the middle of a character
  token.end = end;
  token.isEscaped = false;
}

function refuseTags(): never {
  const message = `The body names more than ${MAX_TAGS_IN_BODY} tags; write them in several requests.`;
  throw new ProblemError(413, message);
}
