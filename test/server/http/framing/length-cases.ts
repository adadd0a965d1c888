// Lengths and encodings of bodies, as those who smuggle requests write them: beside smuggling-cases.ts, which has more.

import { smugglingCases } from '../support/smuggling-cases.ts';
import { BODY, type FramingCase, faulty, get, open, proper, type Scene, write } from './framing-case.ts';

const size = BODY.length;
const CHUNKED = `${size.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

function chunkedWrite({ host, path }: Scene, fields: string, version = 'HTTP/1.1'): string {
  return `POST ${path} ${version}\r\nHost: ${host}\r\n${fields}\r\n${CHUNKED}`;
}

const faultyLength = (title: string, length: string): FramingCase => faulty(title, (scene) => write(scene, { length }));
const faultyEncoding = (title: string, fields: string): FramingCase =>
  faulty(title, (scene) => chunkedWrite(scene, fields));

/** Cases that a table of texts has, as cases of this one. */
function smuggling(): FramingCase[] {
  return smugglingCases('', '').map(([title], at) => ({
    title: `smuggling: ${title}`,
    meaning: 'faulty',
    answers: 1,
    second: 'never',
    pieces: ({ host, second }) => [smugglingCases(host, second)[at]?.[1] ?? ''],
  }));
}

export const lengthCases: readonly FramingCase[] = [
  ...smuggling(),
  faultyLength('a length twice', `Content-Length: ${size}\r\nContent-Length: ${size}\r\n`),
  faultyLength('a list of equal lengths', `Content-Length: ${size}, ${size}\r\n`),
  faultyLength('a negative length', 'Content-Length: -1\r\n'),
  faultyLength('a length with a point', `Content-Length: ${size}.0\r\n`),
  faultyLength('a length with an exponent', 'Content-Length: 2e1\r\n'),
  faultyLength('a length with an underscore', 'Content-Length: 2_0\r\n'),
  faultyLength('a length with a blank in it', 'Content-Length: 2 0\r\n'),
  faultyLength('a length with letters behind it', `Content-Length: ${size}x\r\n`),
  faultyLength('a length in quotes', `Content-Length: "${size}"\r\n`),
  faultyLength('a length with NUL behind it', `Content-Length: ${size}\0\r\n`),
  faultyLength('a length of 2^64 and its own', `Content-Length: 184467440737095516${16 + size}\r\n`),
  faultyLength('a length with a tab before the colon', `Content-Length\t: ${size}\r\n`),
  faultyLength('a length in other digits', 'Content-Length: \xd9\xa2\xd9\xa0\r\n'),
  open('a length with zeros in front', (scene) => write(scene, { length: `Content-Length: 00${size}\r\n` })),
  proper('a length in capitals', (scene) => write(scene, { length: `CONTENT-LENGTH: ${size}\r\n` })),
  proper('a read with a length of 0', (scene) => get(scene, 'Content-Length: 0\r\n')),
  open('a read with a body', (scene) => `${get(scene, `Content-Length: ${size}\r\n`)}${BODY}`),
  open('a write without a body', ({ host, path }) => `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  proper('Chunked in capitals', (scene) => chunkedWrite(scene, 'Transfer-Encoding: CHUNKED\r\n')),
  open('blanks and tabs around the encoding', (scene) => chunkedWrite(scene, 'Transfer-Encoding: \t chunked \t\r\n')),
  faultyEncoding('an empty encoding', 'Transfer-Encoding:\r\n'),
  faultyEncoding('identity', 'Transfer-Encoding: identity\r\n'),
  faultyEncoding('gzip', 'Transfer-Encoding: gzip\r\n'),
  faultyEncoding('gzip, chunked', 'Transfer-Encoding: gzip, chunked\r\n'),
  faultyEncoding('chunked, chunked', 'Transfer-Encoding: chunked, chunked\r\n'),
  faultyEncoding('chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
  faultyEncoding('a comma ahead of chunked', 'Transfer-Encoding: , chunked\r\n'),
  faultyEncoding('a comma behind chunked', 'Transfer-Encoding: chunked,\r\n'),
  faultyEncoding('a parameter of chunked', 'Transfer-Encoding: chunked;q=1\r\n'),
  faultyEncoding('NUL behind chunked', 'Transfer-Encoding: chunked\0\r\n'),
  faultyEncoding('a bare CR ahead of chunked', 'Transfer-Encoding:\rchunked\r\n'),
  faultyEncoding('a blank before the colon of the encoding', 'Transfer-Encoding : chunked\r\n'),
  faultyEncoding('a byte above 127 in chunked', 'Transfer-Encoding: chunke\xe4\r\n'),
  faultyEncoding(
    'the right length beside chunked',
    `Content-Length: ${CHUNKED.length}\r\nTransfer-Encoding: chunked\r\n`,
  ),
  faultyEncoding(
    'an encoding ahead of two lengths',
    'Transfer-Encoding: chunked\r\nContent-Length: 0\r\nContent-Length: 1\r\n',
  ),
  {
    // Its body may be taken (RFC 9112, section 6.1), when the connection ends with it.
    title: 'chunked in HTTP/1.0',
    meaning: 'open',
    answers: 1,
    second: 'never',
    pieces: (scene) => [chunkedWrite(scene, 'Transfer-Encoding: chunked\r\n', 'HTTP/1.0') + scene.second],
  },
];
