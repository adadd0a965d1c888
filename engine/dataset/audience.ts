// Who is told of changes: watchers of points, and those that follow the dataset to copy it.

import type { ChangeNotes } from '../following/change-notes.ts';
import type { Tag } from '../tag/tag.ts';
import type { CorrectionWatcher, PointWatcher } from '../watches.ts';

export class Audience {
  /** Called with points that have become readable. */
  readonly watchers = new Set<PointWatcher>();
  readonly correctionWatchers = new Set<CorrectionWatcher>();
  /** Notes of each that follows the dataset. */
  readonly followers = new Set<ChangeNotes>();

  /** Tells followers that a tag was created, changed, cut or deleted. */
  noteTag(tag: Tag): void {
    for (const notes of this.followers) notes.noteTag(tag.id);
  }

  /** Tells followers of points in tags, once they are readable. */
  notePoints(runs: readonly { readonly tag: Tag | undefined; readonly count: number }[]): void {
    for (const notes of this.followers) {
      for (const { tag, count } of runs) if (tag && count > 0) notes.notePoints(tag.id);
      notes.announce();
    }
  }
}
