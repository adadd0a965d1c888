// The ways in which a file is damaged: cut at every byte, every byte flipped, zeros from an offset on, gone.

export interface Damage {
  readonly path: string;
  /** In words, for messages: what was done, and where. */
  readonly what: string;
  /** The damaged file; undefined when it is missing. */
  readonly bytes: Uint8Array | undefined;
}

/** Longer files get zeros from so many offsets only, spread over them. */
const MOST_ZEROED = 40;
/** Zeros that are damaged, out of those that a file may end with, the room of a journal. */
const ROOM_BYTES = 64;

/** Every damage of one file that changes it. */
export function* damagesOf(path: string, bytes: Uint8Array): Generator<Damage> {
  yield { path, what: 'missing', bytes: undefined };
  const end = Math.min(bytes.length, bytes.findLastIndex((byte) => byte !== 0) + 1 + ROOM_BYTES);
  for (let offset = 0; offset < end; offset++) yield truncated(path, bytes, offset);
  for (let offset = 0; offset < end; offset++) yield flipped(path, bytes, offset, 1 << (offset % 8));
  const step = Math.max(1, Math.floor(end / MOST_ZEROED));
  for (let offset = 0; offset < end; offset += step) {
    const damage = zeroed(path, bytes, offset);
    if (Buffer.compare(damage.bytes as Uint8Array, bytes) !== 0) yield damage;
  }
}

export function truncated(path: string, bytes: Uint8Array, offset: number): Damage {
  return { path, what: `truncated at ${offset}`, bytes: bytes.slice(0, offset) };
}

export function flipped(path: string, bytes: Uint8Array, offset: number, mask: number): Damage {
  const changed = bytes.slice();
  changed[offset] = (changed[offset] as number) ^ mask;
  return { path, what: `byte ${offset} flipped by ${mask}`, bytes: changed };
}

export function zeroed(path: string, bytes: Uint8Array, offset: number): Damage {
  const changed = bytes.slice();
  changed.fill(0, offset);
  return { path, what: `zeros from ${offset}`, bytes: changed };
}
