// The seam to randomness: identities of journals and files.

export interface Random {
  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number;
}

export const systemRandom: Random = {
  uint32: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
};
