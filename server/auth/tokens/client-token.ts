// Clients: programs that fetch a short-lived token with an id and a secret (OAuth 2.0, client credentials).
//
// A client's token is `varve_<id>_<expiry>_<signature>`: the id of its entry in the token file, the time in ms when it
// ends, and an HMAC over both by the key in that entry. Nothing of it is kept, so it outlives a restart; what it may do is
// looked up in the entry each time, so revoking the client ends all its tokens.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TokenEntry } from './token-file.ts';

const SECRET_BYTES = 32;
const KEY_BYTES = 32;
const CLIENT_TOKEN_FORM = /^varve_([0-9a-f]{8})_([1-9]\d{12,14})_([A-Za-z0-9_-]{43})$/;
/** Signed with when there is no client of the id, so that this takes as long. */
const NO_KEY = '00'.repeat(KEY_BYTES);

export interface ClientToken {
  /** Id of the client's entry. */
  readonly id: string;
  /** When it ends, in ms since 1970. */
  readonly untilMs: number;
  readonly signature: string;
}

/** Shown once; the entry has its hash only. No token has this form. */
export function createClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function createSigningKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** A token of the client that ends at `untilMs`, a whole number. */
export function signClientToken({ id, signingKey }: TokenEntry, untilMs: number): string {
  if (signingKey === undefined) throw new Error(`BUG: ${id} is no client`);
  return `varve_${id}_${untilMs}_${signatureOf(id, untilMs, signingKey).toString('base64url')}`;
}

/** Undefined for a text that has not the form of a client's token. */
export function parseClientToken(text: string): ClientToken | undefined {
  const [, id, until, signature] = CLIENT_TOKEN_FORM.exec(text) ?? [];
  if (id === undefined || until === undefined || signature === undefined) return undefined;
  return { id, untilMs: Number(until), signature };
}

/** `entry` is the one of the token's id, if there is one. Takes the same time whatever the signature is. */
export function isSignedBy({ id, untilMs, signature }: ClientToken, entry: TokenEntry | undefined): boolean {
  const expected = signatureOf(id, untilMs, entry?.signingKey ?? NO_KEY);
  const isRight = timingSafeEqual(Buffer.from(signature, 'base64url'), expected);
  return isRight && entry?.signingKey !== undefined;
}

function signatureOf(id: string, untilMs: number, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`${id}_${untilMs}`).digest();
}
