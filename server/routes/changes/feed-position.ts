// Positions of the change feed: what a client has of each tag. They stand for themselves, so that the server keeps none, and a
// restart changes nothing.

import { badParameter } from '../../api/validation/bad-parameter.ts';

/** What a client has of a tag. */
export interface TagPosition {
  /** The ordinal of the next point. */
  readonly next: number;
  /** Number of its definition; of the log of corrections the ordinal of the next entry that tells of a correction. */
  readonly content: number;
}

export interface FeedPosition {
  /** Identity of the dataset. */
  readonly identity: string;
  /** By tag id, in order. */
  readonly tags: ReadonlyMap<number, TagPosition>;
}

const VERSION = 1;
const IDENTITY_BYTES = 16;

export function formatPosition({ identity, tags }: FeedPosition): string {
  const bytes = [VERSION, ...Buffer.from(identity, 'hex')];
  let before = 0;
  for (const [id, { next, content }] of tags) {
    for (const number of [id - before, next, content]) pushNumber(bytes, number);
    before = id;
  }
  return Buffer.from(bytes).toString('base64url');
}

/** Throws a 400 for what no answer has had. */
export function parsePosition(text: string): FeedPosition {
  const bytes = Buffer.from(text, 'base64url');
  const tags = new Map<number, TagPosition>();
  const at = { offset: 1 + IDENTITY_BYTES };
  let id = 0;
  let isWhole = bytes[0] === VERSION && bytes.length >= at.offset && bytes.toString('base64url') === text;
  while (isWhole && at.offset < bytes.length) {
    const [step, next, content] = [readNumber(bytes, at), readNumber(bytes, at), readNumber(bytes, at)];
    isWhole = Number.isSafeInteger(step + next + content);
    id += step;
    tags.set(id, { next, content });
  }
  if (isWhole) return { identity: bytes.toString('hex', 1, 1 + IDENTITY_BYTES), tags };
  throw badParameter(
    `'after' is '${text.slice(0, 60)}'; want the 'position' of an answer as it was, or none to begin.`,
  );
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function pushNumber(bytes: number[], number: number): void {
  let left = number;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
}

/** NaN where the bytes end. */
function readNumber(bytes: Uint8Array, at: { offset: number }): number {
  let number = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at.offset++];
    if (byte === undefined) return Number.NaN;
    number += (byte % 128) * factor;
    if (byte < 128) return number;
  }
}
