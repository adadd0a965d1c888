// A sorted list of tags as those see it who ask for tags.

import type { NameSequence, TagDefinition, TagSequence } from '../../types.ts';

interface Listed {
  readonly name: string;
  readonly definition: TagDefinition;
}

/** `tags` are in the order of their names; those that are not there are passed over. */
export function sequenceOf<T extends Listed>(tags: readonly T[], isThere: (tag: T) => boolean): TagSequence {
  function* definitionsFrom(start: number): Generator<TagDefinition> {
    for (let i = start; i < tags.length; i++) {
      const tag = tags[i] as T;
      if (isThere(tag)) yield tag.definition;
    }
  }
  const names: NameSequence = {
    length: tags.length,
    at(index) {
      const tag = tags[index];
      return tag && isThere(tag) ? tag.name : undefined;
    },
  };
  return {
    names,
    from: (name) => definitionsFrom(firstFrom(tags, name)),
    [Symbol.iterator]: () => definitionsFrom(0),
  };
}

/** The place of the first one that is not before the name. */
function firstFrom(tags: readonly Listed[], name: string): number {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tags[middle] as Listed).name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
