// The names that tags had before they were renamed, and which of them still lead to their tag. A name that a tag has now
// always is that tag's.

import type { FormerName, TagDefinition } from '../types.ts';
import type { Tag } from './tag.ts';
import type { TagNames } from './tag-names.ts';

/** A former name, and the tag that had it. */
export interface GivenUpName extends FormerName {
  readonly tag: Tag;
}

export class FormerTagNames {
  readonly #names: TagNames;
  readonly #nowMs: () => number;
  readonly #byName = new Map<string, GivenUpName>();
  /** When the first of those that forward ends; ms. */
  #nextEndMs = Number.POSITIVE_INFINITY;

  /** @param nowMs the wall clock */
  constructor(names: TagNames, nowMs: () => number) {
    this.#names = names;
    this.#nowMs = nowMs;
  }

  /** The former name, if it leads to its tag now. */
  leading(name: string): GivenUpName | undefined {
    if (this.#byName.size === 0) return undefined;
    const found = this.#byName.get(name);
    return found && isLeading(found, this.#nowMs()) && !this.#names.findPresent(name) ? found : undefined;
  }

  /** The name as the tag had it that gave it up last, though it may lead there no more; undefined when that tag is gone. */
  lastOf(name: string): GivenUpName | undefined {
    return this.#byName.get(name);
  }

  /** Takes the former names of a tag up. */
  note(tag: Tag, { former }: TagDefinition): void {
    if (former === undefined) return;
    const nowMs = this.#nowMs();
    for (const one of former.names) {
      const known = this.#byName.get(one.name);
      if (known && known.tag !== tag && known.renamedMs > one.renamedMs) continue; // another tag had it later
      this.#byName.set(one.name, { ...one, tag });
      if (!one.forwards || !isLeading(one, nowMs)) continue;
      this.#names.lead(one.name, tag);
      this.#nextEndMs = Math.min(this.#nextEndMs, one.untilMs ?? Number.POSITIVE_INFINITY);
    }
  }

  /** Forgets a tag's former names: it is deleted, or gets others. */
  forget(tag: Tag, { former }: TagDefinition): void {
    for (const { name } of former?.names ?? []) {
      if (this.#byName.get(name)?.tag !== tag) continue;
      this.#byName.delete(name);
      this.#names.stopLeading(name);
    }
  }

  /** What is written under names whose time is over is no tag's any more. Called every second. */
  expire(): void {
    const nowMs = this.#nowMs();
    if (this.#nextEndMs > nowMs) return;
    this.#nextEndMs = Number.POSITIVE_INFINITY;
    for (const one of this.#byName.values()) {
      if (!isLeading(one, nowMs)) this.#names.stopLeading(one.name);
      else if (one.forwards) this.#nextEndMs = Math.min(this.#nextEndMs, one.untilMs ?? Number.POSITIVE_INFINITY);
    }
  }
}

/** Whether a former name leads to its tag. */
export function isLeading({ untilMs }: FormerName, nowMs: number): boolean {
  return untilMs === undefined || untilMs > nowMs;
}
