// The points of a tag as an answer has them: the one in force, and those of a range.

import type { Instant, PointChunk, ReadRange, TagCursor } from '../../../../engine/index.ts';
import type { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import type { Service } from '../../../routes/service/service.ts';
import type { Breathe } from './answers.ts';

export interface TagElement {
  readonly dataset: string;
  readonly tag: string;
}

/** Writes the members of a point, without braces. */
export type PointForm = (out: OutputBytes, chunk: PointChunk, i: number) => void;

/** Points up to a time, of which the last one is in force then. */
export function upTo({ ms }: Instant): ReadRange {
  return { kind: 'at', end: { ms, ticks: 9999 } };
}

export function openCursor({ engine }: Service, { dataset, tag }: TagElement, range: ReadRange): TagCursor {
  const request = { carryIn: false, skipMissing: false, limit: undefined, after: [] };
  return engine.read(dataset, { ...request, tags: [tag], range }).open(0);
}

/** The last point of the cursor, which is closed then; false when there is none. */
export async function writeCurrent(out: OutputBytes, cursor: TagCursor, form: PointForm): Promise<boolean> {
  try {
    const chunk = await cursor.next();
    if (chunk === undefined || chunk.start === chunk.end) return false;
    form(out, chunk, chunk.end - 1);
    return true;
  } finally {
    cursor.close();
  }
}

export interface PointList {
  readonly call: RouteContext;
  readonly out: OutputBytes;
  readonly breathe: Breathe;
  readonly form: PointForm;
}

/** All points of the cursor, which is closed then, as members of a list; returns how many. */
export async function writePoints({ call, out, breathe, form }: PointList, cursor: TagCursor): Promise<number> {
  let count = 0;
  try {
    for (let chunk: PointChunk | undefined = await cursor.next(); chunk; chunk = await cursor.next()) {
      for (let i = chunk.start; i < chunk.end; i++) {
        out.ascii(count++ === 0 ? '{' : ',{');
        form(out, chunk, i);
        out.ascii('}');
        const waiting = breathe();
        if (waiting !== undefined) await waiting;
        if (call.request.aborted) return count;
      }
    }
    return count;
  } finally {
    cursor.close();
  }
}
