// Finds out which members of a body have a name that is there again later, and so are replaced. A body that may hold a
// name twice is read once more, its names compared; and again, without what was replaced, when it does.

import type { TagRef } from '../../../engine/index.ts';
import type { Token } from '../scalars/token.ts';
import { MemberSieve } from './member-sieve.ts';
import { NameMap } from './name-map.ts';
import { NamedTags } from './named-tags.ts';

export class RepeatedMembers {
  /** Tags that the pass has met. */
  readonly named = new NamedTags();
  readonly #sieve = new MemberSieve();
  /** The last member of each name, by name, while names are compared. */
  readonly #last = new NameMap<number>();
  readonly #replaced = new MemberFlags();
  #pass: 'first' | 'comparing' | 'without replaced' = 'first';
  #mayRepeat = false;

  /** Begins a body. */
  begin(): void {
    this.#pass = 'first';
    this.#mayRepeat = false;
    this.#beginPass();
  }

  /** Begins the next pass over the body; false when there is none to make. */
  beginNextPass(): boolean {
    if (this.mustReadAgain) this.#pass = 'comparing';
    else if (this.#pass === 'comparing' && this.#replaced.any) this.#pass = 'without replaced';
    else return false;
    this.#beginPass();
    return true;
  }

  /** Forgets the body. */
  end(): void {
    this.#last.clear();
    this.#replaced.clear();
  }

  /** In the first pass, as long as no name may have been there twice: what is not looked at here may be read. */
  get areNone(): boolean {
    return this.#pass === 'first' && !this.#mayRepeat;
  }

  /** The first pass has met a name that may have been there before: the rest of it is for the next. */
  get mustReadAgain(): boolean {
    return this.#pass === 'first' && this.#mayRepeat;
  }

  /** The names of the body are to be compared, since tags are no longer found as they were. */
  compareNames(): void {
    if (this.#pass === 'first') this.#mayRepeat = true;
  }

  /** Whether the member is to be left out. */
  isReplaced(member: number): boolean {
    return this.#pass === 'without replaced' && this.#replaced.has(member);
  }

  /**
   * Notes the name of a member; returns how many names there have been, not counting again, or 0 for a body that is to be
   * read again.
   * @param token the name's, in the bytes of `view`; not looked at for a tag that was found
   */
  note(member: number, name: string, tag: TagRef | undefined, token: Token, view: DataView): number {
    if (this.#pass === 'first') {
      this.#mayRepeat ||= tag === undefined ? this.#hasName(token, view) : this.#hasTag(tag);
      return this.#mayRepeat ? 0 : member + 1;
    }
    const earlier = this.#last.get(name);
    if (earlier !== undefined) this.#replaced.add(earlier);
    this.#last.set(name, member);
    return this.#last.size;
  }

  #beginPass(): void {
    this.#last.clear();
    this.#sieve.begin();
    this.named.begin();
  }

  #hasName(token: Token, view: DataView): boolean {
    return token.isEscaped || this.#sieve.add(view, token.start, token.end);
  }

  #hasTag({ id }: TagRef): boolean {
    if (this.named.has(id)) return true;
    this.named.add(id);
    return false;
  }
}

const FIRST_BYTES = 128;
/** More is not kept from one body to the next. */
const KEPT_BYTES = 8192;

export class MemberFlags {
  #bits = new Uint8Array(FIRST_BYTES);
  /** Whether any member is marked. */
  any = false;

  clear(): void {
    if (!this.any) return;
    this.any = false;
    if (this.#bits.length > KEPT_BYTES) this.#bits = new Uint8Array(FIRST_BYTES);
    else this.#bits.fill(0);
  }

  add(member: number): void {
    const at = member >>> 3;
    if (at >= this.#bits.length) this.#grow(at + 1);
    this.#bits[at] = (this.#bits[at] as number) | (1 << (member & 7));
    this.any = true;
  }

  has(member: number): boolean {
    return ((this.#bits[member >>> 3] ?? 0) & (1 << (member & 7))) !== 0;
  }

  #grow(sizeBytes: number): void {
    const bits = new Uint8Array(Math.max(sizeBytes, this.#bits.length * 2));
    bits.set(this.#bits);
    this.#bits = bits;
  }
}
