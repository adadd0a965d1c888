// Reads the body of a write straight into columns: `{"tag":[tvq…],"tag":{"t":[…],"v":[…]},…}`, or the points of one
// tag, in any format.
//
// A repeated key replaces what it named before, at every level: a body that repeats a tag is read once more, and the
// earlier one stepped over.

import type { PointBatch, TagLookup, TagRef } from '../../engine/index.ts';
import { ProblemError } from '../http/problem.ts';
import { BatchBuilder, type ParsedBody } from './batch-builder.ts';
import type { BodySource } from './body-source.ts';
import { ColumnReader } from './column-reader.ts';
import { MemberSieve } from './member-sieve.ts';
import { kindName, PointAssembler } from './point-assembler.ts';
import { SYSTEM_TAG_PREFIX, tagNameFault } from './tag-name.ts';
import { Token, TokenKind } from './token.ts';

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
}

const WANTED_POINTS = 'an array of points, or columns t and v';
const DOLLAR = SYSTEM_TAG_PREFIX.charCodeAt(0);
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

export class BodyParser {
  private readonly source: BodySource;
  private readonly builder = new BatchBuilder();
  private readonly assembler: PointAssembler;
  private readonly columns: ColumnReader;
  private readonly token = new Token();
  private lookup: TagLookup | undefined;
  private readonly sieve = new MemberSieve();
  /** `perhaps`: the sieve has found a name that may be there twice. `compare`: names are compared one by one. */
  private repeats: 'none' | 'perhaps' | 'compare' = 'none';
  /** The last member of each name, by name, while names are compared. */
  private readonly members = new Map<string, number>();
  /** Members that a later one of the same name replaces. */
  private readonly replaced = new Set<number>();

  constructor(source: BodySource) {
    this.source = source;
    this.assembler = new PointAssembler(this.builder, source);
    this.columns = new ColumnReader(source, this.builder, this.assembler);
  }

  /**
   * Reads a body. Throws a 400 `ProblemError` when it is unreadable, or something else than tags or points as a whole;
   * all other faults are in the answer.
   */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedBody {
    this.lookup = options.lookup;
    this.assembler.beginBody(options.receiptMs, options.maxTextBytes);
    this.repeats = 'none';
    this.builder.begin();
    try {
      this.read(bytes, options.shape);
      if (this.repeats !== 'none') this.readComparing(bytes, options.shape);
      return this.builder.finish(options.handling);
    } catch (error) {
      this.builder.abandon();
      throw error;
    } finally {
      this.source.unload();
      this.members.clear();
      this.replaced.clear();
      this.lookup = undefined;
    }
  }

  /** Takes the memory of a batch back, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.builder.release(batch);
  }

  /** Reads again a body that may hold a name twice; and once more, without what was replaced, when it does. */
  private readComparing(bytes: Uint8Array, shape: WriteBodyShape): void {
    this.repeats = 'compare';
    this.readAgain(bytes, shape);
    if (this.replaced.size > 0) this.readAgain(bytes, shape);
  }

  private readAgain(bytes: Uint8Array, shape: WriteBodyShape): void {
    this.builder.abandon();
    this.builder.begin();
    this.read(bytes, shape);
  }

  private read(bytes: Uint8Array, shape: WriteBodyShape): void {
    this.source.load(bytes);
    this.members.clear();
    this.sieve.begin();
    if (shape.kind === 'tags') this.tags();
    else this.pointsOf(shape.tag);
    this.source.expectEnd();
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
    if (kind === TokenKind.Object && source.usualColumns(this.builder)) return this.builder.endRun();
    if (kind === TokenKind.Object && !this.columns.areNext()) this.refuseBody(WANTED_POINTS);
    this.points();
    this.builder.endRun();
  }

  /** A body of the shape `tags`; an empty array is one without tags, too. */
  private tags(): void {
    const { source } = this;
    const kind = source.kind();
    if (kind === TokenKind.Absent) this.refuseBody('an object of points by tag name');
    if (!source.enter()) return;
    if (kind === TokenKind.Array) this.refuseArray();
    let member = 0;
    do {
      this.tag(member++);
    } while (source.more(TokenKind.Object));
  }

  private refuseArray(): never {
    do {
      this.source.value(this.token);
    } while (this.source.more(TokenKind.Array));
    this.source.expectEnd();
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
    source.key(token);
    if (this.replaced.size > 0 && this.replaced.has(member)) {
      source.value(token);
      return;
    }
    const isPlain = !token.isEscaped && source.bytes[token.start] !== DOLLAR;
    const tag = isPlain ? this.lookup?.findBytes(source.bytes, token.start, token.end) : undefined;
    const name = tag?.name ?? source.text(token);
    this.noteMember(name, member);
    if (tag !== undefined) return this.run(name, tag);
    const fault = tagNameFault(name);
    if (fault !== undefined) return this.builder.nameFault(name, fault, this.countPoints());
    this.run(name, isPlain ? undefined : this.lookup?.find(name));
  }

  /** Looks out for names that were there before; the token is still the name's. */
  private noteMember(name: string, member: number): void {
    const { token } = this;
    if (this.repeats === 'none') {
      const isPerhaps = token.isEscaped || this.sieve.add(this.source.view, token.start, token.end);
      if (isPerhaps) this.repeats = 'perhaps';
      return;
    }
    if (this.repeats === 'perhaps') return;
    const earlier = this.members.get(name);
    if (earlier !== undefined) this.replaced.add(earlier);
    this.members.set(name, member);
  }

  private run(name: string, tag: TagRef | undefined): void {
    this.builder.beginRun(name, tag, 'member');
    this.points();
    this.builder.endRun();
  }

  /** Steps over the value of a tag that cannot be, and counts its points. */
  private countPoints(): number {
    const { source, token } = this;
    const kind = source.kind();
    if (kind === TokenKind.Absent) {
      source.value(token);
      return 1;
    }
    if (kind === TokenKind.Object) return this.columns.countPoints();
    if (!source.enter()) return 0;
    let count = 0;
    do {
      source.value(token);
      count++;
    } while (source.more(kind));
    return count;
  }

  /** The points of a run: an array of them, columns, or something else. */
  private points(): void {
    const { source, token } = this;
    const kind = source.kind();
    if (kind === TokenKind.Array) {
      if (source.enter()) this.array();
      return;
    }
    if (kind === TokenKind.Object) {
      if (!source.usualColumns(this.builder)) this.columns.read();
      return;
    }
    source.value(token);
    this.builder.runFault(`got ${kindName(token.kind)}; want ${WANTED_POINTS}`);
  }

  /** The elements of an array, of which there is at least one. */
  private array(): void {
    const { source, builder } = this;
    let index = 0;
    do {
      const usualCount = source.usualPoints(builder);
      if (usualCount > 0) index += usualCount;
      else this.element(index++);
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
    do {
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

/** A 400 about the body as a whole. */
function shapeProblem(got: string, want: string): ProblemError {
  const message = `got ${got}; want ${want}`;
  return new ProblemError(400, `The body has the wrong shape: ${message}.`, { errors: [{ path: '', message }] });
}
