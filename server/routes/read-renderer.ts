// Puts the parts of a read's answer down in order, as JSON. One renderer serves one answer.

import type { Instant, PointChunk, ReadGap, TagDefinition } from '../../engine/index.ts';
import type { OutputBytes } from '../json/output-bytes.ts';
import { formatTag } from '../json/tag-json.ts';
import { formatInstant } from '../json/timestamp.ts';
import { TvqWriter } from '../json/tvq-writer.ts';
import type { ValueStyle } from '../json/value-style.ts';

export interface Bounds {
  readonly start: Instant;
  readonly end: Instant;
}

/** What stands behind the points of an entry. */
export interface EntryEnd {
  readonly gaps: readonly ReadGap[];
  /** The marker as text. */
  readonly next: string | undefined;
}

/** What a format with lengths in front has to know before an entry begins. */
export interface EntryPlan extends EntryEnd {
  readonly pointCount: number;
}

/** `single` is one entry by itself, `multi` a list of entries. */
export type AnswerShape = 'single' | 'multi';

export interface ReadRenderer {
  /** True: `beginEntry` gets a plan, made by going over the points once before. */
  readonly isPlanned: boolean;
  begin(bounds: Bounds, entryCount: number): void;
  beginEntry(tag: TagDefinition, bounds: Bounds, plan: EntryPlan | undefined): void;
  points(chunk: PointChunk): void;
  endEntry(end: EntryEnd): void;
  end(): void;
}

// No state of an answer is in the writer, so that one serves all answers.
const writer = new TvqWriter();

export class JsonReadRenderer implements ReadRenderer {
  readonly isPlanned = false;
  private readonly out: OutputBytes;
  private readonly shape: AnswerShape;
  private readonly style: ValueStyle;
  private entryCount = 0;
  private hasPoints = false;

  constructor(out: OutputBytes, shape: AnswerShape, style: ValueStyle) {
    this.out = out;
    this.shape = shape;
    this.style = style;
  }

  begin(bounds: Bounds): void {
    if (this.shape === 'single') return;
    this.out.ascii(`{"s":"${formatInstant(bounds.start)}","e":"${formatInstant(bounds.end)}","tl":[`);
  }

  beginEntry(tag: TagDefinition, bounds: Bounds): void {
    const comma = this.entryCount++ > 0 ? ',' : '';
    this.out.utf8(`${comma}{"t":${formatTag(tag)}`);
    this.out.ascii(`,"s":"${formatInstant(bounds.start)}","e":"${formatInstant(bounds.end)}","d":[`);
    this.hasPoints = false;
  }

  points(chunk: PointChunk): void {
    if (chunk.start === chunk.end) return;
    writer.writePoints(this.out, chunk, this.style, this.hasPoints ? 'comma' : 'first');
    this.hasPoints = true;
  }

  endEntry({ gaps, next }: EntryEnd): void {
    this.out.ascii(']');
    if (gaps.length > 0) this.out.ascii(`,"gaps":${JSON.stringify(gaps.map(toGapAnswer))}`);
    if (next !== undefined) this.out.ascii(`,"next":"${next}"`);
    this.out.ascii('}');
  }

  end(): void {
    if (this.shape === 'multi') this.out.ascii(']}');
  }
}

function toGapAnswer(gap: ReadGap): object {
  return { s: formatInstant(gap.start), e: formatInstant(gap.end), points: gap.points };
}
