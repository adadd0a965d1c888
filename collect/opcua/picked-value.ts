// A part of a value of OPC UA: an element of an array or a matrix, a field of a structure.

import type { PartStep } from '../value-part.ts';

/** A value, or what is left of one, with the name of its built-in type. */
export interface Picked {
  readonly value: unknown;
  readonly typeName: string;
  readonly isList: boolean;
  /** Lengths of a matrix by dimension. */
  readonly dimensions?: readonly number[];
}

const NOTHING: Picked = { value: undefined, typeName: 'Null', isList: false };

export function pick(whole: Picked, steps: readonly PartStep[]): Picked {
  return steps.reduce(
    (picked, step) => ('field' in step ? pickField(picked, step.field) : pickElement(picked, step.indexes)),
    whole,
  );
}

function pickElement({ value, typeName, isList, dimensions }: Picked, indexes: readonly number[]): Picked {
  const place = isList ? placeOf(indexes, dimensions) : undefined;
  if (place === undefined) return NOTHING;
  return { value: (value as ArrayLike<unknown>)[place], typeName, isList: false };
}

/** Place of an element in the row-major list of a matrix. */
function placeOf(indexes: readonly number[], dimensions: readonly number[] | undefined): number | undefined {
  if (dimensions === undefined || dimensions.length < 2) return indexes.length === 1 ? indexes[0] : undefined;
  if (indexes.length !== dimensions.length) return undefined;
  let place = 0;
  for (const [index, length] of dimensions.entries()) {
    const at = indexes[index] ?? 0;
    if (at >= length) return undefined;
    place = place * length + at;
  }
  return place;
}

interface SchemaField {
  readonly name?: string;
  readonly fieldType?: string;
  readonly isArray?: boolean;
}

/** Fields are found by their own names, and by those with a small first letter that the library gives them. */
function pickField({ value, isList }: Picked, field: string): Picked {
  if (isList || typeof value !== 'object' || value === null) return NOTHING;
  const small = field.charAt(0).toLowerCase() + field.slice(1);
  const name = [field, small].find((key) => Object.hasOwn(value, key));
  if (name === undefined) return NOTHING;
  const { schema } = value as { readonly schema?: { readonly fields?: readonly SchemaField[] } };
  const described = schema?.fields?.find((each) => each.name === name || each.name === field);
  const found = (value as Record<string, unknown>)[name];
  const isMany = described === undefined ? Array.isArray(found) || isTyped(found) : described.isArray === true;
  return { value: found, typeName: described?.fieldType ?? 'Variant', isList: isMany };
}

function isTyped(value: unknown): boolean {
  return ArrayBuffer.isView(value) && !(value instanceof Uint8Array);
}
