// Documents of tags, and how their contents are told apart.

import { crc32 } from 'node:zlib';
import type { FollowedTag } from '../../engine/index.ts';
import { formatTag } from '../documents.ts';
import type { TagDocument } from '../sink.ts';

export function describeTag({ id, definition, isSystem, lateOf, deleted }: FollowedTag, revision: number): TagDocument {
  return { id, revision, isDeleted: false, definition, isSystem, lateOf, deleted };
}

/** Another number for another content, whatever the revision. */
export function contentOf(tag: FollowedTag): number {
  return hashOf(describeTag(tag, 0));
}

export function hashOf(document: TagDocument): number {
  return crc32(formatTag(document));
}
