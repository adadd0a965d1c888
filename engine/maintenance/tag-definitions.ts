// Creating and changing tags.

import type { Dataset } from '../dataset/dataset.ts';
import { inSlices, submitOperation, takesTurns } from '../dataset/tag-operations.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { encodeDefine } from '../format/record/journal-record.ts';
import { checkTagName } from '../ingest/general-append.ts';
import { Turns } from '../io/turns.ts';
import type { Tag } from '../tag/tag.ts';
import { type TagChange, type TagDefinition, ValueType } from '../types.ts';

const FIRST_RECORD_BYTES = 65_536;

/** A changed definition, applied in memory already. */
interface Redefinition {
  readonly created: Tag[];
  readonly before: Map<Tag, TagDefinition>;
}

/** Creates and changes tags, all or none. Throws or rejects with BAD_NAME before anything is changed. */
export function defineTags(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  if (takesTurns(dataset, changes.length)) return dataset.lane.runAlone(() => defineInTurns(dataset, changes));
  dataset.checkWritable();
  for (const change of changes) checkNewName(dataset, change);
  const redefinition: Redefinition = { created: [], before: new Map() };
  for (const change of changes) redefine(dataset, change, redefinition);
  const definitions = definitionsOf(redefinition);
  return submitOperation(dataset, {
    encode:
      definitions.size === 0
        ? undefined
        : (out) => {
            for (const [{ id }, definition] of definitions) encodeDefine(out, id, definition);
          },
    commit: () => {
      for (const [tag, definition] of definitions) keepDefinition(tag, definition);
    },
    undo: () => rollback(dataset, redefinition),
  });
}

async function defineInTurns(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  dataset.checkWritable();
  const turns = new Turns(dataset);
  await turns.over(changes, (change) => checkNewName(dataset, change));
  const redefinition: Redefinition = { created: [], before: new Map() };
  const record = new ByteWriter(FIRST_RECORD_BYTES);
  let definitions: Map<Tag, TagDefinition>;
  try {
    await turns.over(changes, (change) => redefine(dataset, change, redefinition));
    definitions = definitionsOf(redefinition);
    await turns.over([...definitions], ([{ id }, definition]) => encodeDefine(record, id, definition));
  } catch (error) {
    rollback(dataset, redefinition);
    throw error;
  }
  await submitOperation(dataset, {
    encode: definitions.size === 0 ? undefined : (out) => out.raw(record.written()),
    commit: () => inSlices(dataset, definitions, ([tag, definition]) => keepDefinition(tag, definition)),
    undo: () => rollback(dataset, redefinition),
  });
}

function checkNewName(dataset: Dataset, { name }: TagChange): void {
  if (!dataset.names.find(name)) checkTagName(name);
}

function redefine(dataset: Dataset, change: TagChange, { created, before }: Redefinition): void {
  const known = dataset.names.find(change.name);
  if (!known) {
    created.push(dataset.addTag(changed({ name: change.name, type: ValueType.Open }, change), undefined));
    return;
  }
  const definition = changed(known.definition, change);
  if (sameDefinition(definition, known.definition)) return;
  if (!before.has(known)) before.set(known, known.definition);
  known.definition = definition;
}

function definitionsOf({ created, before }: Redefinition): Map<Tag, TagDefinition> {
  const definitions = new Map<Tag, TagDefinition>();
  for (const tag of created) definitions.set(tag, tag.definition);
  for (const tag of before.keys()) definitions.set(tag, tag.definition);
  return definitions;
}

/** Called once a definition is durable; a tag that it creates becomes visible. */
function keepDefinition(tag: Tag, definition: TagDefinition): void {
  tag.visible = true;
  tag.durableDefinition = definition;
}

function rollback(dataset: Dataset, { created, before }: Redefinition): void {
  for (const [tag, definition] of before) tag.definition = definition;
  for (const tag of created) dataset.removeTag(tag);
}

function changed(definition: TagDefinition, change: TagChange): TagDefinition {
  return { ...definition, ...change, type: change.type ?? definition.type };
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
