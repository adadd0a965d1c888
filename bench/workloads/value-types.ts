// The types that the tags of a load have, where it is read without a server that chooses them.

import { ValueType } from '../../engine/index.ts';
import type { ValueKind } from './bodies.ts';

export const VALUE_TYPES: Readonly<Record<ValueKind, ValueType>> = {
  decimal: ValueType.Double,
  mixed: ValueType.Double,
  full: ValueType.Double,
  counter: ValueType.Double,
  boolean: ValueType.Boolean,
  text: ValueType.String,
};
