// What was corrected in one turn: a range of each tag, told in one event for many of them. Late points come for many tags at
// once, and each listener is told of all of these.

import { type CorrectedRange, compareInstants } from '../../engine/index.ts';
import { formatInstant } from '../codec/scalars/timestamp.ts';
import type { Subscriber } from './subscriber.ts';

/** Tags of one event. */
const TAGS_AN_EVENT = 1000;

export interface CorrectedTag extends CorrectedRange {
  /** The range as JSON. */
  readonly json: string;
}

export class CorrectedTags {
  readonly #ranges = new Map<number, CorrectedRange>();

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /** Of several ranges of a tag one remains that holds them all. */
  add(range: CorrectedRange): void {
    const known = this.#ranges.get(range.tagId);
    this.#ranges.set(range.tagId, known ? both(known, range) : range);
  }

  /** All of them; none are left. */
  take(): CorrectedTag[] {
    const taken = [...this.#ranges.values()].map(({ tagId, tag, start, end }) => {
      const json = JSON.stringify({ start: formatInstant(start), end: formatInstant(end) });
      return { tagId, tag, start, end, json };
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

/** Tells of those that the subscriber listens to. */
export function tellCorrected(subscriber: Subscriber, corrected: readonly CorrectedTag[]): void {
  let members: string[] = [];
  const send = (): void => {
    if (members.length > 0) subscriber.send('corrected', `{${members.join(',')}}`);
    members = [];
  };
  for (const { tagId, tag, json } of corrected) {
    if (!subscriber.wants(tagId, false)) continue;
    members.push(`${JSON.stringify(subscriber.nameOf.get(tagId) ?? tag.name)}:${json}`);
    if (members.length === TAGS_AN_EVENT) send();
  }
  send();
}
