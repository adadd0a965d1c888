// Tells quickly that no name occurs twice among the members of a body: a set of the hashes of their bytes. Two names of
// one hash only make it say "perhaps"; then the names themselves have to be compared.

/** A name is in the part that the upper bits of its hash tell: a table of all names would hold the event loop when it grows. */
const PART_BITS = 6;
const FIRST_SLOTS = 32;
/** Slots are looked at in a row up to here: names that were made to collide must not cost more. */
const MAX_PROBES = 32;
const MAX_BODY = 0x3fffffff;
const SEED = 0x811c9dc5;
/** Parts of more slots are not kept from one body to the next. */
const KEPT_SLOTS = 1024;

export class MemberSieve {
  readonly #parts = Array.from({ length: 2 ** PART_BITS }, () => new SievePart());
  #body = 0;

  begin(): void {
    if (this.#body === MAX_BODY) {
      for (const part of this.#parts) part.clear();
      this.#body = 0;
    }
    this.#body++;
  }

  /** Adds the name of the bytes from `start` to `end`; true when it was perhaps added before. */
  add(view: DataView, start: number, end: number): boolean {
    const hash = hashOf(view, start, end);
    return (this.#parts[hash >>> (32 - PART_BITS)] as SievePart).add(hash, this.#body);
  }
}

class SievePart {
  /** A slot is two numbers: the body that set it last, and a hash. */
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #body = 0;
  #count = 0;
  /** Some hashes found no slot. */
  #isOverfull = false;

  clear(): void {
    this.#slots = new Int32Array(2 * FIRST_SLOTS);
    this.#body = 0;
  }

  add(hash: number, body: number): boolean {
    if (this.#body !== body) this.#begin(body);
    if (++this.#count * 4 > this.#slots.length) this.#grow();
    return this.#insert(hash) || this.#isOverfull;
  }

  #begin(body: number): void {
    if (this.#slots.length > 2 * KEPT_SLOTS) this.clear();
    this.#body = body;
    this.#count = 0;
    this.#isOverfull = false;
  }

  #insert(hash: number): boolean {
    const slots = this.#slots;
    const body = this.#body;
    const mask = slots.length / 2 - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = ((hash + probe) & mask) * 2;
      if (slots[slot] !== body) {
        slots[slot] = body;
        slots[slot + 1] = hash;
        return false;
      }
      if (slots[slot + 1] === hash) return true;
    }
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    for (let slot = 0; slot < old.length; slot += 2) {
      if (old[slot] === this.#body && this.#insert(old[slot + 1] as number)) this.#isOverfull = true;
    }
  }
}

/** Four bytes at a time; the last ones one by one (`bench/server/json.ts`). */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = SEED ^ (end - start);
  let place = start;
  for (; place <= end - 4; place += 4) {
    hash = Math.imul(hash ^ view.getInt32(place, true), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  for (; place < end; place++) hash = Math.imul(hash ^ view.getUint8(place), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
