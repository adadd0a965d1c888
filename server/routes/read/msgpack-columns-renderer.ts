// A read's answer as msgpack with the points of an entry in columns: a map of `t`, `v` and `q`.

import type { PointChunk } from '../../../engine/index.ts';
import { MsgpackColumnWriter } from '../../codec/msgpack/msgpack-column-writer.ts';
import { MsgpackWriter } from '../../codec/msgpack/msgpack-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { EntryEnd, EntryPlan } from './entry-plan.ts';
import { MsgpackFrame } from './msgpack-read-renderer.ts';
import type { AnswerShape, ReadRenderer } from './read-renderer.ts';

// No state of an answer is in the writers, so that one of each serves all answers.
const writer = new MsgpackWriter();
const columns = new MsgpackColumnWriter();

const KEYS = ['t', 'v', 'q'] as const;

export class MsgpackColumnsRenderer extends MsgpackFrame implements ReadRenderer {
  readonly #style: ValueStyle;
  #plan: EntryPlan | undefined;
  #pass = 0;

  constructor(out: OutputBytes, shape: AnswerShape, style: ValueStyle) {
    super(out, shape);
    this.#style = style;
  }

  /** Qualities that are all the same are one number. */
  passCount({ quality }: EntryPlan): number {
    return quality === undefined ? 3 : 2;
  }

  beginPass(pass: number, plan: EntryPlan): void {
    const { out } = this;
    this.#pass = pass;
    this.#plan = plan;
    if (pass === 0) writer.mapHeader(out, 3);
    writer.text(out, KEYS[pass] as string);
    if (pass === 0) columns.timesHeader(out, plan);
    else if (pass === 1) columns.valuesHeader(out, plan, this.#style);
    else columns.qualitiesHeader(out, plan);
  }

  points(chunk: PointChunk): void {
    const { out } = this;
    const plan = this.#plan;
    if (plan === undefined) throw new Error('BUG: points without a pass');
    if (this.#pass === 0) columns.times(out, chunk, plan);
    else if (this.#pass === 1) columns.values(out, chunk, plan, this.#style);
    else columns.qualities(out, chunk);
  }

  override endEntry(end: EntryEnd): void {
    const quality = this.#plan?.quality;
    if (quality !== undefined) {
      writer.text(this.out, 'q');
      writer.integer(this.out, quality);
    }
    super.endEntry(end);
  }
}
