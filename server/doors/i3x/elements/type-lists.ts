// The namespaces and types that every server has: they do not depend on its data.

import { ValueType } from '../../../../engine/index.ts';

export const I3X_NAMESPACE = 'https://cesmii.org/i3x';
export const TYPE_NAMESPACE = 'urn:varve:types';

export const NAMESPACES = [
  { uri: I3X_NAMESPACE, displayName: 'i3X' },
  { uri: TYPE_NAMESPACE, displayName: 'Varve' },
];

interface ObjectType {
  readonly elementId: string;
  readonly displayName: string;
  readonly namespaceUri: string;
  readonly sourceTypeId: string;
  readonly version: string;
  readonly schema: object;
}

function objectType(name: string, schema: object): ObjectType {
  const names = { elementId: `varve.${name}`, displayName: name, sourceTypeId: name };
  return { ...names, namespaceUri: TYPE_NAMESPACE, version: '1.0.0', schema };
}

export const OBJECT_TYPES: readonly ObjectType[] = [
  objectType('Dataset', {
    type: 'object',
    description: 'A dataset: folders and tags hang of it.',
    properties: { tags: { type: 'integer' }, sizeGb: { type: 'number' } },
  }),
  objectType('Folder', { type: 'object', description: 'What names of tags have before a slash.', properties: {} }),
  objectType('Number', { type: 'number' }),
  objectType('Integer', { type: 'integer' }),
  objectType('Boolean', { type: 'boolean' }),
  objectType('String', { type: 'string' }),
  objectType('DateTime', { type: 'string', format: 'date-time' }),
  objectType('UnknownType', { type: 'object', description: 'A tag without a value so far.' }),
];

/** Ids of types that an object can have; whole numbers of 64 bits are numbers, since readers have doubles. */
export function typeIdOf(type: ValueType): string {
  switch (type) {
    case ValueType.Open:
      return 'varve.UnknownType';
    case ValueType.Boolean:
      return 'varve.Boolean';
    case ValueType.String:
      return 'varve.String';
    case ValueType.DateTime:
      return 'varve.DateTime';
    case ValueType.Single:
    case ValueType.Double:
    case ValueType.Decimal:
    case ValueType.Int64:
    case ValueType.UInt64:
      return 'varve.Number';
    default:
      return 'varve.Integer';
  }
}

function relationshipType(elementId: string, words: string, reverseOf: string) {
  return { elementId, displayName: words, namespaceUri: I3X_NAMESPACE, relationshipId: elementId, reverseOf };
}

export const RELATIONSHIP_TYPES = [
  relationshipType('HasParent', 'Has parent', 'HasChildren'),
  relationshipType('HasChildren', 'Has children', 'HasParent'),
  relationshipType('HasComponent', 'Has component', 'ComponentOf'),
  relationshipType('ComponentOf', 'Component of', 'HasComponent'),
];
