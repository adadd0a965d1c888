// The tags of a dataset in the order of their names: one list for all who ask, made over several turns of the event loop when
// there are very many, used until names change, and given up when nobody waits for it any more.

import { sortInSlices } from '../../points/sort-in-slices.ts';
import type { TagSequence } from '../../types.ts';
import type { Tag } from '../tag.ts';
import type { TagNames } from '../tag-names.ts';
import { sequenceOf } from './tag-sequence.ts';

/** Tags between two looks at the clock. */
const AT_ONCE = 64;

const UNWANTED = new Error('nobody waits for the list of tags');

/** Decides when to yield to others. */
interface Pauses {
  pause(): Promise<void> | undefined;
}

/** Somebody who waits for the list. */
interface Waiter {
  readonly isAborted: () => boolean;
}

export class SortedTags {
  readonly #names: TagNames;
  #sorted: readonly Tag[] = [];
  /** What had been changed in names when the list was begun. */
  #changes = 0;
  #making: Promise<void> | undefined;
  readonly #waiters = new Set<Waiter>();

  constructor(names: TagNames) {
    this.#names = names;
  }

  /** All tags that are there by now. The list is of no use when the one who asks is gone. */
  async list(isAborted: () => boolean, pauses: Pauses): Promise<TagSequence> {
    const { changes } = this.#names;
    const waiter = { isAborted };
    this.#waiters.add(waiter);
    while (this.#changes < changes && !isAborted()) {
      this.#making ??= this.#make(pauses);
      await this.#making;
    }
    this.#waiters.delete(waiter);
    return sequenceOf(this.#sorted, isThere);
  }

  get #isWanted(): boolean {
    for (const { isAborted } of this.#waiters) if (!isAborted()) return true;
    return false;
  }

  async #make(pauses: Pauses): Promise<void> {
    try {
      const { changes } = this.#names;
      this.#sorted = await this.#sort({ pause: () => this.#pauseWanted(pauses) });
      this.#changes = changes;
    } catch (error) {
      if (error !== UNWANTED) throw error;
    } finally {
      this.#making = undefined;
    }
  }

  /** Rejects with `UNWANTED` when nobody waits any more. */
  #pauseWanted(pauses: Pauses): Promise<void> | undefined {
    return pauses.pause()?.then(() => {
      if (!this.#isWanted) throw UNWANTED;
    });
  }

  async #sort(pauses: Pauses): Promise<Tag[]> {
    const tags: Tag[] = [];
    let count = 0;
    for (const tag of this.#names) {
      tags.push(tag);
      const pause = ++count % AT_ONCE === 0 ? pauses.pause() : undefined;
      if (pause !== undefined) await pause;
    }
    return sortInSlices(tags, byName, pauses);
  }
}

function byName(a: Tag, b: Tag): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** Tags may have gone since the list was made, and others come to be seen when they are stored. */
function isThere(tag: Tag): boolean {
  return tag.visible && !tag.deleted && !tag.leaving;
}
