// Tells quickly that no name occurs twice among the members of a body: a set of the hashes of their bytes, 64 bits each, since
// of 32 bits some thirty are the same among 500,000 names. Two names of one hash only make it say "perhaps"; then the names
// themselves have to be compared.

/** A name is in the part that the upper bits of its hash tell: a table of all names would hold the event loop when it grows. */
const PART_BITS = 6;
const FIRST_SLOTS = 32;
/** Slots are looked at in a row up to here, where chance never gets: names that were made to collide must not cost more. */
const MAX_PROBES = 128;
const SLOT_NUMBERS = 3;
const MAX_BODY = 0x3fffffff;
const SEED = 0x811c9dc5;
const OTHER_SEED = 0x3c6ef372;
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
    const hash = hashOf(view, start, end, SEED);
    const other = hashOf(view, start, end, OTHER_SEED);
    return (this.#parts[hash >>> (32 - PART_BITS)] as SievePart).add(hash, other, this.#body);
  }
}

class SievePart {
  /** A slot is three numbers: the body that set it last, and the halves of a hash. */
  #slots = new Int32Array(SLOT_NUMBERS * FIRST_SLOTS);
  #slotCount = FIRST_SLOTS;
  #body = 0;
  #count = 0;
  /** Some hashes found no slot. */
  #isOverfull = false;

  clear(): void {
    this.#slots = new Int32Array(SLOT_NUMBERS * FIRST_SLOTS);
    this.#slotCount = FIRST_SLOTS;
    this.#body = 0;
  }

  add(hash: number, other: number, body: number): boolean {
    if (this.#body !== body) this.#begin(body);
    if (++this.#count * 2 > this.#slotCount) this.#grow();
    return this.#insert(hash, other) || this.#isOverfull;
  }

  #begin(body: number): void {
    if (this.#slotCount > KEPT_SLOTS) this.clear();
    this.#body = body;
    this.#count = 0;
    this.#isOverfull = false;
  }

  #insert(hash: number, other: number): boolean {
    const slots = this.#slots;
    const body = this.#body;
    const mask = this.#slotCount - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = ((hash + probe) & mask) * SLOT_NUMBERS;
      if (slots[slot] !== body) {
        slots[slot] = body;
        slots[slot + 1] = hash;
        slots[slot + 2] = other;
        return false;
      }
      if (slots[slot + 1] === hash && slots[slot + 2] === other) return true;
    }
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    this.#slotCount *= 2;
    for (let slot = 0; slot < old.length; slot += SLOT_NUMBERS) {
      if (old[slot] === this.#body && this.#insert(old[slot + 1] as number, old[slot + 2] as number))
        this.#isOverfull = true;
    }
  }
}

/** Four bytes at a time; the last ones one by one (`bench/server/json.ts`). */
function hashOf(view: DataView, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start);
  let place = start;
  for (; place <= end - 4; place += 4) {
    hash = Math.imul(hash ^ view.getInt32(place, true), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  for (; place < end; place++) hash = Math.imul(hash ^ view.getUint8(place), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
