// The entity sets of the feed: one table for answers, filters and both forms of the metadata.

import type { CellKind } from '../query/cells.ts';

export type EdmType = 'Edm.String' | 'Edm.Double' | 'Edm.Int32' | 'Edm.DateTimeOffset';

export interface Property {
  readonly name: string;
  readonly type: EdmType;
  readonly isNullable: boolean;
}

export type SetName = 'Datasets' | 'Tags' | 'Points' | 'CurrentValues' | 'Aggregates';

export interface EntitySet {
  readonly name: SetName;
  readonly entityType: string;
  /** In the order in which rows come. */
  readonly key: readonly string[];
  readonly properties: readonly Property[];
  /** Properties that a filter must say something of. */
  readonly wantedInFilter: readonly string[];
}

export const NAMESPACE = 'Varve';
/** Digits of a second that times can have. */
export const TIME_PRECISION = 7;

const must = (name: string, type: EdmType): Property => ({ name, type, isNullable: false });
const may = (name: string, type: EdmType): Property => ({ name, type, isNullable: true });

const POINT = {
  entityType: 'Point',
  key: ['Dataset', 'Tag', 'Time'],
  properties: [
    must('Dataset', 'Edm.String'),
    must('Tag', 'Edm.String'),
    must('Time', 'Edm.DateTimeOffset'),
    may('Value', 'Edm.Double'),
    may('Text', 'Edm.String'),
    must('Quality', 'Edm.Int32'),
  ],
  wantedInFilter: [],
} as const;

export const ENTITY_SETS: readonly EntitySet[] = [
  {
    name: 'Datasets',
    entityType: 'Dataset',
    key: ['Name'],
    properties: [must('Name', 'Edm.String'), must('TagCount', 'Edm.Int32'), must('SizeGb', 'Edm.Double')],
    wantedInFilter: [],
  },
  {
    name: 'Tags',
    entityType: 'Tag',
    key: ['Dataset', 'Name'],
    properties: [
      must('Dataset', 'Edm.String'),
      must('Name', 'Edm.String'),
      may('Type', 'Edm.String'),
      may('Unit', 'Edm.String'),
      may('Description', 'Edm.String'),
      may('Format', 'Edm.String'),
    ],
    wantedInFilter: [],
  },
  { name: 'Points', ...POINT },
  { name: 'CurrentValues', ...POINT },
  {
    name: 'Aggregates',
    entityType: 'Aggregate',
    key: ['Dataset', 'Tag', 'Function', 'State', 'Interval', 'Time'],
    properties: [
      must('Dataset', 'Edm.String'),
      must('Tag', 'Edm.String'),
      must('Function', 'Edm.String'),
      must('State', 'Edm.String'),
      must('Interval', 'Edm.String'),
      must('Time', 'Edm.DateTimeOffset'),
      may('Value', 'Edm.Double'),
      may('Text', 'Edm.String'),
      must('Quality', 'Edm.Int32'),
    ],
    wantedInFilter: ['Function', 'Interval', 'Time'],
  },
];

const KINDS: Readonly<Record<EdmType, CellKind>> = {
  'Edm.String': 'text',
  'Edm.Double': 'number',
  'Edm.Int32': 'number',
  'Edm.DateTimeOffset': 'time',
};

export function kindsOf({ properties }: EntitySet): ReadonlyMap<string, CellKind> {
  return new Map(properties.map(({ name, type }) => [name, KINDS[type]]));
}
