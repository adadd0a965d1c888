// What was corrected or removed in one turn, or was not told to a client yet: a range of each tag. Late points come for many
// tags at once.

import { type CorrectedRange, compareInstants } from '../../engine/index.ts';
import { formatInstant } from '../codec/scalars/timestamp.ts';

export interface CorrectedTag extends CorrectedRange {
  /** The range as JSON. */
  readonly json: string;
}

export class CorrectedTags {
  readonly #ranges = new Map<number, CorrectedRange>();

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /** How many tags. */
  get size(): number {
    return this.#ranges.size;
  }

  /** Several ranges of a tag become one that holds them all. */
  add(range: CorrectedRange): void {
    const known = this.#ranges.get(range.tagId);
    this.#ranges.set(range.tagId, known ? both(known, range) : range);
  }

  /** All of them; none are left. */
  take(): CorrectedTag[] {
    const taken = [...this.#ranges.values()].map((range) => {
      const json = JSON.stringify({ start: formatInstant(range.start), end: formatInstant(range.end) });
      return { ...range, json };
    });
    this.#ranges.clear();
    return taken;
  }
}

/** One range for each tag. */
export function unitedOf(ranges: readonly CorrectedRange[]): CorrectedTag[] {
  const united = new CorrectedTags();
  for (const range of ranges) united.add(range);
  return united.take();
}

function both(a: CorrectedRange, b: CorrectedRange): CorrectedRange {
  return {
    ...b,
    start: compareInstants(a.start, b.start) < 0 ? a.start : b.start,
    end: compareInstants(a.end, b.end) > 0 ? a.end : b.end,
  };
}
