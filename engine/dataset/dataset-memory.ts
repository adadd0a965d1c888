// The points of a dataset that are in memory, besides what its tags have of them.

import { HeadArena } from '../head/head-arena.ts';
import type { Tag } from '../tag/tag.ts';
import { RecentLate } from './recent-late.ts';

export class DatasetMemory {
  /** Where the heads of all tags are. */
  readonly arena = new HeadArena();
  /** Tags whose points make a good block. */
  fullTags: Tag[] = [];
  readonly recentLate = new RecentLate();
}
