// What a client has not taken yet, in case that it is dropped: then the client gets the newest points of these tags, and is
// told what was corrected.

import { type CorrectedRange, TagIdSet } from '../../engine/index.ts';
import { type CorrectedTag, CorrectedTags } from './corrected-tags.ts';

/** Corrected tags that are remembered for a client: about 1 MB. */
export const MOST_CORRECTED = 4096;

export class Unsent {
  /** Number of the points. */
  points = 0;
  /** Their tags, without names: there may be a million of them for each client. */
  readonly tags = new TagIdSet();
  /** Whether too much was corrected to know what: the client has to begin anew. */
  isReset = false;
  readonly #corrected = new CorrectedTags();

  add(tagId: number, points: number): void {
    this.points += points;
    this.tags.add(tagId);
  }

  addCorrected(range: CorrectedRange): void {
    if (this.isReset) return;
    this.#corrected.add(range);
    if (this.#corrected.size > MOST_CORRECTED) this.reset();
  }

  /** All that was corrected; nothing is left. */
  takeCorrected(): CorrectedTag[] {
    return this.#corrected.take();
  }

  reset(): void {
    this.isReset = true;
    this.#corrected.take();
  }

  addAll(others: Unsent): void {
    this.points += others.points;
    for (const tagId of others.tags) this.tags.add(tagId);
    if (others.isReset) this.reset();
    for (const range of others.takeCorrected()) this.addCorrected(range);
  }
}
