// Tells clients what was corrected, as `corrected`: of very many tags in several events.

import type { CorrectedRange } from '../../engine/index.ts';
import type { CorrectedTag } from './corrected-tags.ts';
import type { Subscriber } from './subscriber.ts';

/** Tags of one event. */
const TAGS_AN_EVENT = 1000;

/** Tells of those that the subscriber listens to, at once. */
export function tellCorrected(subscriber: Subscriber, corrected: readonly CorrectedTag[]): void {
  let members: string[] = [];
  let ranges: CorrectedRange[] = [];
  const send = (): void => {
    subscriber.sendCorrected(members, ranges);
    members = [];
    ranges = [];
  };
  for (const range of corrected) {
    if (!subscriber.wants({ tagId: range.tagId, name: range.tag.name, isSystem: range.isSystem })) continue;
    const name = subscriber.nameOf.get(range.tagId) ?? range.tag.name;
    members.push(`${JSON.stringify(name)}:${range.json}`);
    ranges.push(range);
    if (members.length === TAGS_AN_EVENT) send();
  }
  send();
}

/** The same, as the client takes the events. */
export async function tellCorrectedSlowly(subscriber: Subscriber, corrected: readonly CorrectedTag[]): Promise<void> {
  for (let from = 0; from < corrected.length && !subscriber.isOver; from += TAGS_AN_EVENT) {
    await subscriber.drained();
    tellCorrected(subscriber, corrected.slice(from, from + TAGS_AN_EVENT));
  }
}
