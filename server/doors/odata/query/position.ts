// The place where a page ends and the next one begins, as clients carry it in `$skiptoken`.

import type { ReadMarker } from '../../../../engine/index.ts';
import { badParameter } from '../../../api/validation/bad-parameter.ts';
import { formatMarker, parseMarker } from '../../../routes/request/read-marker.ts';

export interface Position {
  readonly dataset: string;
  /** The tag to begin with; the first one when absent. */
  readonly tag?: string | undefined;
  /** The point of the tag to go on behind; absent: the first one is the first. */
  readonly after?: ReadMarker | undefined;
}

export function formatPosition({ dataset, tag, after }: Position): string {
  const parts = [dataset, tag ?? null, after === undefined ? null : formatMarker(after)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Throws a 400 for what was never given out. */
export function parsePosition(text: string): Position {
  try {
    const [dataset, tag, marker]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const after = typeof marker === 'string' ? parseMarker(marker) : undefined;
    const isWhole = typeof dataset === 'string' && (tag === null || typeof tag === 'string');
    if (isWhole && (marker === null || after !== undefined)) return { dataset, tag: tag ?? undefined, after };
  } catch {
    // Told below: it makes no difference how it is broken.
  }
  throw badParameter(`'$skiptoken' is '${text.slice(0, 100)}'; follow the '@odata.nextLink' of an answer as it is.`);
}
