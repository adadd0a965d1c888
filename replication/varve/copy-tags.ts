// Tags of the edge at the other server: defined, changed, deleted, and made again under the name of another.

import { ValueType } from '../../engine/index.ts';
import type { KeptPoints, TagDocument } from '../sink.ts';
import { cutTag } from './copy-cuts.ts';
import type { CopyState, NotedTag } from './copy-state.ts';
import { tagText, typeText } from './http/tag-text.ts';
import { keyOf, type LedgerEntry } from './ledger.ts';
import { renameTags } from './renamed-tags.ts';

/** Tags, and characters of their definitions, of one request. */
const TAGS_AT_ONCE = 2_000;
const REQUEST_CHARACTERS = 4 * 2 ** 20;

export async function putTags(copy: CopyState, documents: readonly TagDocument[], kept: KeptPoints): Promise<void> {
  const user = documents.filter(({ isSystem }) => !isSystem);
  const alive = user.filter(({ isDeleted }) => !isDeleted);
  await renameTags(copy, user);
  await deleteTags(copy, goneTags(copy, user));
  const own = alive.filter(({ lateOf }) => lateOf === undefined);
  if (alive.length > own.length) await acceptLate(copy);
  await copy.ledger.note(alive.flatMap((document) => beginLate(copy, document)));
  // Noted before they are sent: a tag whose answer is lost is known, and is deleted there when the edge deletes it.
  await copy.noteTags(alive.map(notedTag));
  await sendTexts(
    copy,
    own.map(({ definition }) => tagText(definition)),
  );
  for (const { definition } of own)
    if (definition.type !== ValueType.Open) copy.types.set(definition.name, definition.type);
    else if (!copy.types.has(definition.name)) copy.types.set(definition.name, ValueType.Open);
  for (const document of own) await cutTag(copy, document, kept);
}

/** Gives tags their types back, which an edge that was killed may have changed for some points. */
export async function mendTypes(copy: CopyState): Promise<void> {
  const texts: string[] = [];
  for (const { name, type, lateOf } of copy.tags()) {
    const there = copy.types.get(name);
    if (lateOf !== undefined || there === undefined || there === type || type === ValueType.Open) continue;
    texts.push(typeText(name, type));
    copy.types.set(name, type);
  }
  await sendTexts(copy, texts);
}

/** Points that are late at the edge are so there; what is no more than late is never sent twice. */
export async function acceptLate(copy: CopyState): Promise<void> {
  if (copy.acceptsLate) return;
  const { historian, path } = copy;
  const rules = await historian.ask<{ n: string; pa: number; ps: number }>({ method: 'GET', path });
  const body = JSON.stringify({ n: rules.n, pa: rules.pa, ps: rules.ps, late: 'accept', ldt: 0, lda: 0 });
  await historian.ask({ method: 'POST', path, body });
  copy.acceptsLate = true;
}

/** Until a tag has late points, what may be there and is earlier than the newest point is there. */
function beginLate(copy: CopyState, { lateOf, id }: TagDocument): LedgerEntry[] {
  if (lateOf === undefined || copy.tag(id) !== undefined) return [];
  return [[keyOf('done', lateOf), copy.ledger.number(keyOf('at', lateOf))]];
}

/** Tags that the edge has deleted, also those whose names others have now. */
function goneTags(copy: CopyState, documents: readonly TagDocument[]): NotedTag[] {
  const gone = new Map<number, NotedTag>();
  for (const { id, isDeleted, definition, lateOf } of documents) {
    const other = isDeleted || lateOf !== undefined ? id : copy.idOf(definition.name);
    const tag = other === undefined || (!isDeleted && other === id) ? undefined : copy.tag(other);
    if (tag) gone.set(tag.id, tag);
  }
  return [...gone.values()];
}

async function deleteTags(copy: CopyState, tags: readonly NotedTag[]): Promise<void> {
  if (tags.length === 0) return;
  const names = tags.flatMap(({ name, lateOf }) => (lateOf === undefined && copy.types.has(name) ? [name] : []));
  if (names.length > 0)
    await copy.historian.ask({ method: 'POST', path: `${copy.path}/tags`, body: JSON.stringify(names) });
  for (const name of names) {
    copy.types.delete(name);
    copy.forgetNewest(name);
  }
  await copy.forgetTags(tags.map(({ id }) => id));
}

async function sendTexts(copy: CopyState, texts: readonly string[]): Promise<void> {
  let open: string[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    const body = `[${open.join(',')}]`;
    if (open.length > 0) await copy.historian.ask({ method: 'POST', path: `${copy.path}/tags`, body });
    open = [];
    characters = 0;
  };
  for (const text of texts) {
    if (open.length >= TAGS_AT_ONCE || characters + text.length > REQUEST_CHARACTERS) await send();
    open.push(text);
    characters += text.length;
  }
  await send();
}

function notedTag({ id, definition, lateOf }: TagDocument): NotedTag {
  return { id, name: definition.name, type: definition.type, lateOf };
}
