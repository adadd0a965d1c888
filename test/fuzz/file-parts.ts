// The parts of a sound dataset's files that have a checksum of their own.

import { INDEX_FOOTER } from '../../engine/format/block/block-index.ts';
import { FRAME_HEADER } from '../../engine/format/bytes/frame.ts';
import type { Piece } from '../corruption/pieces.ts';
import type { SoundPlant } from '../corruption/verdict.ts';

export interface FilePart {
  /** Kind of the part; a record is its payload only. */
  readonly kind: 'journal record' | 'catalog record' | 'block' | 'index footer';
  readonly bytes: Uint8Array;
}

export function partsOf(plant: SoundPlant): FilePart[] {
  return plant.pieces.flatMap((piece): FilePart[] => {
    const kind = kindOf(piece);
    if (kind === undefined) return [];
    const file = plant.image.get(piece.path) as Uint8Array;
    if (kind === 'index footer') return [{ kind, bytes: file.slice(-INDEX_FOOTER.sizeBytes) }];
    const isBlock = kind === 'block';
    return [{ kind, bytes: file.slice(isBlock ? piece.from : piece.from + FRAME_HEADER.sizeBytes, piece.to) }];
  });
}

function kindOf({ path, isKey, from, points, defines }: Piece): FilePart['kind'] | undefined {
  if (isKey) return undefined;
  if (path.includes('/journal/')) return 'journal record';
  if (path.endsWith('/catalog')) return 'catalog record';
  if (points.length > 0) return 'block';
  return from > 0 && defines.length === 0 ? 'index footer' : undefined;
}
