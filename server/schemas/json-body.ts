// Reads the JSON bodies that are not points: bounded in size and depth before they are parsed, because `JSON.parse`
// cannot be interrupted.

import type { HttpRequest } from '../http/http-server.ts';
import { ProblemError } from '../http/problem.ts';

/** Parses in some tens of milliseconds; about 50,000 tags. */
export const METADATA_BODY_LIMIT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws a `ProblemError`: 413 above the limit, 400 for what is not JSON in UTF-8 or nested too deep. */
export async function readJsonBody(request: HttpRequest, maxBodyBytes: number): Promise<unknown> {
  return parseJsonBody(await request.readBody(Math.min(maxBodyBytes, METADATA_BODY_LIMIT_BYTES)));
}

export function parseJsonBody(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) throw badJson(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw badJson('The body is empty; want JSON.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badJson(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badJson('The body is not UTF-8.');
  }
}

function isTooDeep(bytes: Uint8Array): boolean {
  if (!hasManyBrackets(bytes)) return false;
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText && byte === BACKSLASH) i++;
    else if (!isInText && (byte === OPEN_BRACKET || byte === OPEN_BRACE)) depth++;
    else if (!isInText && (byte === 0x5d || byte === 0x7d)) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Whether enough brackets open, wherever they stand, that the body may be too deep: most bodies have a few. */
function hasManyBrackets(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let left = MAX_DEPTH;
  for (const bracket of [OPEN_BRACKET, OPEN_BRACE]) {
    for (let at = bytes.indexOf(bracket); at >= 0; at = bytes.indexOf(bracket, at + 1)) if (left-- === 0) return true;
  }
  return false;
}

function badJson(detail: string): ProblemError {
  return new ProblemError(400, detail, { key: 'Error.BadJson', errors: [{ path: '', message: detail }] });
}
