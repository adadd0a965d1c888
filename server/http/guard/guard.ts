// The guard in front of every route: refuses heads whose meaning is not certain, because one that a proxy reads in
// another way than we do smuggles a second request past it. A refused request's connection must be closed, not only
// answered.

import { ProblemError } from '../../problem.ts';
import type { RawHeaders } from './raw-headers.ts';

/** The body's length when it is sent in chunks. */
export const CHUNKED_BODY = -1;

/** What a head may weigh: target, names and values together. A head of 64 KiB on the wire is always below. */
export const MAX_HEAD_BYTES = 65_536;

/** What the transports' own parsers take, so that the refusal between the two limits is ours, with a proper body. */
export const PARSER_HEAD_BYTES = 98_304;

/** Request targets are printable ASCII; everything else has to come percent-encoded. */
const printableAscii = /^[\x21-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlCharacters = /[\x00-\x08\x0a-\x1f\x7f]/;
const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const contentLength = /^[0-9]{1,15}$/;
/** RFC 3986, section 3.2: an address in brackets, or a name, and a port. */
const hostAndPort = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?$/i;

/** The body's length in bytes or `CHUNKED_BODY`; a `ProblemError` (400 or 431) when the head must be refused. */
export function checkHead(path: string, query: string, headers: RawHeaders): number | ProblemError {
  if (path.charCodeAt(0) !== 0x2f) return new ProblemError(400, 'The request target does not begin with a slash.');
  if (!printableAscii.test(path) || !printableAscii.test(query)) {
    return new ProblemError(400, 'The request target holds characters that must be percent-encoded.');
  }
  const fault = checkFields(headers, path.length + query.length);
  return fault ?? checkFraming(headers);
}

function checkFields(headers: RawHeaders, targetBytes: number): ProblemError | undefined {
  let headBytes = targetBytes;
  for (let index = 0; index < headers.count; index++) {
    const name = headers.nameAt(index);
    const value = headers.valueAt(index);
    headBytes += name.length + value.length;
    if (!fieldName.test(name)) return new ProblemError(400, 'The name of a header field is not valid.');
    if (controlCharacters.test(value)) return new ProblemError(400, `The header ${name} holds a control character.`);
  }
  if (headBytes > MAX_HEAD_BYTES) {
    return new ProblemError(431, `The request's head is larger than ${MAX_HEAD_BYTES} bytes.`);
  }
  return undefined;
}

function checkFraming(headers: RawHeaders): number | ProblemError {
  let hosts = 0;
  let host = '';
  let length: string | undefined;
  let encoding: string | undefined;
  for (let index = 0; index < headers.count; index++) {
    const name = headers.nameAt(index);
    if (name === 'host') {
      hosts++;
      host = headers.valueAt(index);
    } else if (name === 'content-length') {
      if (length !== undefined) return new ProblemError(400, 'The request has more than one Content-Length.');
      length = headers.valueAt(index);
    } else if (name === 'transfer-encoding') {
      if (encoding !== undefined) return new ProblemError(400, 'The request has more than one Transfer-Encoding.');
      encoding = headers.valueAt(index);
    }
  }
  if (hosts !== 1) return new ProblemError(400, `The request has ${hosts} Host headers; exactly one is needed.`);
  if (!hostAndPort.test(host)) return new ProblemError(400, 'The Host is not a name or an address, and a port.');
  return bodyLength(length, encoding);
}

function bodyLength(length: string | undefined, encoding: string | undefined): number | ProblemError {
  if (encoding !== undefined) {
    if (length !== undefined) return new ProblemError(400, 'The request has Content-Length and Transfer-Encoding.');
    if (encoding.toLowerCase() === 'chunked') return CHUNKED_BODY;
    return new ProblemError(400, 'The Transfer-Encoding is not chunked.');
  }
  if (length === undefined) return 0;
  return contentLength.test(length) ? Number(length) : new ProblemError(400, 'The Content-Length is not a number.');
}
