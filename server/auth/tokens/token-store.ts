// The tokens in force: those of the token file, which is polled, and read when it has changed. A file
// that is damaged or missing changes nothing: the tokens read before stay in force, and the log says so.
//
// Access control is on from the moment that there is a token file, also when every token in it is revoked, and stays on
// until the server ends.

import { timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type ClientToken, isSignedBy, parseClientToken } from './client-token.ts';
import { hashToken, tokenIdOf } from './token.ts';
import { readTokenFile } from './token-disk.ts';
import type { TokenEntry } from './token-file.ts';

/** What a token lets its holder do, and how long. */
export interface Grant {
  readonly entry: TokenEntry;
  /** In ms since 1970; Infinity without an end. */
  readonly untilMs: number;
}

export type TokenVerdict =
  | ({ readonly kind: 'valid' } & Grant)
  | { readonly kind: 'unknown'; readonly id: undefined }
  /** `lapsed`: the time of a client's token is over, and the client may have another one. */
  | { readonly kind: 'revoked' | 'expired' | 'lapsed'; readonly id: string };

export interface TokenChange {
  readonly action: 'token.create' | 'token.change' | 'token.revoke' | 'token.remove';
  readonly entry: TokenEntry;
}

export interface TokenStoreListener {
  changed(changes: readonly TokenChange[]): void;
  failed(message: string): void;
}

/** Short enough for a change to count within a second, also when reading the file takes its time. */
const CHECK_INTERVAL_MS = 250;
/** Compared with when there is no token of the id, so that this takes as long. No token has this hash. */
const NO_HASH = Buffer.alloc(32);
const UNKNOWN: TokenVerdict = { kind: 'unknown', id: undefined };

type TokenMap = ReadonlyMap<string, TokenEntry>;

export class TokenStore {
  readonly #path: string;
  readonly #listener: TokenStoreListener;
  /** Undefined while there was no file yet. */
  #tokens: TokenMap | undefined;
  /** By client id: of several the one that is not revoked. */
  #clients: TokenMap;
  /** Tokens of this process alone, in no file. */
  readonly #own = new Map<string, TokenEntry>();
  /** Fingerprint of the file as it was read last. */
  #fingerprint = '';
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, tokens: TokenMap | undefined, listener: TokenStoreListener) {
    this.#path = path;
    this.#tokens = tokens;
    this.#clients = toClientMap(tokens);
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

  /** Looks at the file four times a second from now on, and calls back after each look. */
  watch(onLooked: () => void = () => {}): void {
    let isChecking = false;
    const check = async (): Promise<void> => {
      if (isChecking) return;
      isChecking = true;
      await this.check();
      isChecking = false;
      onLooked();
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
    const token = parseClientToken(text);
    if (token !== undefined) return this.#verifyClientToken(token, nowMs);
    const id = tokenIdOf(text);
    const entry = id === undefined ? undefined : this.#entryOf(id);
    // The secret of a client is for fetching tokens; it is none itself.
    return hasSecret(entry, text) && entry.client === undefined ? verdictOn(entry, nowMs) : UNKNOWN;
  }

  /** Verdict on a client that says who it is; the same holds as for `verify`. */
  verifyClient(clientId: string, secret: string, nowMs: number): TokenVerdict {
    const entry = this.#clients.get(clientId);
    return hasSecret(entry, secret) ? verdictOn(entry, nowMs) : UNKNOWN;
  }

  /** Whether a grant of `verify` is still as it was: not revoked, changed, removed or over. */
  holds({ entry, untilMs }: Grant, nowMs: number): boolean {
    return nowMs < untilMs && this.#entryOf(entry.id) === entry;
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

  #entryOf(id: string): TokenEntry | undefined {
    return this.#own.get(id) ?? this.#tokens?.get(id);
  }

  #verifyClientToken(token: ClientToken, nowMs: number): TokenVerdict {
    const entry = this.#tokens?.get(token.id);
    if (!isSignedBy(token, entry) || entry === undefined) return UNKNOWN;
    const verdict = verdictOn(entry, nowMs);
    if (verdict.kind !== 'valid') return verdict;
    if (nowMs >= token.untilMs) return { kind: 'lapsed', id: token.id };
    return { ...verdict, untilMs: Math.min(token.untilMs, verdict.untilMs) };
  }

  #replace(found: TokenMap | undefined): void {
    if (found === undefined) {
      if (this.isOn) this.#fail(`The token file ${this.#path} is gone.`);
      return;
    }
    const before = this.#tokens ?? new Map<string, TokenEntry>();
    const changes = changesBetween(before, found);
    const changedIds = new Set(changes.map(({ entry }) => entry.id));
    // An entry that is as it was stays the same object: `holds` goes by that.
    this.#tokens = new Map(
      [...found].map(([id, entry]) => [id, changedIds.has(id) ? entry : (before.get(id) ?? entry)]),
    );
    this.#clients = toClientMap(this.#tokens);
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

function toClientMap(tokens: TokenMap | undefined): TokenMap {
  const clients = new Map<string, TokenEntry>();
  for (const entry of tokens?.values() ?? []) {
    if (entry.client === undefined) continue;
    if (entry.revoked === undefined || !clients.has(entry.client)) clients.set(entry.client, entry);
  }
  return clients;
}

/** Takes the same time whatever `secret` is, given its length. */
function hasSecret(entry: TokenEntry | undefined, secret: string): entry is TokenEntry {
  const expected = entry === undefined ? NO_HASH : Buffer.from(entry.hash, 'hex');
  const isRight = timingSafeEqual(hashToken(secret), expected);
  return isRight && entry !== undefined;
}

function verdictOn(entry: TokenEntry, nowMs: number): TokenVerdict {
  if (entry.revoked !== undefined) return { kind: 'revoked', id: entry.id };
  const untilMs = entry.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(entry.expires);
  return nowMs < untilMs ? { kind: 'valid', entry, untilMs } : { kind: 'expired', id: entry.id };
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
