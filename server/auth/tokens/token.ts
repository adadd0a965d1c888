// A token as its holder has it: `varve_<id>_<secret>`. The id names it in lists and logs; the secret is 32 random bytes.

import { createHash, randomBytes } from 'node:crypto';

const ID_BYTES = 4;
const SECRET_BYTES = 32;
const TOKEN_FORM = /^varve_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;
export const TOKEN_ID_FORM = /^[0-9a-f]{8}$/;

export interface NewToken {
  readonly id: string;
  /** Shown once, and kept nowhere. */
  readonly token: string;
}

/** `isTaken` says whether an id is in use. */
export function createToken(isTaken: (id: string) => boolean = () => false): NewToken {
  let id = randomBytes(ID_BYTES).toString('hex');
  while (isTaken(id)) id = randomBytes(ID_BYTES).toString('hex');
  return { id, token: `varve_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}` };
}

/** The id of a text that has the form of a token. */
export function tokenIdOf(text: string): string | undefined {
  return TOKEN_FORM.exec(text)?.[1];
}

/**
 * What is kept of a token. One round of SHA-256 is enough, and fast enough for every request: slow and salted hashes
 * protect what people choose and can be guessed; 256 random bits cannot.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
