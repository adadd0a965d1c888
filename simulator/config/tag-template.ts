// A tag template of a sequence: checked once, then turned into the tag of every instance.

import type { TagObject } from '../../forward/historian-client.ts';
import { childPointer, type FaultList, nearestName } from './document/faults.ts';
import { isRecord } from './document/schema.ts';
import { boundsOf, type EntryTemplate, parseEntry, stepFits } from './entries.ts';
import type { SequenceMap } from './fields/map-fields.ts';
import { checkTemplate, renderTemplate, STEP_DATE, type Template } from './fields/placeholders.ts';
import type { StepDefinition, TagDefinition } from './model.ts';
import { DEFAULT_TYPE_NAME, TAG_TYPES, type TagType } from './tag-types.ts';

export interface TagTemplate {
  readonly pointer: string;
  readonly name: Template | undefined;
  readonly description: Template | undefined;
  readonly format: string | undefined;
  readonly uom: Readonly<Record<string, string>> | undefined;
  readonly ownFields: ReadonlyMap<string, string>;
  readonly type: TagType;
  /** Entries as they are written; faulty ones are `undefined`. */
  readonly entries: readonly (EntryTemplate | undefined)[];
}

/** What the tags of a sequence refer to. */
export interface SequenceParts {
  readonly map: SequenceMap;
  readonly steps: readonly StepDefinition[];
}

const MAX_NAME_BYTES = 1024;

export function readTagTemplate(
  source: Readonly<Record<string, unknown>>,
  pointer: string,
  { map, steps }: SequenceParts,
  faults: FaultList,
): TagTemplate {
  const ownFields = readTexts(source.fields);
  const known = new Set([...map.names, ...ownFields.keys()]);
  if (ownFields.has(STEP_DATE)) {
    faults.add(childPointer(pointer, 'fields'), JSON.stringify(STEP_DATE), `any name but ${STEP_DATE}`);
  }
  const type = readType(source.type, childPointer(pointer, 'type'), faults);
  checkUom(source.uom, type, childPointer(pointer, 'uom'), faults);
  const textAt = (key: string): Template | undefined => {
    const text = source[key];
    if (typeof text !== 'string') return undefined;
    return checkTemplate(text, { pointer: childPointer(pointer, key), known, faults }, 'no step date');
  };
  return {
    pointer,
    name: textAt('name'),
    description: textAt('description'),
    format: typeof source.format === 'string' ? source.format : undefined,
    uom: isRecord(source.uom) ? Object.fromEntries(readTexts(source.uom)) : undefined,
    ownFields,
    type,
    entries: readEntries(source.values, childPointer(pointer, 'values'), { type, known, faults }, steps),
  };
}

function readEntries(
  source: unknown,
  pointer: string,
  context: { readonly type: TagType; readonly known: ReadonlySet<string>; readonly faults: FaultList },
  steps: readonly StepDefinition[],
): (EntryTemplate | undefined)[] {
  const values: readonly unknown[] = Array.isArray(source) ? source : [];
  if (values.length > steps.length && steps.length > 0) {
    context.faults.add(pointer, `${values.length} values`, `at most one for each of the ${steps.length} steps`);
  }
  return values.map((value, index) => {
    if (typeof value !== 'string') return undefined;
    const entry = parseEntry(value, { ...context, pointer: childPointer(pointer, index) });
    if (entry?.kind === 'text' && context.type.kind === 'time') checkTimeText(entry.template, pointer, index, context);
    // The last entry stands for the remaining steps too.
    const served = index === values.length - 1 ? steps.slice(index) : steps.slice(index, index + 1);
    if (entry?.kind === 'step' && !served.every((step) => stepFits(step.value, context.type))) {
      context.faults.add(childPointer(pointer, index), '"step"', `step values that are ${boundsOf(context.type)}`);
    }
    return entry;
  });
}

const TIME_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/;

/** The text of a System.DateTime tag must be a time stamp once its placeholders are filled in. */
function checkTimeText(
  template: Template,
  pointer: string,
  index: number,
  context: { readonly faults: FaultList },
): void {
  if (template.parts.some((part) => typeof part !== 'string' && part.field !== STEP_DATE)) return;
  const sample = renderTemplate(template, new Map(), Date.UTC(2024, 0, 2, 3, 4, 5));
  if (TIME_STAMP.test(sample) && !Number.isNaN(Date.parse(sample))) return;
  const allowed = 'an ISO 8601 time stamp for System.DateTime, such as [Step Date, yyyy-MM-ddTHH:mm:ssZ]';
  context.faults.add(childPointer(pointer, index), JSON.stringify(template.text), allowed);
}

function readType(source: unknown, pointer: string, faults: FaultList): TagType {
  const name = typeof source === 'string' ? source : DEFAULT_TYPE_NAME;
  const type = TAG_TYPES.get(name);
  if (type !== undefined) return type;
  const names = [...TAG_TYPES.keys()];
  faults.add(pointer, JSON.stringify(name), names.join(', '), nearestName(name, names));
  return TAG_TYPES.get(DEFAULT_TYPE_NAME) as TagType;
}

function checkUom(source: unknown, type: TagType, pointer: string, faults: FaultList): void {
  if (!isRecord(source)) return;
  for (const key of Object.keys(source)) {
    const at = childPointer(pointer, key);
    const number = Number(key);
    if (!/^-?\d+$/.test(key) || number < -(2 ** 31) || number >= 2 ** 31) {
      faults.add(at, JSON.stringify(key), 'a whole number of int32 as key');
    } else if (type.kind === 'boolean' && number !== 0 && number !== 1) {
      faults.add(at, JSON.stringify(key), 'keys 1 and 0 for true and false');
    }
  }
}

function readTexts(source: unknown): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(isRecord(source) ? source : {})) {
    if (typeof value === 'string') texts.set(key, value);
  }
  return texts;
}

/** The tag of one instance; its `sources` are filled in by the caller. */
export function instantiateTag(
  template: TagTemplate,
  mapFields: ReadonlyMap<string, string>,
  stepCount: number,
): Omit<TagDefinition, 'sources'> {
  const fields = new Map([...mapFields, ...template.ownFields]);
  const entries = template.entries.filter((entry) => entry !== undefined);
  const last = entries[entries.length - 1];
  while (last !== undefined && entries.length < stepCount) entries.push(last);
  return { object: toTagObject(template, fields), type: template.type, entries, fields };
}

function toTagObject(template: TagTemplate, fields: ReadonlyMap<string, string>): TagObject {
  return {
    n: template.name === undefined ? '' : renderTemplate(template.name, fields),
    ...(template.description === undefined ? {} : { d: renderTemplate(template.description, fields) }),
    ...(template.format === undefined ? {} : { f: template.format }),
    ...(template.uom === undefined ? {} : { u: template.uom }),
    ...(fields.size === 0 ? {} : { fl: Object.fromEntries(fields) }),
    t: template.type.name,
  };
}

/** What is wrong with a tag name, if anything. */
export function nameRule(name: string): string | undefined {
  const bytes = Buffer.byteLength(name);
  if (bytes < 1 || bytes > MAX_NAME_BYTES) return `a tag name of 1 to ${MAX_NAME_BYTES} bytes`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return 'a tag name without control characters';
  if (/[\ud800-\udfff]/u.test(name)) return 'a tag name without lone surrogates';
  if (name === '.' || name === '..') return 'a tag name other than . and ..';
  if (name.startsWith('$System.')) return 'a tag name that does not begin with $System.';
  return undefined;
}
