// What a client has not taken yet, in case that it is dropped: then the client gets the newest points of these tags, and is
// told what was corrected.

import { CorrectedTags } from './corrected-tags.ts';
import { TagMap } from './tag-map.ts';

export class Unsent {
  /** Number of the points. */
  points = 0;
  /** Names of their tags, by id. */
  readonly tags = new TagMap<string>();
  readonly corrected = new CorrectedTags();

  add(tagId: number, name: string, points: number): void {
    this.points += points;
    this.tags.set(tagId, name);
  }

  addAll(others: Unsent): void {
    this.points += others.points;
    for (const [tagId, name] of others.tags) this.tags.set(tagId, name);
    for (const range of others.corrected.take()) this.corrected.add(range);
  }
}
