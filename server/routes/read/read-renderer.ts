// Puts the parts of a read's answer down in order. What all formats have in common, and JSON with points as objects.
// One renderer serves one answer.

import type { AggregateLabel, Instant, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { cachedTag } from '../../codec/write-json/tag-json.ts';
import { TICK_TIME_BYTES, TimeWriter } from '../../codec/write-json/time-writer.ts';
import { TvqWriter } from '../../codec/write-json/tvq-writer.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import { type Bounds, type EntryEnd, type EntryPlan, labelMembers } from './entry-plan.ts';

/** `single` is one entry by itself, `multi` a list of entries. */
export type AnswerShape = 'single' | 'multi';

export interface ReadRenderer {
  /** True: `beginEntry` gets a plan, made by going over the points once before, and the points come in passes. */
  readonly isPlanned: boolean;
  /** Most points that are given to it in one turn; absent where it takes little time for many. */
  readonly pointsAtOnce?: number;
  begin(bounds: Bounds, entryCount: number): void;
  /** `label`: of a read of functions. */
  beginEntry(tag: TagDefinition, bounds: Bounds, plan: EntryPlan | undefined, label: AggregateLabel | undefined): void;
  /** How often the points of an entry are wanted; planned ones only. */
  passCount(plan: EntryPlan): number;
  beginPass(pass: number, plan: EntryPlan): void;
  points(chunk: PointChunk): void;
  endEntry(end: EntryEnd): void;
  end(): void;
}

// No state of an answer is in the writers, so that one of each serves all answers.
const points = new TvqWriter();
const times = new TimeWriter();

/** The frame of JSON answers; subclasses write the points of an entry. */
export abstract class JsonFrame {
  protected readonly out: OutputBytes;
  readonly #shape: AnswerShape;
  #entryCount = 0;

  constructor(out: OutputBytes, shape: AnswerShape) {
    this.out = out;
    this.#shape = shape;
  }

  begin(bounds: Bounds): void {
    if (this.#shape === 'single') return;
    this.out.ascii('{"s":"');
    this.#bounds(bounds);
    this.out.ascii(',"tl":[');
  }

  /** Up to the colon after `d`. */
  protected head(tag: TagDefinition, bounds: Bounds, label: AggregateLabel | undefined): void {
    this.out.ascii(this.#entryCount++ > 0 ? ',{"t":' : '{"t":');
    this.out.raw(cachedTag(tag));
    for (const [key, value] of labelMembers(label)) this.out.utf8(`,"${key}":${JSON.stringify(value)}`);
    this.out.ascii(',"s":"');
    this.#bounds(bounds);
    this.out.ascii(',"d":');
  }

  /** Writes what comes after the points. */
  protected tail({ gaps, next, reducedFrom, results }: EntryEnd): void {
    if (gaps.length > 0) this.out.ascii(`,"gaps":${JSON.stringify(gaps.map(toGapAnswer))}`);
    if (next !== undefined) this.out.ascii(`,"next":"${next}"`);
    if (reducedFrom !== undefined) this.out.ascii(`,"reducedFrom":${reducedFrom}`);
    if (results !== undefined) this.out.ascii(`,"r":${JSON.stringify(results)}`);
    this.out.ascii('}');
  }

  end(): void {
    if (this.#shape === 'multi') this.out.ascii(']}');
  }

  /** The start, the key `e`, and the end with its quote. */
  #bounds({ start, end }: Bounds): void {
    this.#time(start);
    this.out.ascii('","e":"');
    this.#time(end);
    this.out.ascii('"');
  }

  #time({ ms, ticks }: Instant): void {
    this.out.reserve(TICK_TIME_BYTES);
    this.out.length = times.write(this.out.view, this.out.length, ms, ticks);
  }
}

export class JsonReadRenderer extends JsonFrame implements ReadRenderer {
  readonly isPlanned = false;
  readonly #style: ValueStyle;
  #hasPoints = false;

  constructor(out: OutputBytes, shape: AnswerShape, style: ValueStyle) {
    super(out, shape);
    this.#style = style;
  }

  beginEntry(
    tag: TagDefinition,
    bounds: Bounds,
    _plan: EntryPlan | undefined,
    label: AggregateLabel | undefined,
  ): void {
    this.head(tag, bounds, label);
    this.out.ascii('[');
    this.#hasPoints = false;
  }

  passCount(): number {
    return 1;
  }

  beginPass(): void {
    // The points follow as they are.
  }

  points(chunk: PointChunk): void {
    if (chunk.start === chunk.end) return;
    points.writePoints(this.out, chunk, this.#style, this.#hasPoints ? 'comma' : 'first');
    this.#hasPoints = true;
  }

  endEntry(end: EntryEnd): void {
    this.out.ascii(']');
    this.tail(end);
  }
}

export function toGapAnswer(gap: ReadGap): object {
  return { s: formatInstant(gap.start), e: formatInstant(gap.end), points: gap.points };
}
