// Names and properties of the value types. Over HTTP they go by their .NET names.

import { type Payload, ValueType } from './types.ts';

const NAMES: readonly (readonly [string, ValueType])[] = [
  ['System.Boolean', ValueType.Boolean],
  ['System.SByte', ValueType.SByte],
  ['System.Byte', ValueType.Byte],
  ['System.Int16', ValueType.Int16],
  ['System.UInt16', ValueType.UInt16],
  ['System.Int32', ValueType.Int32],
  ['System.UInt32', ValueType.UInt32],
  ['System.Int64', ValueType.Int64],
  ['System.UInt64', ValueType.UInt64],
  ['System.Single', ValueType.Single],
  ['System.Double', ValueType.Double],
  ['System.Decimal', ValueType.Decimal],
  ['System.String', ValueType.String],
  ['System.DateTime', ValueType.DateTime],
];

const TYPE_BY_NAME = new Map<string, ValueType>([...NAMES, ['System.Integer', ValueType.Int32]]);
const NAME_BY_TYPE = new Map<ValueType, string>(NAMES.map(([name, type]) => [type, name]));

/** Names that a tag's `t` may have. `System.Integer` is read as well, as `System.Int32`. */
export const VALUE_TYPE_NAMES: readonly string[] = NAMES.map(([name]) => name);

/** The type of a .NET name, or undefined. */
export function parseValueType(name: string): ValueType | undefined {
  return TYPE_BY_NAME.get(name);
}

/** The .NET name of a type; undefined for `Open`. */
export function formatValueType(type: ValueType): string | undefined {
  return NAME_BY_TYPE.get(type);
}

/** Column of `PointColumns` in which the values of a type lie. */
export function payloadOf(type: ValueType): Payload {
  switch (type) {
    case ValueType.Int64:
    case ValueType.UInt64:
    case ValueType.DateTime:
      return 'bigint';
    case ValueType.Decimal:
    case ValueType.String:
      return 'text';
    default:
      return 'number';
  }
}

/** What the values of a type are called that nothing can be computed of; undefined for numbers, and for Booleans, which are 0 and 1. */
export function nonNumbers(type: ValueType): 'texts' | 'times' | undefined {
  if (type === ValueType.String) return 'texts';
  return type === ValueType.DateTime ? 'times' : undefined;
}

/** Smallest and largest value of an integer type with a `number` payload; undefined for the others. */
export function integerBounds(type: ValueType): readonly [number, number] | undefined {
  switch (type) {
    case ValueType.SByte:
      return [-128, 127];
    case ValueType.Byte:
      return [0, 255];
    case ValueType.Int16:
      return [-32_768, 32_767];
    case ValueType.UInt16:
      return [0, 65_535];
    case ValueType.Int32:
      return [-2_147_483_648, 2_147_483_647];
    case ValueType.UInt32:
      return [0, 4_294_967_295];
    default:
      return undefined;
  }
}
