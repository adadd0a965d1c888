// Creating and changing tags.

import type { Audience } from '../dataset/audience.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { inSlices, submitOperation, takesTurns } from '../dataset/tag-operations.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginFrame, FRAME_HEADER } from '../format/bytes/frame.ts';
import { encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import { Turns } from '../io/turns.ts';
import type { Tag } from '../tag/tag.ts';
import { TagIdSet } from '../tag/tag-id-set.ts';
import { checkTagName } from '../tag/tag-name-rules.ts';
import { type TagChange, type TagDefinition, ValueType } from '../types.ts';

/** Changed definitions of a request, applied in memory already. */
class Redefinition {
  readonly created: Tag[] = [];
  /** Tags that existed before, each once. */
  readonly changed: Tag[] = [];
  /** Definitions before the change, by index in `changed`. */
  readonly before: TagDefinition[] = [];
  readonly #ids = new TagIdSet();

  /** Records a tag's definition before it changes. */
  note(tag: Tag): void {
    if (!this.#ids.add(tag.id)) return;
    this.changed.push(tag);
    this.before.push(tag.definition);
  }
}

/** Creates and changes tags, all or none. Throws or rejects with BAD_NAME, TAG_RENAMED before anything is changed. */
export function defineTags(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  if (takesTurns(dataset, changes.length)) return dataset.writing.lane.runAlone(() => defineInTurns(dataset, changes));
  dataset.checkWritable();
  for (const change of changes) checkNewName(dataset.tags, change);
  const redefinition = new Redefinition();
  for (const change of changes) redefine(dataset.tags, change, redefinition);
  const definitions = [...redefinition.created, ...redefinition.changed].map(definitionOf);
  return submitOperation(dataset, {
    record:
      definitions.length === 0
        ? undefined
        : (out) => {
            for (const { tag, definition } of definitions) encodeDefine(out, tag.id, definition);
          },
    commit: () => {
      for (const definition of definitions) keepDefinition(dataset.audience, definition);
    },
    undo: () => rollback(dataset, redefinition),
  });
}

async function defineInTurns(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  dataset.checkWritable();
  const turns = new Turns(dataset);
  await turns.over(changes, (change) => checkNewName(dataset.tags, change));
  const redefinition = new Redefinition();
  const definitions: DefinedTag[] = [];
  let record: ByteWriter | undefined;
  try {
    await turns.over(changes, (change) => redefine(dataset.tags, change, redefinition));
    let mostBytes = 0;
    const note = (tag: Tag): void => {
      definitions.push(definitionOf(tag));
      mostBytes += mostDefineBytes(tag.definition);
    };
    await turns.over(redefinition.created, note);
    await turns.over(redefinition.changed, note);
    record = await encodeInTurns(definitions, mostBytes, turns);
  } catch (error) {
    rollback(dataset, redefinition);
    throw error;
  }
  await submitOperation(dataset, {
    record,
    commit: () => inSlices(dataset, definitions, (defined) => keepDefinition(dataset.audience, defined)),
    undo: () => rollback(dataset, redefinition),
  });
}

/** A record as long as it may get at once: growing it would copy all of it in one go. */
async function encodeInTurns(
  definitions: readonly DefinedTag[],
  mostBytes: number,
  turns: Turns,
): Promise<ByteWriter | undefined> {
  if (definitions.length === 0) return undefined;
  const record = new ByteWriter(FRAME_HEADER.sizeBytes + mostBytes);
  beginFrame(record);
  await turns.over(definitions, ({ tag, definition }) => encodeDefine(record, tag.id, definition));
  return record;
}

function checkNewName(tags: DatasetTags, { name }: TagChange): void {
  if (tags.names.find(name)) return;
  checkTagName(name);
  tags.checkNotFormer(name);
}

function redefine(tags: DatasetTags, change: TagChange, redefinition: Redefinition): void {
  const known = tags.names.find(change.name);
  if (!known) {
    redefinition.created.push(tags.add(changed({ name: change.name, type: ValueType.Open }, change), undefined));
    return;
  }
  const definition = changed(known.definition, change);
  if (sameDefinition(definition, known.definition)) return;
  redefinition.note(known);
  known.definition = definition;
}

/** A tag, and what the request makes of it: later ones may come before it is durable. */
interface DefinedTag {
  readonly tag: Tag;
  readonly definition: TagDefinition;
}

function definitionOf(tag: Tag): DefinedTag {
  return { tag, definition: tag.definition };
}

/** Called once a definition is durable; a tag that it creates becomes visible. */
function keepDefinition(audience: Audience, { tag, definition }: DefinedTag): void {
  tag.visible = true;
  tag.durableDefinition = definition;
  audience.noteTag(tag);
}

function rollback(dataset: Dataset, { created, changed, before }: Redefinition): void {
  for (const [index, tag] of changed.entries()) tag.definition = before[index] as TagDefinition;
  for (const tag of created) dataset.removeTag(tag);
}

function changed(definition: TagDefinition, change: TagChange): TagDefinition {
  // The name may be a former one.
  return { ...definition, ...change, name: definition.name, type: change.type ?? definition.type };
}

function sameDefinition(a: TagDefinition, b: TagDefinition): boolean {
  return (
    a.type === b.type &&
    a.description === b.description &&
    a.format === b.format &&
    sameMap(a.units, b.units) &&
    sameMap(a.fields, b.fields)
  );
}

function sameMap<K>(a: ReadonlyMap<K, string> | undefined, b: ReadonlyMap<K, string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.size !== b.size) return false;
  for (const [key, text] of a) if (b.get(key) !== text) return false;
  return true;
}
