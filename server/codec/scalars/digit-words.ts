// Digits in groups of four bytes, read as one little-endian word: how many there are, and what they add up to.
// Small integers in and out, so that the callers' loops take these functions in (`bench/server/json.ts`).

const ZEROS = 0x30303030;

/** How many digits the word begins with, 0 to 4. */
export function countDigits(word: number): number {
  const distance = word ^ ZEROS; // 0 to 9 in the bytes that are digits
  const others = ((distance + 0x76767676) | distance) & 0x80808080;
  // the lowest bit that is set marks the first other byte; sums carry upwards only
  return others === 0 ? 4 : (31 - Math.clz32(others & -others)) >>> 3;
}

/** Whether all four bytes of the word are digits. */
export function isFourDigits(word: number): boolean {
  const distance = word ^ ZEROS;
  return (((distance + 0x76767676) | distance) & 0x80808080) === 0;
}

/** The first `count` digits of the word, 1 to 4, as a number. */
export function digitsOf(word: number, count: number): number {
  const digits = (word ^ ZEROS) << (32 - count * 8); // zeros come in front
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}

/** `:ss.` and `mmmZ` as ms; -1 when the words are something else. */
export function secondsOf(secondWord: number, msWord: number): number {
  if ((secondWord & 0xfff0f0ff) !== 0x2e30303a || ((msWord & 0xfff0f0f0) | 0) !== 0x5a303030) return -1;
  // adding 6 carries a nibble past 9 into the next one, adding 10 one past 5
  if (((secondWord + 0x00060a00) & 0x00f0f000) !== 0x00303000) return -1;
  if (((msWord + 0x00060606) & 0x00f0f0f0) !== 0x00303030) return -1;
  const seconds = ((secondWord >>> 8) & 0x0f) * 10 + ((secondWord >>> 16) & 0x0f);
  return seconds * 1000 + (msWord & 0x0f) * 100 + ((msWord >>> 8) & 0x0f) * 10 + ((msWord >>> 16) & 0x0f);
}
