// Reads the body of a write straight into columns: `{"tag":[tvq…],…}`, or the TVQs of one tag, in any format.
//
// A repeated key replaces what it named before, at every level: a body that repeats a tag is read once more, and the
// earlier one stepped over.

import type { PointBatch, TagLookup, TagRef } from '../../engine/index.ts';
import { ProblemError } from '../http/problem.ts';
import { BatchBuilder, type ParsedBody } from './batch-builder.ts';
import type { BodySource } from './body-source.ts';
import { kindName, PointAssembler } from './point-assembler.ts';
import { SYSTEM_TAG_PREFIX, tagNameFault } from './tag-name.ts';
import { Token, TokenKind } from './token.ts';

/** What a write's body holds: arrays of points by tag, or the array of points of one tag. */
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

const DOLLAR = SYSTEM_TAG_PREFIX.charCodeAt(0);
const LETTERS: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

export class BodyParser {
  private readonly source: BodySource;
  private readonly builder = new BatchBuilder();
  private readonly assembler: PointAssembler;
  private readonly token = new Token();
  private lookup: TagLookup | undefined;
  /** The last member of each name, by name, while the members of a body are counted. */
  private readonly members = new Map<string, number>();
  /** Members that a later one of the same name replaces. */
  private readonly replaced = new Set<number>();

  constructor(source: BodySource) {
    this.source = source;
    this.assembler = new PointAssembler(this.builder, source);
  }

  /**
   * Reads a body. Throws a 400 `ProblemError` when it is unreadable, or something else than tags or points as a whole;
   * all other faults are in the answer.
   */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedBody {
    this.lookup = options.lookup;
    this.assembler.beginBody(options.receiptMs, options.maxTextBytes);
    this.replaced.clear();
    this.builder.begin();
    try {
      this.read(bytes, options.shape);
      if (this.replaced.size > 0) {
        this.builder.abandon();
        this.builder.begin();
        this.read(bytes, options.shape);
      }
      return this.builder.finish(options.handling);
    } catch (error) {
      this.builder.abandon();
      throw error;
    } finally {
      this.source.unload();
      this.members.clear();
      this.lookup = undefined;
    }
  }

  /** Takes the memory of a batch back, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.builder.release(batch);
  }

  private read(bytes: Uint8Array, shape: WriteBodyShape): void {
    this.source.load(bytes);
    this.members.clear();
    if (shape.kind === 'tags') this.tags();
    else this.pointsOf(shape.tag);
    this.source.expectEnd();
  }

  /** A body of the shape `points`; an empty object is one without points, too. */
  private pointsOf(tag: string): void {
    const fault = tagNameFault(tag);
    if (fault !== undefined) throw new ProblemError(400, fault);
    const kind = this.source.kind();
    if (kind === TokenKind.Absent) this.refuseBody('an array of points');
    if (kind === TokenKind.Object) return this.emptyObject();
    this.builder.beginRun(tag, this.lookup?.find(tag), 'body');
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

  private emptyObject(): void {
    const { source, token } = this;
    if (!source.enter()) return;
    do {
      source.key(token);
      source.value(token);
    } while (source.more(TokenKind.Object));
    source.expectEnd();
    throw shapeProblem('an object', 'an array of points');
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
    throw shapeProblem(kindName(this.token.kind), want);
  }

  /** One member of the body: a tag's name and its points. */
  private tag(member: number): void {
    const { source, token } = this;
    source.key(token);
    if (this.replaced.has(member)) {
      source.value(token);
      return;
    }
    const isPlain = !token.isEscaped && source.bytes[token.start] !== DOLLAR;
    const tag = isPlain ? this.lookup?.findBytes(source.bytes, token.start, token.end) : undefined;
    const name = tag?.name ?? source.text(token);
    this.countMember(name, member);
    if (tag !== undefined) return this.run(name, tag);
    const fault = tagNameFault(name);
    if (fault !== undefined) return this.builder.nameFault(name, fault, this.countPoints());
    this.run(name, isPlain ? undefined : this.lookup?.find(name));
  }

  private countMember(name: string, member: number): void {
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
    if (!source.enter()) return 0;
    let count = 0;
    do {
      if (kind === TokenKind.Object) source.key(token);
      source.value(token);
      count++;
    } while (source.more(kind));
    return kind === TokenKind.Object ? 1 : count;
  }

  /** The points of a run: an array of them, or something else. */
  private points(): void {
    const { source, token } = this;
    const kind = source.kind();
    if (kind === TokenKind.Array) {
      if (source.enter()) this.array();
      return;
    }
    source.value(token);
    const got = kind === TokenKind.Object ? 'an object' : kindName(token.kind);
    this.builder.runFault(`got ${got}; want an array of points`);
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
    assembler.begin(index);
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
