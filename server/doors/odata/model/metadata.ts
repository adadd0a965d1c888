// The metadata document in both forms of the schema language, XML and JSON.

import { FUNCTIONS } from '../query/filter-parser.ts';
import { ENTITY_SETS, type EntitySet, NAMESPACE, type Property, TIME_PRECISION } from './entity-sets.ts';

const CONTAINER = 'Container';
const CAPABILITIES = 'Org.OData.Capabilities.V1';
const VOCABULARY = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1';

/** What clients may not do with a set: none of it is asked of the server then. */
function restrictionsOf({ wantedInFilter }: EntitySet) {
  return {
    InsertRestrictions: { Insertable: false },
    UpdateRestrictions: { Updatable: false },
    DeleteRestrictions: { Deletable: false },
    SearchRestrictions: { Searchable: false },
    SortRestrictions: { Sortable: false },
    FilterRestrictions: {
      Filterable: true,
      RequiresFilter: wantedInFilter.length > 0,
      RequiredProperties: wantedInFilter,
    },
  };
}

/** One of several sets may share an entity type. */
function entityTypes(): EntitySet[] {
  return [...new Map(ENTITY_SETS.map((set) => [set.entityType, set])).values()];
}

export function metadataXml(): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">',
    `<edmx:Reference Uri="${VOCABULARY}.xml"><edmx:Include Namespace="${CAPABILITIES}"/></edmx:Reference>`,
    `<edmx:DataServices><Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...entityTypes().map(typeXml),
    `<EntityContainer Name="${CONTAINER}">`,
    annotationXml('FilterFunctions', Object.keys(FUNCTIONS)),
    ...ENTITY_SETS.map(setXml),
    '</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
    '',
  ].join('\n');
}

function typeXml({ entityType, key, properties }: EntitySet): string {
  const keys = key.map((name) => `<PropertyRef Name="${name}"/>`).join('');
  return `<EntityType Name="${entityType}"><Key>${keys}</Key>${properties.map(propertyXml).join('')}</EntityType>`;
}

function propertyXml({ name, type, isNullable }: Property): string {
  const precision = type === 'Edm.DateTimeOffset' ? ` Precision="${TIME_PRECISION}"` : '';
  return `<Property Name="${name}" Type="${type}" Nullable="${isNullable}"${precision}/>`;
}

function setXml(set: EntitySet): string {
  const annotations = Object.entries(restrictionsOf(set)).map(([term, record]) => annotationXml(term, record));
  return `<EntitySet Name="${set.name}" EntityType="${NAMESPACE}.${set.entityType}">${annotations.join('')}</EntitySet>`;
}

type Annotation = readonly string[] | Readonly<Record<string, boolean | readonly string[]>>;

function annotationXml(term: string, value: Annotation): string {
  const inner = isList(value)
    ? `<Collection>${value.map((text) => `<String>${text}</String>`).join('')}</Collection>`
    : `<Record>${Object.entries(value).map(valueXml).join('')}</Record>`;
  return `<Annotation Term="${CAPABILITIES}.${term}">${inner}</Annotation>`;
}

function valueXml([property, value]: [string, boolean | readonly string[]]): string {
  if (typeof value === 'boolean') return `<PropertyValue Property="${property}" Bool="${value}"/>`;
  const paths = value.map((path) => `<PropertyPath>${path}</PropertyPath>`).join('');
  return `<PropertyValue Property="${property}"><Collection>${paths}</Collection></PropertyValue>`;
}

function isList(value: Annotation): value is readonly string[] {
  return Array.isArray(value);
}

export function metadataJson(): string {
  const types = entityTypes().map(({ entityType, key, properties }) => [
    entityType,
    { $Kind: 'EntityType', $Key: key, ...Object.fromEntries(properties.map(propertyJson)) },
  ]);
  const sets = ENTITY_SETS.map((set) => [
    set.name,
    {
      $Collection: true,
      $Type: `${NAMESPACE}.${set.entityType}`,
      ...Object.fromEntries(
        Object.entries(restrictionsOf(set)).map(([term, record]) => [`@${CAPABILITIES}.${term}`, record]),
      ),
    },
  ]);
  return JSON.stringify({
    $Version: '4.01',
    $EntityContainer: `${NAMESPACE}.${CONTAINER}`,
    $Reference: { [`${VOCABULARY}.json`]: { $Include: [{ $Namespace: CAPABILITIES }] } },
    [NAMESPACE]: {
      ...Object.fromEntries(types),
      [CONTAINER]: {
        $Kind: 'EntityContainer',
        [`@${CAPABILITIES}.FilterFunctions`]: Object.keys(FUNCTIONS),
        ...Object.fromEntries(sets),
      },
    },
  });
}

/** In this form a property without a type is a text, and one that does not say so is never null. */
function propertyJson({ name, type, isNullable }: Property): [string, object] {
  return [
    name,
    {
      ...(type !== 'Edm.String' && { $Type: type }),
      ...(isNullable && { $Nullable: true }),
      ...(type === 'Edm.DateTimeOffset' && { $Precision: TIME_PRECISION }),
    },
  ];
}
