// A read's answer as JSON with the points of an entry in columns: `"d":{"t":[…],"v":[…],"q":192}`.

import type { AggregateLabel, PointChunk, TagDefinition } from '../../../engine/index.ts';
import { ColumnWriter } from '../../codec/write-json/column-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { Bounds, EntryEnd, EntryPlan } from './entry-plan.ts';
import { type AnswerShape, JsonFrame, type ReadRenderer } from './read-renderer.ts';

// No state of an answer is in the writer, so that one serves all answers.
const writer = new ColumnWriter();

const OPENINGS = ['{"t":[', '],"v":[', '],"q":['] as const;

export class ColumnsReadRenderer extends JsonFrame implements ReadRenderer {
  readonly isPlanned = true;
  readonly #style: ValueStyle;
  #plan: EntryPlan | undefined;
  #pass = 0;
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
  }

  /** Qualities that are all the same are one number. */
  passCount({ quality }: EntryPlan): number {
    return quality === undefined ? 3 : 2;
  }

  beginPass(pass: number, plan: EntryPlan): void {
    this.#pass = pass;
    this.#plan = plan;
    this.#hasPoints = false;
    this.out.ascii(OPENINGS[pass] as string);
  }

  points(chunk: PointChunk): void {
    if (chunk.start === chunk.end) return;
    const separator = this.#hasPoints ? 'comma' : 'first';
    this.#hasPoints = true;
    if (this.#pass === 0) writer.writeTimes(this.out, chunk, this.#plan?.hasTicks ? 'text' : 'ms', separator);
    else if (this.#pass === 1) writer.writeValues(this.out, chunk, this.#style, separator);
    else writer.writeQualities(this.out, chunk, separator);
  }

  endEntry(end: EntryEnd): void {
    const quality = this.#plan?.quality;
    this.out.ascii(quality === undefined ? ']}' : `],"q":${quality}}`);
    this.tail(end);
  }
}
