// Renaming a tag: it keeps its id, and with that everything that is kept of it.

import type { Dataset } from '../dataset/dataset.ts';
import { submitOperation } from '../dataset/tag-operations.ts';
import { EngineError } from '../errors.ts';
import { encodeDefine } from '../format/record/journal-record.ts';
import { MAX_FORMER_NAMES } from '../limits.ts';
import { userTags } from '../read/tag-search.ts';
import { isLeading } from '../tag/former-names.ts';
import type { Tag } from '../tag/tag.ts';
import { checkTagName } from '../tag/tag-name-rules.ts';
import type { FormerName, TagDefinition, TagRename } from '../types.ts';

/**
 * Renames a user tag; durable once resolved. Rejects with TAG_NOT_FOUND, BAD_NAME, TAG_EXISTS when the name is in use or leads
 * to another tag, BAD_REQUEST for system tags and a tag that is called so already, CONFLICT when too many names lead to it.
 */
export async function renameTag(dataset: Dataset, rename: TagRename): Promise<void> {
  // Nothing else may be on its way to disk: what is undone then has the names of before.
  const tag = await dataset.writing.lane.runAlone(() => renameInLane(dataset, rename));
  await dataset.annotations.renameTag({ tagId: tag.id, from: rename.from, to: rename.to });
}

async function renameInLane(dataset: Dataset, rename: TagRename): Promise<Tag> {
  dataset.checkWritable();
  const [tag] = userTags(dataset, [rename.from], 'renamed') as [Tag];
  checkFree(dataset, tag, rename);
  const before = tag.definition;
  const after = renamed(before, rename, dataset.context.clock.nowMs());
  dataset.tags.rename(tag, before, after);
  await submitOperation(dataset, {
    record: (out) => encodeDefine(out, tag.id, after),
    commit: () => {
      dataset.catalogNames?.hold(tag);
      tag.durableDefinition = after;
      dataset.audience.noteTag(tag);
    },
    undo: () => dataset.tags.rename(tag, after, before),
  });
  return tag;
}

function checkFree(dataset: Dataset, tag: Tag, { from, to }: TagRename): void {
  checkTagName(to);
  if (from === to) throw new EngineError('BAD_REQUEST', `Tag '${from}' is called so already.`, { name: from });
  if (dataset.tags.names.findPresent(to))
    throw new EngineError('TAG_EXISTS', `There is a tag '${to}' already; give '${from}' another name.`, { name: to });
  const former = dataset.tags.former.leading(to);
  if (former === undefined || former.tag === tag) return;
  const owner = former.tag.name;
  const message = `'${to}' is a former name of tag '${owner}', which still leads to it; give '${from}' another name.`;
  throw new EngineError('TAG_EXISTS', message, { name: to, renamedTo: owner });
}

function renamed(before: TagDefinition, { from, to, forwards, keepMs }: TagRename, nowMs: number): TagDefinition {
  const untilMs = keepMs === undefined ? undefined : nowMs + keepMs;
  const others = (before.former?.names ?? []).filter(({ name }) => name !== to && name !== from);
  const names = [...keptOf(others, from, nowMs), { name: from, renamedMs: nowMs, untilMs, forwards }];
  return { ...before, name: to, former: { count: (before.former?.count ?? 0) + 1, names } };
}

/** Room for one more. Throws CONFLICT. */
function keptOf(names: readonly FormerName[], tag: string, nowMs: number): readonly FormerName[] {
  if (names.length < MAX_FORMER_NAMES) return names;
  const over = names.findIndex((name) => !isLeading(name, nowMs));
  if (over >= 0) return names.toSpliced(over, 1);
  const message = `${MAX_FORMER_NAMES} former names lead to tag '${tag}', which is the most; keep some of them for a while only.`;
  throw new EngineError('CONFLICT', message, { name: tag });
}
