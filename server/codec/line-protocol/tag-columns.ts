// The tags that a body of lines names, each with its points' type and count: a column of the batch that is made of them.

import { SYSTEM_TAG_PREFIX, tagNameFault } from '../../../client/tag-name.ts';
import { type TagLookup, type TagRef, ValueType } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import { NameMap } from '../names/name-map.ts';

/** Tags that one body may name, as in the other formats. */
const MAX_TAGS = 500_000;

export class TagColumn {
  readonly number: number;
  readonly name: string;
  readonly tag: TagRef | undefined;
  /** Why no tag can have the name; a line that would write to it is bad. */
  readonly fault: string | undefined;
  /** That of the tag; of a new one, of its first value. */
  type: ValueType;
  count = 0;
  /** Points of lines without a time. */
  stamped = 0;
  /** The last reading of a line that had a value for it, and its point there. */
  line = 0;
  point = 0;

  constructor(number: number, name: string, tag: TagRef | undefined) {
    this.number = number;
    this.name = name;
    this.tag = tag;
    this.type = tag?.type ?? ValueType.Open;
    this.fault = tag === undefined || name.startsWith(SYSTEM_TAG_PREFIX) ? tagNameFault(name) : undefined;
  }
}

export class TagColumns {
  readonly all: TagColumn[] = [];
  readonly #byName = new NameMap<TagColumn>();
  #lookup: TagLookup | undefined;

  begin(lookup: TagLookup): void {
    this.#lookup = lookup;
  }

  clear(): void {
    this.all.length = 0;
    this.#byName.clear();
    this.#lookup = undefined;
  }

  /** The column of the name; several series may share one. Throws a 413 for too many. */
  of(name: string): TagColumn {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.all.length === MAX_TAGS)
      throw new ProblemError(413, `The body names more than ${MAX_TAGS} tags; write them in several requests.`);
    const column = new TagColumn(this.all.length, name, this.#lookup?.find(name));
    this.all.push(column);
    this.#byName.set(name, column);
    return column;
  }
}
