// The tags and markers of a request, found in the catalogue.

import {
  EngineError,
  MOST_NAMED,
  type ReadMarker,
  type ReadRequest,
  type TagDefinition,
  underAskedName,
} from '../../engine/index.ts';
import type { TagDocument } from '../../replication/sink.ts';
import type { CentreDataset } from './centre-dataset.ts';

export interface FoundTag {
  readonly tag: TagDocument;
  /** Under the name that it was asked for. */
  readonly definition: TagDefinition;
  readonly marker: ReadMarker | undefined;
}

/** Throws TAG_NOT_FOUND with the first 100 unknown names, and BAD_REQUEST for markers of other tags. */
export function findTags(
  dataset: CentreDataset,
  { tags: names, skipMissing, after }: Pick<ReadRequest, 'tags' | 'skipMissing' | 'after'>,
): FoundTag[] {
  const found: FoundTag[] = [];
  const missing: string[] = [];
  const markers = new Map<number, ReadMarker>();
  for (const marker of after) if (!markers.has(marker.tagId)) markers.set(marker.tagId, marker);
  for (const name of names) {
    const tag = dataset.find(name);
    if (tag) found.push({ tag, definition: askedDefinition(tag, name), marker: markers.get(tag.id) });
    else missing.push(name);
  }
  const [name] = missing;
  if (name !== undefined && !skipMissing)
    throw new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.`, {
      name,
      names: missing.slice(0, MOST_NAMED),
    });
  const ids = new Set(found.map(({ tag }) => tag.id));
  if (after.some(({ tagId }) => !ids.has(tagId)))
    throw new EngineError(
      'BAD_REQUEST',
      'A marker in "after" is not of one of the requested tags, or the tag was deleted and created again since. Read again from the start.',
    );
  return found;
}

function askedDefinition({ definition, isSystem }: TagDocument, name: string): TagDefinition {
  return isSystem ? underAskedName(definition, name) : definition;
}
