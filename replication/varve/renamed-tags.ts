// Tags that the edge has renamed are renamed at the other server: they keep the points that they have there.

import type { TagDocument } from '../sink.ts';
import type { CopyState, NotedTag } from './copy-state.ts';

/** Call it before the documents are noted: a rename whose answer is lost is found done by the names that are there. */
export async function renameTags(copy: CopyState, documents: readonly TagDocument[]): Promise<void> {
  const own = documents.filter(({ isDeleted, isSystem, lateOf }) => !isDeleted && !isSystem && lateOf === undefined);
  const renamed = own.filter(({ id, definition }) => isRenamed(copy, id, definition.name));
  for (const { id, definition } of renamed) {
    const other = copy.tag(copy.idOf(definition.name) ?? id);
    // The edge has given the name to another tag, or deleted the one that had it: what became of that one is told as well.
    if (other !== undefined && other.id !== id) await rename(copy, other, asideOf(copy, other));
  }
  for (const { id, definition } of renamed) {
    const other = copy.idOf(definition.name);
    if (other === undefined || other === id) await rename(copy, copy.tag(id) as NotedTag, definition.name);
  }
}

function isRenamed(copy: CopyState, id: number, name: string): boolean {
  const noted = copy.tag(id);
  return noted !== undefined && noted.name !== name;
}

/** A name that no tag there has. */
function asideOf(copy: CopyState, { id, name }: NotedTag): string {
  let aside = `${name} (renamed, ${id})`;
  while (copy.types.has(aside)) aside += "'";
  return aside;
}

async function rename(copy: CopyState, tag: NotedTag, name: string): Promise<void> {
  if (copy.types.has(tag.name)) {
    const path = `${copy.path}/tags/${encodeURIComponent(tag.name)}/rename`;
    await copy.historian.ask({ method: 'POST', path, body: JSON.stringify({ name, keep: 0 }) });
    copy.types.set(name, tag.type);
    copy.types.delete(tag.name);
  }
  copy.forgetNewest(tag.name);
  copy.forgetNewest(name);
  await copy.renameTag({ ...tag, name });
}
