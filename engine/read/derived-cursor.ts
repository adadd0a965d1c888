// Cursors that are as others but for some members.

import type { TagCursor } from '../reads.ts';

/** Whatever is not among the changes is the cursor's own. */
export function derivedCursor(cursor: TagCursor, changes: Partial<TagCursor>): TagCursor {
  const { tag, label } = cursor;
  return {
    tag,
    label,
    next: () => cursor.next(),
    outcome: () => cursor.outcome(),
    close: () => cursor.close(),
    ...changes,
  };
}
