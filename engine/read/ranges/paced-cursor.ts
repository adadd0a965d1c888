// A cursor whose empty chunks are turns of others: for readers who want points.

import { Slicer } from '../../io/slicer.ts';
import type { TagCursor } from '../../reads.ts';
import type { PointCursor } from '../amended/open-points.ts';
import { derivedCursor } from '../derived-cursor.ts';

type Owner = ConstructorParameters<typeof Slicer>[0];

export function pacedCursor(cursor: PointCursor, owner: Owner): TagCursor {
  const slicer = new Slicer(owner);
  return derivedCursor(cursor, { next: () => nextPoints(cursor, slicer) });
}

function nextPoints(cursor: PointCursor, slicer: Slicer): ReturnType<TagCursor['next']> {
  for (;;) {
    const chunk = cursor.next();
    if (chunk === undefined || chunk.start < chunk.end) return chunk;
    const pause = slicer.pause();
    if (pause !== undefined) return pause.then(() => nextPoints(cursor, slicer));
  }
}
