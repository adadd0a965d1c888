// Changes sound input at random: bits, bytes, numbers that parsers stumble over, pieces taken out, put in, repeated.

import type { SeededRandom } from '../support/seeded-random.ts';

/** Numbers that are written as little-endian words of 1, 2, 4 and 8 bytes. */
const NUMBERS = [0n, 1n, 0x7fn, 0x80n, 0xffn, 0x7fffn, 0xffffn, 0x7fffffffn, 0xffffffffn, 2n ** 53n, 2n ** 63n - 1n];
const MOST_CHANGES = 8;
const MOST_PIECE_BYTES = 64;

/** A changed copy; the same length when `isInPlace`. */
export function mutateBytes(bytes: Uint8Array, random: SeededRandom, extent: 'in place' | 'any'): Uint8Array {
  // `slice` of a Buffer is no copy.
  let changed: Uint8Array = new Uint8Array(bytes);
  const count = drawCount(random);
  for (let i = 0; i < count; i++) {
    if (extent === 'in place' || random.chance(0.5)) changeInPlace(changed, random);
    else changed = changeLength(changed, random);
  }
  return changed;
}

/** Mostly few, so that more than the first check is reached. */
function drawCount(random: SeededRandom): number {
  return random.chance(0.7) ? random.below(3) : random.between(1, MOST_CHANGES);
}

function changeInPlace(bytes: Uint8Array, random: SeededRandom): void {
  if (bytes.length === 0) return;
  const place = random.below(bytes.length);
  const end = Math.min(bytes.length, place + random.between(1, MOST_PIECE_BYTES));
  switch (random.below(5)) {
    case 0:
      bytes[place] = (bytes[place] as number) ^ (1 << random.below(8));
      break;
    case 1:
      bytes[place] = random.below(256);
      break;
    case 2:
      bytes.fill(random.pick([0, 0xff, 0x20, 0x30]), place, end);
      break;
    case 3:
      putNumber(bytes, place, random);
      break;
    default:
      bytes.copyWithin(random.below(bytes.length), place, end);
  }
}

function putNumber(bytes: Uint8Array, place: number, random: SeededRandom): void {
  let number = random.pick(NUMBERS);
  const sizeBytes = random.pick([1, 2, 4, 8]);
  for (let i = place; i < Math.min(bytes.length, place + sizeBytes); i++) {
    bytes[i] = Number(number & 0xffn);
    number >>= 8n;
  }
}

function changeLength(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const place = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, place + random.between(1, MOST_PIECE_BYTES));
  switch (random.below(3)) {
    case 0:
      return bytes.slice(0, place);
    case 1:
      return joined(bytes.subarray(0, place), bytes.subarray(end));
    default:
      return joined(bytes.subarray(0, end), bytes.subarray(place));
  }
}

function joined(front: Uint8Array, back: Uint8Array): Uint8Array {
  const whole = new Uint8Array(front.length + back.length);
  whole.set(front);
  whole.set(back, front.length);
  return whole;
}

/** Pieces of text that parsers of text stumble over. */
const TEXTS = [
  ...[
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '-',
    '+',
    '.',
    'e',
    'E',
    '%',
    '%00',
    '%ff',
    '&',
    '=',
  ],
  ...['null', 'true', 'NaN', '1e400', '1e-400', '-0', '9007199254740993', '99999999999999999999', '0x10', '007'],
  ...['__proto__', 'constructor', '"t"', '"v"', '"q"', '192', '2024-02-30T00:00:00Z', '9999-12-31T23:59:59.9999999Z'],
  ...[
    '0001-01-01T00:00:00',
    '+14:00',
    'now',
    '-1y',
    '2h',
    '\u0000',
    '\u{10ffff}',
    'ü',
    ' ',
    '\n',
    '\ufeff',
    '//',
    '/*',
  ],
];

/** A changed text. */
export function mutateText(text: string, random: SeededRandom): string {
  let changed = text;
  const count = drawCount(random);
  for (let i = 0; i < count; i++) {
    const place = random.below(changed.length + 1);
    const end = Math.min(changed.length, place + random.below(12));
    const piece = random.chance(0.3)
      ? changed.slice(random.below(changed.length + 1)).slice(0, 20)
      : random.pick(TEXTS);
    changed = changed.slice(0, place) + (random.chance(0.3) ? '' : piece) + changed.slice(end);
  }
  return changed;
}
