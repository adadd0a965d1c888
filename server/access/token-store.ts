// The tokens in force: those of the token file, which is looked at again and again and read when it has changed. A file
// that is damaged or gone changes nothing: what was read before stays in force, and the log says so.
//
// Access control is on from the moment that there is a token file, also when every token in it is revoked, and stays on
// until the server ends.

import { timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hashToken, tokenIdOf } from './token.ts';
import { readTokenFile } from './token-disk.ts';
import type { TokenEntry } from './token-file.ts';

export type TokenVerdict =
  | { readonly kind: 'valid'; readonly entry: TokenEntry }
  | { readonly kind: 'unknown'; readonly id: undefined }
  | { readonly kind: 'revoked' | 'expired'; readonly id: string };

export interface TokenChange {
  readonly action: 'token.create' | 'token.change' | 'token.revoke' | 'token.remove';
  readonly entry: TokenEntry;
}

export interface TokenStoreListener {
  changed(changes: readonly TokenChange[]): void;
  failed(message: string): void;
}

const CHECK_INTERVAL_MS = 500;
/** Compared with when there is no token of the id, so that this takes as long. No token has this hash. */
const NO_HASH = Buffer.alloc(32);
const UNKNOWN: TokenVerdict = { kind: 'unknown', id: undefined };

type TokenMap = ReadonlyMap<string, TokenEntry>;

export class TokenStore {
  readonly #path: string;
  readonly #listener: TokenStoreListener;
  /** Undefined while there was no file yet. */
  #tokens: TokenMap | undefined;
  /** Tokens of this process alone, in no file. */
  readonly #own = new Map<string, TokenEntry>();
  /** Of the file as it was read last. */
  #fingerprint = '';
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, tokens: TokenMap | undefined, listener: TokenStoreListener) {
    this.#path = path;
    this.#tokens = tokens;
    this.#listener = listener;
  }

  /** Throws a `TokenFileError` when there is a file that cannot be used. */
  static open(path: string, listener: TokenStoreListener): TokenStore {
    return new TokenStore(path, toMap(readTokenFile(path)), listener);
  }

  get isOn(): boolean {
    return this.#tokens !== undefined;
  }

  get count(): number {
    return this.#tokens?.size ?? 0;
  }

  /** Looks at the file twice a second from now on. */
  watch(): void {
    let isChecking = false;
    const check = async (): Promise<void> => {
      if (isChecking) return;
      isChecking = true;
      await this.check();
      isChecking = false;
    };
    this.#timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Adds a token that holds as long as this object. */
  addOwn(entry: TokenEntry): void {
    this.#own.set(entry.id, entry);
  }

  /** `text` is what the client has sent. The comparison takes the same time whatever it is, given its length. */
  verify(text: string, nowMs: number): TokenVerdict {
    const id = tokenIdOf(text);
    const entry = id === undefined ? undefined : (this.#own.get(id) ?? this.#tokens?.get(id));
    const expected = entry === undefined ? NO_HASH : Buffer.from(entry.hash, 'hex');
    const isRight = timingSafeEqual(hashToken(text), expected);
    if (!isRight || entry === undefined) return UNKNOWN;
    if (entry.revoked !== undefined) return { kind: 'revoked', id: entry.id };
    if (entry.expires !== undefined && nowMs >= Date.parse(entry.expires)) return { kind: 'expired', id: entry.id };
    return { kind: 'valid', entry };
  }

  /** Reads the file when it is not the one that was read last. Never rejects. */
  async check(): Promise<void> {
    const found = await fingerprintOf(this.#path);
    if (found === this.#fingerprint) return;
    // Taken before the file is read: a change in between is seen by the next look.
    this.#fingerprint = found;
    try {
      this.#replace(toMap(readTokenFile(this.#path)));
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #replace(tokens: TokenMap | undefined): void {
    if (tokens === undefined) {
      if (this.isOn) this.#fail(`The token file ${this.#path} is gone.`);
      return;
    }
    const changes = changesBetween(this.#tokens ?? new Map(), tokens);
    this.#tokens = tokens;
    if (changes.length > 0) this.#listener.changed(changes);
  }

  #fail(reason: string): void {
    const consequence = this.isOn
      ? 'The tokens that were read before stay in force.'
      : 'Access control stays off until the file is good.';
    this.#listener.failed(`${reason} ${consequence}`);
  }
}

function toMap(tokens: readonly TokenEntry[] | undefined): TokenMap | undefined {
  return tokens === undefined ? undefined : new Map(tokens.map((entry) => [entry.id, entry]));
}

function changesBetween(before: TokenMap, after: TokenMap): TokenChange[] {
  const changes: TokenChange[] = [];
  for (const [id, entry] of after) {
    const old = before.get(id);
    if (old === undefined) changes.push({ action: 'token.create', entry });
    else if (JSON.stringify(old) === JSON.stringify(entry)) continue;
    else if (entry.revoked !== undefined && old.revoked === undefined) changes.push({ action: 'token.revoke', entry });
    else changes.push({ action: 'token.change', entry });
  }
  for (const [id, entry] of before) if (!after.has(id)) changes.push({ action: 'token.remove', entry });
  return changes;
}

async function fingerprintOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
