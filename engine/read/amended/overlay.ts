// What lies over the stored points of a tag: what corrections have made of them, and late points. Nearly all tags have none.

import { Amendment } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Tag } from '../../tag/tag.ts';

export interface Overlay {
  readonly amendment: Amendment;
  /** The tag with the late points. */
  readonly late: Tag | undefined;
}

export function overlayOf({ corrections, tags: { late: lateTags } }: Dataset, tag: Tag): Overlay | undefined {
  const amendment = corrections.amendmentOf(tag.id);
  const late = lateTags.size === 0 ? undefined : lateTags.get(tag.id);
  if (amendment === undefined && late === undefined) return undefined;
  return { amendment: amendment ?? Amendment.nothing, late };
}
