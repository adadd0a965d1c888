// Puts the parts of a read's answer down in order, as msgpack: the same members as in JSON, with points as maps.

import type { AggregateLabel, Instant, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import { MsgpackWriter } from '../../codec/msgpack/msgpack-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import { type Bounds, type EntryEnd, type EntryPlan, labelMembers } from './entry-plan.ts';
import type { AnswerShape, ReadRenderer } from './read-renderer.ts';

// No state of an answer is in the writer, so that one serves all answers.
const writer = new MsgpackWriter();

/** The frame of msgpack answers; subclasses write the points of an entry. */
export abstract class MsgpackFrame {
  readonly isPlanned = true;
  protected readonly out: OutputBytes;
  readonly #shape: AnswerShape;

  constructor(out: OutputBytes, shape: AnswerShape) {
    this.out = out;
    this.#shape = shape;
  }

  begin(bounds: Bounds, entryCount: number): void {
    if (this.#shape === 'single') return;
    writer.mapHeader(this.out, 3);
    this.#bounds(bounds);
    writer.text(this.out, 'tl');
    writer.arrayHeader(this.out, entryCount);
  }

  beginEntry(tag: TagDefinition, bounds: Bounds, plan: EntryPlan | undefined, label: AggregateLabel | undefined): void {
    if (plan === undefined) throw new Error('BUG: msgpack needs to know the number of points');
    const { gaps, next, reducedFrom, results } = plan;
    const extras = [gaps.length > 0, next !== undefined, reducedFrom !== undefined, results !== undefined];
    const labels = labelMembers(label);
    writer.mapHeader(this.out, 4 + labels.length + extras.filter(Boolean).length);
    writer.text(this.out, 't');
    writer.tag(this.out, tag);
    for (const [key, value] of labels) this.#member(key, value);
    this.#bounds(bounds);
    writer.text(this.out, 'd');
  }

  endEntry({ gaps, next, reducedFrom, results }: EntryEnd): void {
    if (gaps.length > 0) {
      writer.text(this.out, 'gaps');
      writer.arrayHeader(this.out, gaps.length);
      for (const gap of gaps) this.#gap(gap);
    }
    if (next !== undefined) {
      writer.text(this.out, 'next');
      writer.text(this.out, next);
    }
    if (reducedFrom !== undefined) {
      writer.text(this.out, 'reducedFrom');
      writer.integer(this.out, reducedFrom);
    }
    if (results === undefined) return;
    writer.text(this.out, 'r');
    writer.mapHeader(this.out, Object.keys(results).length);
    for (const [key, value] of Object.entries(results)) this.#member(key, value);
  }

  #member(key: string, value: boolean | number | string | null): void {
    writer.text(this.out, key);
    writer.scalar(this.out, value);
  }

  end(): void {
    // msgpack has lengths in front, and nothing to close.
  }

  #gap(gap: ReadGap): void {
    writer.mapHeader(this.out, 3);
    this.#bounds(gap);
    writer.text(this.out, 'points');
    writer.integer(this.out, gap.points);
  }

  #bounds({ start, end }: Bounds): void {
    this.#time('s', start);
    this.#time('e', end);
  }

  #time(key: string, { ms, ticks }: Instant): void {
    writer.text(this.out, key);
    writer.time(this.out, ms, ticks);
  }
}

export class MsgpackReadRenderer extends MsgpackFrame implements ReadRenderer {
  readonly #style: ValueStyle;

  constructor(out: OutputBytes, shape: AnswerShape, style: ValueStyle) {
    super(out, shape);
    this.#style = style;
  }

  passCount(): number {
    return 1;
  }

  beginPass(_pass: number, plan: EntryPlan): void {
    writer.arrayHeader(this.out, plan.pointCount);
  }

  points(chunk: PointChunk): void {
    writer.points(this.out, chunk, this.#style);
  }
}
