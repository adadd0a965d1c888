// A sequence definition: its parts checked, then its instances, with the tags that integrate others tied to them.

import { createHash } from 'node:crypto';
import { childPointer, type FaultList, nearestName } from './document/faults.ts';
import { isRecord, type SequenceSource } from './document/schema.ts';
import { type NumberRange, parseDuration, parseStepValue } from './entries.ts';
import { readMap } from './fields/map-fields.ts';
import { renderTemplate } from './fields/placeholders.ts';
import type { InstanceDefinition, SequenceDefinition, StepDefinition, TagDefinition } from './model.ts';
import { instantiateTag, nameRule, readTagTemplate, type SequenceParts, type TagTemplate } from './tag-template.ts';
import { isIntegrable, type TagType } from './tag-types.ts';

/** A sequence of which the instances are made. */
interface SequenceTemplate extends SequenceParts {
  readonly name: string;
  readonly templates: readonly TagTemplate[];
}

/** Reads a sequence; `undefined` when it has faults, all of which are then in `faults`. */
export function readSequence(
  name: string,
  source: unknown,
  pointer: string,
  faults: FaultList,
): SequenceDefinition | undefined {
  if (!isRecord(source)) return undefined;
  const before = faults.count;
  const steps = readSteps(source.steps, childPointer(pointer, 'steps'), faults);
  const map = readMap(source.map, childPointer(pointer, 'map'), faults);
  const templates = readTags(source.tags, childPointer(pointer, 'tags'), { map, steps }, faults);
  const sequence = { name, map, steps, templates };
  const instances: Omit<InstanceDefinition, 'sequence'>[] = [];
  // With faults, one instance is still made: it shows what is wrong with the references between its tags.
  const count = faults.count > before ? Math.min(1, map.instanceCount) : map.instanceCount;
  for (let index = 0; index < count; index++) {
    const faultsBefore = faults.count;
    instances.push(makeInstance(sequence, index, faults));
    if (faults.count > faultsBefore) break;
  }
  if (faults.count > before) return undefined;
  return linkSequence(name, source as unknown as SequenceSource, steps, instances);
}

function linkSequence(
  name: string,
  source: SequenceSource,
  steps: readonly StepDefinition[],
  bare: readonly Omit<InstanceDefinition, 'sequence'>[],
): SequenceDefinition {
  const instances: InstanceDefinition[] = [];
  const hash = createHash('sha256')
    .update(JSON.stringify([name, canonical(source)]))
    .digest('hex');
  const sequence: SequenceDefinition = { name, source, hash, steps, instances };
  for (const instance of bare) instances.push({ ...instance, sequence });
  return sequence;
}

/** Form in which equal definitions have equal texts, whatever the order of their keys. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, canonical(value[key])]);
}

function readSteps(source: unknown, pointer: string, faults: FaultList): StepDefinition[] {
  const steps: StepDefinition[] = [];
  for (const [index, entry] of (Array.isArray(source) ? source : []).entries()) {
    const at = childPointer(pointer, index);
    const fields = isRecord(entry) ? entry : {};
    steps.push({
      value: readRangeAt(fields.value, childPointer(at, 'value'), parseStepValue, faults),
      durationMinutes: readRangeAt(fields.duration, childPointer(at, 'duration'), parseDuration, faults),
    });
  }
  return steps;
}

type RangeParser = (text: string, pointer: string, faults: FaultList) => NumberRange | undefined;

const NO_RANGE: NumberRange = { low: 0, high: 0, decimals: 0 };

function readRangeAt(source: unknown, pointer: string, parse: RangeParser, faults: FaultList): NumberRange {
  return typeof source === 'string' ? (parse(source, pointer, faults) ?? NO_RANGE) : NO_RANGE;
}

function readTags(source: unknown, pointer: string, parts: SequenceParts, faults: FaultList): TagTemplate[] {
  const templates: TagTemplate[] = [];
  for (const [index, entry] of (Array.isArray(source) ? source : []).entries()) {
    if (!isRecord(entry)) continue;
    templates.push(readTagTemplate(entry, childPointer(pointer, index), parts, faults));
  }
  return templates;
}

function makeInstance(
  { name, map, steps, templates }: SequenceTemplate,
  index: number,
  faults: FaultList,
): Omit<InstanceDefinition, 'sequence'> {
  const fields = map.fieldsOf(index);
  const bare = templates.map((template) => instantiateTag(template, fields, steps.length));
  const byName = new Map(bare.map(({ object, type }, tagIndex) => [object.n, { tagIndex, type }]));
  const tags = bare.map((tag, tagIndex): TagDefinition => {
    checkName(tag.object.n, templates[tagIndex], faults);
    return { ...tag, sources: findSources(tag, templates[tagIndex], byName, faults) };
  });
  const order = orderBySources(tags, templates, faults);
  return { index, key: JSON.stringify([name, ...fields]), tags, order };
}

function checkName(name: string, template: TagTemplate | undefined, faults: FaultList): void {
  if (template?.name === undefined) return;
  const rule = nameRule(name);
  if (rule !== undefined) faults.add(childPointer(template.pointer, 'name'), JSON.stringify(name), rule);
}

function findSources(
  tag: Omit<TagDefinition, 'sources'>,
  template: TagTemplate | undefined,
  byName: ReadonlyMap<string, { readonly tagIndex: number; readonly type: TagType }>,
  faults: FaultList,
): number[] {
  const sources: number[] = [];
  const written = template?.entries.length ?? 0;
  for (const [step, entry] of tag.entries.entries()) {
    if (entry.kind !== 'integrate') {
      sources.push(-1);
      continue;
    }
    const name = renderTemplate(entry.source, tag.fields);
    const source = byName.get(name);
    sources.push(source?.tagIndex ?? -1);
    if (step >= written || template === undefined) continue;
    const pointer = childPointer(childPointer(template.pointer, 'values'), template.entries.indexOf(entry, step));
    if (source === undefined) {
      faults.add(pointer, JSON.stringify(name), 'a tag of the same sequence', nearestName(name, byName.keys()));
    } else if (!isIntegrable(source.type)) {
      faults.add(pointer, `${JSON.stringify(name)} of ${source.type.name}`, 'a tag of a number or Boolean type');
    }
  }
  return sources;
}

/** Depth first: a tag comes after those that it integrates. A circle is a fault, told as the way around it. */
function orderBySources(
  tags: readonly TagDefinition[],
  templates: readonly TagTemplate[],
  faults: FaultList,
): number[] {
  const order: number[] = [];
  const state: ('open' | 'done' | undefined)[] = [];
  const path: number[] = [];
  const visit = (tagIndex: number): void => {
    if (state[tagIndex] === 'done') return;
    if (state[tagIndex] === 'open') {
      const circle = [...path.slice(path.indexOf(tagIndex)), tagIndex].map((at) => tags[at]?.object.n ?? '');
      const pointer = childPointer(templates[tagIndex]?.pointer ?? '', 'values');
      faults.add(
        pointer,
        `the circle ${circle.join(' -> ')}`,
        'tags that do not integrate themselves, also not by others',
      );
      return;
    }
    state[tagIndex] = 'open';
    path.push(tagIndex);
    for (const source of new Set(tags[tagIndex]?.sources ?? [])) if (source >= 0) visit(source);
    path.pop();
    state[tagIndex] = 'done';
    order.push(tagIndex);
  };
  for (const tagIndex of tags.keys()) visit(tagIndex);
  return order;
}
