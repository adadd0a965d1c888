// Documents of tags and datasets as JSON.

import { formatValueType, parseValueType, type TagDefinition, ValueType } from '../engine/index.ts';
import type { DatasetDocument, TagDocument } from './sink.ts';

interface WrittenTag {
  readonly n: string;
  readonly t?: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: readonly (readonly [number, string])[];
  readonly p?: readonly (readonly [string, string])[];
  readonly deleted?: true;
  readonly system?: true;
  readonly lateOf?: number;
  readonly cuts?: readonly (readonly [number, number])[];
}

/** All but id and revision, which stand beside it. */
export function formatTag({ definition, isDeleted, isSystem, lateOf, deleted }: TagDocument): string {
  const { name, type, description, format, units, fields } = definition;
  const typeName = formatValueType(type);
  const written: WrittenTag = {
    n: name,
    ...(typeName === undefined ? {} : { t: typeName }),
    ...(description === undefined ? {} : { d: description }),
    ...(format === undefined ? {} : { f: format }),
    ...(units === undefined ? {} : { u: [...units] }),
    ...(fields === undefined ? {} : { p: [...fields] }),
    ...(isDeleted ? { deleted: true } : {}),
    ...(isSystem ? { system: true } : {}),
    ...(lateOf === undefined ? {} : { lateOf }),
    ...(deleted.length === 0 ? {} : { cuts: deleted.map(({ from, to }) => [from, to] as const) }),
  };
  return JSON.stringify(written);
}

export function parseTag(id: number, revision: number, text: string): TagDocument {
  const { n, t, d, f, u, p, deleted, system, lateOf, cuts = [] } = JSON.parse(text) as WrittenTag;
  const definition: TagDefinition = {
    name: n,
    type: t === undefined ? ValueType.Open : (parseValueType(t) ?? ValueType.Open),
    ...(d === undefined ? {} : { description: d }),
    ...(f === undefined ? {} : { format: f }),
    ...(u === undefined ? {} : { units: new Map(u) }),
    ...(p === undefined ? {} : { fields: new Map(p) }),
  };
  return {
    id,
    revision,
    definition,
    isDeleted: deleted === true,
    isSystem: system === true,
    lateOf,
    deleted: cuts.map(([from, to]) => ({ from, to })),
  };
}

export function formatDataset(document: DatasetDocument): string {
  return JSON.stringify(document);
}

export function parseDataset(text: string): DatasetDocument {
  return JSON.parse(text) as DatasetDocument;
}
