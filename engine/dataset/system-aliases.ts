// Aliases of system tags: their names in the reference product. Lists show the present names only, and a user tag of the
// same name takes precedence.

import type { TagDefinition } from '../types.ts';

/** Alias -> present name. */
export const SYSTEM_ALIASES: ReadonlyMap<string, string> = new Map([
  ['Dataset.Writes', 'Writes'],
  ['Dataset.Reads', 'Reads'],
  ['Dataset.Tags', 'Tags'],
  ['Dataset.Size', 'Size'],
  ['Dataset.Writes.Late', 'Writes.Late'],
]);

/** A system tag's definition under the name it was asked for. */
export function underAskedName(definition: TagDefinition, asked: string): TagDefinition {
  return SYSTEM_ALIASES.get(asked) === definition.name ? { ...definition, name: asked } : definition;
}
