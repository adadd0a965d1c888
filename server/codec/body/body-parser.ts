// Reads the body of a write straight into columns: `{"tag":[tvq…],"tag":{"t":[…],"v":[…]},…}`, or the points of one
// tag, in any format.
//
// A repeated key replaces the earlier one, at every level: a body that repeats a tag is read once more, and the earlier
// member is skipped.

import { SYSTEM_TAG_PREFIX, tagNameFault } from '../../../client/tag-name.ts';
import type { PointBatch, TagLookup, TagRef } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import type { NamedTags } from '../names/named-tags.ts';
import { RepeatedMembers } from '../names/repeated-members.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import { BatchBuilder, type ParsedBody, type RunLocation } from './batch-builder.ts';
import { type BodySource, tryFast } from './body-source.ts';
import { ColumnReader } from './column-reader.ts';
import { FastOutcome, type FastRequest, FastStep } from './fast-path.ts';
import { MAX_SKIPPED_BYTES } from './long-values.ts';
import { inOneGo, PIECE_BYTES, type Pieces } from './pieces.ts';
import { kindName, PointAssembler, type PointRules } from './point-assembler.ts';
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

/** While no body is read. */
const NO_TAGS: TagLookup = {
  findBytes: () => undefined,
  findFollowing: () => undefined,
  foundBytes: 0,
  changes: 0,
  find: () => undefined,
};
const NO_BYTES = new Uint8Array(0);
const DOLLAR = SYSTEM_TAG_PREFIX.charCodeAt(0);

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

  #bytes: Uint8Array = NO_BYTES;
  #shape: WriteBodyShape = { kind: 'tags' };
  #spareBytes = 0;
  #handling: ParseOptions['handling'] = 'strict';
  /** Index of the next member. */
  #member = 0;
  #skippedCount = 0;
  /** Changes of tags before the body was read. */
  #changes = 0;

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

  /** Reads a body at once; throws as `read`. */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedBody {
    return inOneGo(this.read(bytes, options));
  }

  /**
   * Reads a body. Throws a 400 `ProblemError` when it is unreadable, or something else than tags or points as a whole,
   * and 413 when it names too many tags or has too many points; all other faults are in the result.
   */
  *read(bytes: Uint8Array, options: ParseOptions): Pieces<ParsedBody> {
    this.#begin(bytes, options);
    try {
      do {
        const rest = this.#beginPass();
        while (rest !== undefined && !rest.next().done) {
          yield;
          this.#beginPiece();
        }
        if (!this.#repeated.mustReadAgain) this.#source.expectEnd();
      } while (this.#beginAgain());
      return this.#builder.finish(this.#handling);
    } catch (error) {
      this.#builder.abandon();
      throw error;
    } finally {
      this.#close();
    }
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.#builder.release(batch);
  }

  #begin(bytes: Uint8Array, options: ParseOptions): void {
    this.#bytes = bytes;
    const { lookup, shape, handling, spareBytes = 0 } = options;
    this.#request.lookup = lookup;
    this.#changes = lookup.changes;
    this.#request.maxTextBytes = options.maxTextBytes;
    this.#shape = shape;
    this.#handling = handling;
    this.#spareBytes = spareBytes;
    this.#assembler.beginBody(options);
    this.#repeated.begin();
    this.#builder.begin(bytes.length);
  }

  #close(): void {
    this.#bytes = NO_BYTES;
    this.#source.unload();
    this.#repeated.end();
    this.#request.lookup = NO_TAGS;
    this.#request.tag = undefined;
  }

  #beginAgain(): boolean {
    if (!this.#repeated.beginNextPass()) return false;
    this.#builder.abandon();
    this.#builder.begin(this.#bytes.length);
    return true;
  }

  /** Sets where the piece ends. A tag that came or went meanwhile may hide that a name is there twice. */
  #beginPiece(): void {
    this.#request.stopAt = this.#source.position + PIECE_BYTES;
    if (this.#request.lookup.changes !== this.#changes && this.#shape.kind === 'tags') this.#repeated.compareNames();
  }

  /**
   * Begins to read the body, up to its end, or up to a name that may have been there before: the rest of it is for the next
   * pass. Returns how to read on.
   */
  #beginPass(): Pieces | undefined {
    this.#source.load(this.#bytes, this.#spareBytes);
    this.#assembler.beginPass();
    this.#member = 0;
    this.#request.stopAt = this.#source.position + PIECE_BYTES;
    if (this.#shape.kind === 'points') return this.#pointsOf(this.#shape.tag);
    return this.#enterTags() ? this.#tags() : undefined;
  }

  /** A body of the shape `points`; an empty object is one without points, too. */
  #pointsOf(tag: string): Pieces | undefined {
    const fault = tagNameFault(tag);
    if (fault !== undefined) throw new ProblemError(400, fault);
    const source = this.#source;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.#refuseBody(WANTED_POINTS);
    if (kind === TokenKind.Object && source.isEmpty()) {
      source.enter();
      return undefined;
    }
    return this.#run(tag, this.#request.lookup.find(tag), 'body');
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

  /** Reads the members, of which there is at least one. */
  *#tags(): Pieces {
    const source = this.#source;
    do {
      const rest = this.#nextMembers();
      if (rest !== undefined) yield* rest;
      if (this.#repeated.mustReadAgain) return;
      if (source.position >= this.#request.stopAt) yield;
    } while (source.more(TokenKind.Object));
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

  /** The member that is next, or several where the source has a fast path for them; returns how to read on. */
  #nextMembers(): Pieces | undefined {
    const outcome = this.#tryFastMembers();
    if (outcome > 0) {
      this.#member += outcome;
      return undefined;
    }
    const member = this.#member++;
    if (outcome === FastOutcome.NotTaken) return this.#tag(member);
    const tag = this.#request.tag as TagRef;
    return this.#noteMember(tag.name, tag, member) ? this.#run(tag.name, tag) : undefined;
  }

  /** One member of the body: a tag's name and its points. */
  #tag(member: number): Pieces | undefined {
    const source = this.#source;
    const token = this.#token;
    const { lookup } = this.#request;
    source.key(token);
    if (this.#repeated.isReplaced(member)) return this.#skip();
    if (token.end - token.start > MAX_NAME_TOKEN_BYTES) truncateName(token, source.bytes);
    const isVerbatim = !token.isEscaped && source.bytes[token.start] !== DOLLAR;
    const tag = isVerbatim ? lookup.findBytes(source.bytes, token.start, token.end) : undefined;
    // A tag may be there under its former name, too: names are compared as they are written.
    const name = tag !== undefined && this.#repeated.areNone ? tag.name : source.text(token);
    // A name that is not looked up by its bytes may be a tag's all the same, which the fast path knows by its id.
    const found = tag ?? (isVerbatim ? undefined : lookup.find(name));
    if (!this.#noteMember(name, found, member)) return undefined;
    const fault = tag === undefined ? tagNameFault(name) : undefined;
    return fault === undefined ? this.#run(name, found) : this.#refuseName(name, fault);
  }

  /** Not where a name may have occurred before: a fast path looks at tags, not at names. */
  #tryFastMembers(): number {
    if (!this.#repeated.areNone) return FastOutcome.NotTaken;
    this.#request.maxMembers = MAX_TAGS_IN_BODY - this.#member;
    return tryFast(this.#source, FastStep.Members, this.#request);
  }

  /** Notes the name of a member; false when the body is to be read again. For an unknown tag `token` must hold the name. */
  #noteMember(name: string, tag: TagRef | undefined, member: number): boolean {
    const nameCount = this.#repeated.note(member, name, tag, this.#token, this.#source.view);
    if (nameCount > MAX_TAGS_IN_BODY) refuseTags();
    return nameCount > 0;
  }

  #run(name: string, tag: TagRef | undefined, location: RunLocation = 'member'): Pieces | undefined {
    this.#builder.beginRun(name, tag, location);
    return this.#runs.read(location);
  }

  /** Skips the value of a tag with an impossible name, and counts its points. */
  *#refuseName(name: string, fault: string): Pieces {
    const hasColumns = this.#source.kind() === TokenKind.Object;
    yield* hasColumns ? this.#columns.find() : this.#skip();
    this.#builder.nameFault(name, fault, hasColumns ? this.#columns.lostCount : this.#skippedCount);
  }

  /** Skips the value that is next, whatever it is, and counts its elements or members: 1 where it has none such. */
  *#skip(): Pieces {
    const source = this.#source;
    this.#skippedCount = 1;
    if (source.kind() === TokenKind.Absent) return source.value(this.#token);
    source.beginSkip();
    while (!source.skipOn(this.#request.stopAt)) yield;
    this.#skippedCount = source.skippedEntries;
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
