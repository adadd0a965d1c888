// The damages of bit rot: bytes flipped, and blocks of the disk zeroed, stale, repeated or swapped; done to the bytes in
// place, and taken back.

import type { SeededRandom } from '../support/seeded-random.ts';
import type { RottenPlant } from './rotten-plant.ts';

const DISK_BLOCK_BYTES = 4096;
/** The polynomial of CRC-32 as bits of a message: laid over bytes of one checksum, it leaves that as it was. */
const UNSEEN_PATTERN: readonly number[] = [0x41, 0x06, 0x71, 0xdb, 0x01];

/** `unseen`: changes that no CRC-32 shows, in place of flipped bytes; the negative control. */
export type RotChanges = 'any' | 'unseen';

interface Patch {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface Rot {
  readonly path: string;
  readonly what: string;
  readonly patches: readonly Patch[];
}

/** Puts the damage into the bytes of its file; returns what takes it back. */
export function damage(bytes: Uint8Array, { patches }: Rot): () => void {
  const before = patches.map((patch) => bytes.slice(patch.offset, patch.offset + patch.bytes.length));
  for (const patch of patches) bytes.set(patch.bytes, patch.offset);
  return () => {
    for (const [i, patch] of patches.entries()) bytes.set(before[i] as Uint8Array, patch.offset);
  };
}

/** Every byte of every file once, and every block in each way. */
export function* everyRot(plant: RottenPlant, random: SeededRandom, changes: RotChanges): Generator<Rot> {
  for (const [path, bytes] of plant.image) {
    for (let offset = 0; offset < bytes.length; offset++) yield changeByte(path, bytes, offset, random, changes);
    for (let from = 0; from < bytes.length; from += DISK_BLOCK_BYTES) yield* blockRots(plant, path, from, random);
  }
}

/** Nine bytes for each block, without end; each file as often as every other. */
export function* someRot(plant: RottenPlant, random: SeededRandom, changes: RotChanges): Generator<Rot> {
  const paths = [...plant.image.keys()];
  for (;;) {
    const path = random.pick(paths);
    const bytes = plant.image.get(path) as Uint8Array;
    const offset = random.below(bytes.length);
    const from = offset - (offset % DISK_BLOCK_BYTES);
    if (random.chance(0.9)) yield changeByte(path, bytes, offset, random, changes);
    else yield* blockRots(plant, path, from, random);
  }
}

function changeByte(path: string, bytes: Uint8Array, offset: number, random: SeededRandom, changes: RotChanges): Rot {
  if (changes === 'unseen') return changeUnseen(path, bytes, Math.min(offset, bytes.length - UNSEEN_PATTERN.length));
  const mask = random.between(1, 255);
  const changed = Uint8Array.of((bytes[offset] as number) ^ mask);
  return { path, what: `byte ${offset} flipped by ${mask}`, patches: [{ offset, bytes: changed }] };
}

function changeUnseen(path: string, bytes: Uint8Array, offset: number): Rot {
  const changed = Uint8Array.from(UNSEEN_PATTERN, (mask, i) => (bytes[offset + i] as number) ^ mask);
  return { path, what: `bytes from ${offset} changed unseen`, patches: [{ offset, bytes: changed }] };
}

/** One block zeroed, as it was earlier, a repetition of another, and swapped with another, where that changes it. */
function* blockRots({ image, earlier }: RottenPlant, path: string, from: number, random: SeededRandom): Generator<Rot> {
  const bytes = image.get(path) as Uint8Array;
  const own = bytes.slice(from, from + DISK_BLOCK_BYTES);
  const otherFrom = DISK_BLOCK_BYTES * random.below(Math.ceil(bytes.length / DISK_BLOCK_BYTES));
  const other = bytes.slice(otherFrom, otherFrom + DISK_BLOCK_BYTES);
  const length = Math.min(own.length, other.length);
  const stale = new Uint8Array(own.length);
  stale.set(earlier.get(path)?.subarray(from, from + own.length) ?? []);
  const repeated = { offset: from, bytes: other.subarray(0, length) };
  const moved = { offset: otherFrom, bytes: own.subarray(0, length) };
  const ways: readonly (readonly [string, readonly Patch[]])[] = [
    ['zeroed', [{ offset: from, bytes: new Uint8Array(own.length) }]],
    ['stale', [{ offset: from, bytes: stale }]],
    [`repeats ${otherFrom}`, [repeated]],
    [`swapped with ${otherFrom}`, [repeated, moved]],
  ];
  for (const [way, patches] of ways)
    if (patches.some((patch) => isChange(bytes, patch))) yield { path, what: `block at ${from} ${way}`, patches };
}

function isChange(bytes: Uint8Array, patch: Patch): boolean {
  return Buffer.compare(patch.bytes, bytes.subarray(patch.offset, patch.offset + patch.bytes.length)) !== 0;
}
