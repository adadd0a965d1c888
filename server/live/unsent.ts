// What a client has not taken yet, in case that it is dropped: then the client gets the newest points of these tags, and is
// told what was corrected.

import { TagIdSet } from '../../engine/index.ts';
import { CorrectedTags } from './corrected-tags.ts';

export class Unsent {
  /** Number of the points. */
  points = 0;
  /** Their tags, without names: there may be a million of them for each client. */
  readonly tags = new TagIdSet();
  readonly corrected = new CorrectedTags();

  add(tagId: number, points: number): void {
    this.points += points;
    this.tags.add(tagId);
  }

  addAll(others: Unsent): void {
    this.points += others.points;
    for (const tagId of others.tags) this.tags.add(tagId);
    for (const range of others.corrected.take()) this.corrected.add(range);
  }
}
