// The data types of a tag: their .NET names, what kind of value the generator makes for each, and their bounds.

export type ValueKind = 'real' | 'single' | 'integer' | 'boolean' | 'text' | 'time';

export interface TagType {
  readonly name: string;
  readonly kind: ValueKind;
  /** Bounds of a number, both inclusive. For 64-bit types they are the nearest doubles inside. */
  readonly min: number;
  readonly max: number;
}

function numeric(name: string, kind: ValueKind, min: number, max: number): [string, TagType] {
  return [name, { name, kind, min, max }];
}

const LARGEST_SINGLE = 3.4028234663852886e38;
const LARGEST_INT64 = 9_223_372_036_854_775_000;
const LARGEST_UINT64 = 18_446_744_073_709_550_000;
const LARGEST_DECIMAL = 7.9e28;

export const TAG_TYPES: ReadonlyMap<string, TagType> = new Map([
  numeric('System.Boolean', 'boolean', 0, 1),
  numeric('System.SByte', 'integer', -128, 127),
  numeric('System.Byte', 'integer', 0, 255),
  numeric('System.Int16', 'integer', -32_768, 32_767),
  numeric('System.UInt16', 'integer', 0, 65_535),
  numeric('System.Int32', 'integer', -2_147_483_648, 2_147_483_647),
  numeric('System.UInt32', 'integer', 0, 4_294_967_295),
  numeric('System.Int64', 'integer', -LARGEST_INT64, LARGEST_INT64),
  numeric('System.UInt64', 'integer', 0, LARGEST_UINT64),
  numeric('System.Single', 'single', -LARGEST_SINGLE, LARGEST_SINGLE),
  numeric('System.Double', 'real', -Number.MAX_VALUE, Number.MAX_VALUE),
  numeric('System.Decimal', 'real', -LARGEST_DECIMAL, LARGEST_DECIMAL),
  numeric('System.String', 'text', -Infinity, Infinity),
  numeric('System.DateTime', 'time', -Infinity, Infinity),
  numeric('System.Integer', 'integer', -2_147_483_648, 2_147_483_647),
]);

export const DEFAULT_TYPE_NAME = 'System.Double';

/** Whether `integrate` can read a tag of this type; true counts as 1. */
export function isIntegrable(type: TagType): boolean {
  return type.kind !== 'text' && type.kind !== 'time';
}
