// A cursor that has to be waited for.

import { type TagCursor, type TagDefinition, WHOLE_OUTCOME } from '../../engine/index.ts';

export function begunCursor(tag: TagDefinition, beginning: Promise<TagCursor>): TagCursor {
  let cursor: TagCursor | undefined;
  beginning.catch(() => undefined);
  return {
    tag,
    next: async () => {
      cursor ??= await beginning;
      return cursor.next();
    },
    outcome: () => cursor?.outcome() ?? WHOLE_OUTCOME,
    close: () => {
      beginning.then((begun) => begun.close()).catch(() => undefined);
    },
  };
}
