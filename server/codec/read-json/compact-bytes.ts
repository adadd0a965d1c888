// The bytes between the values of points as most clients write them:
// `{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192}`, in that order and without spaces.

export function asciiHalf(text: string): number {
  return Buffer.from(text, 'latin1').readInt16LE(0);
}
export function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
/** Eight ASCII bytes as the double they make: never NaN and never zero, so that equality is equality of the bytes. */
export function asciiDouble(text: string): number {
  return Buffer.from(text, 'latin1').readDoubleLE(0);
}

/** `","v":` as two words that share their middle. */
export const VALUE_FRONT = asciiWord('","v');
export const VALUE_BACK = asciiWord('"v":');
export const VALUE_KEY_BYTES = 6;
export const GOOD_QUALITY_DOUBLE = asciiDouble(',"q":192');
export const GOOD_QUALITY_BYTES = 8;
/** The end of a point and the beginning of the next. */
export const NEXT_DOUBLE = asciiDouble('},{"t":"');
export const NEXT_BYTES = 8;

/** More than any point of the common form takes: reading whole words this far from the end never runs past it. */
export const MARGIN_BYTES = 128;
