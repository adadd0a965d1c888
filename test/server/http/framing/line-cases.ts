// Request lines of every form: methods, targets, versions, and what comes ahead of them.

import { type FramingCase, faulty, get, open, proper, type Scene, write } from './framing-case.ts';

type Line = (scene: Scene) => string;

const faultyLine = (title: string, line: Line): FramingCase =>
  faulty(title, (scene) => write(scene, { line: line(scene) }));
const openLine = (title: string, line: Line): FramingCase =>
  open(title, (scene) => write(scene, { line: line(scene) }));

export const lineCases: readonly FramingCase[] = [
  proper('a read', (scene) => get(scene)),
  proper('a write', (scene) => write(scene)),
  proper('HEAD', ({ host }) => `HEAD /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('OPTIONS of a path', ({ host }) => `OPTIONS /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('OPTIONS *', ({ host }) => `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('TRACE', ({ host }) => `TRACE /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('CONNECT', ({ host }) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('a method that nobody knows', ({ host }) => `BREW /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  open('a method in small letters', ({ host }) => `get /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  faultyLine('no method', ({ path }) => `${path} HTTP/1.1\r\n`),
  faultyLine('a colon in the method', ({ path }) => `PO:ST ${path} HTTP/1.1\r\n`),
  faultyLine('NUL in the method', ({ path }) => `PO\0ST ${path} HTTP/1.1\r\n`),
  faultyLine('a method of 8,000 letters', ({ path }) => `${'P'.repeat(8000)} ${path} HTTP/1.1\r\n`),
  // Targets
  proper('absolute-form', (scene) => get(scene, '', `http://${scene.host}/health`)),
  proper('absolute-form without a path', (scene) => get(scene, '', `http://${scene.host}`)),
  proper(
    'absolute-form, and a Host that is another',
    ({ host }) => `GET http://${host}/health HTTP/1.1\r\nHost: other\r\n\r\n`,
  ),
  open('absolute-form of another scheme', (scene) => get(scene, '', `ftp://${scene.host}/health`)),
  open('a target of a slash and a question mark', (scene) => get(scene, '', '/?')),
  open('a target of two slashes', (scene) => get(scene, '', '//health')),
  open('a percent sign without digits', (scene) => get(scene, '', '/health?a=%')),
  open('a fragment in the target', (scene) => get(scene, '', '/health#a')),
  faultyLine('a target without a slash', () => 'POST api HTTP/1.1\r\n'),
  faultyLine('a target that is a star', () => 'POST * HTTP/1.1\r\n'),
  faultyLine('no target', () => 'POST HTTP/1.1\r\n'),
  faultyLine('NUL in the target', ({ path }) => `POST ${path}\0 HTTP/1.1\r\n`),
  faultyLine('DEL in the target', ({ path }) => `POST ${path}\x7f HTTP/1.1\r\n`),
  faultyLine('bytes above 127 in the target', ({ path }) => `POST ${path}\xc3\xa4 HTTP/1.1\r\n`),
  faultyLine('a tab in the target', ({ path }) => `POST ${path}\tx HTTP/1.1\r\n`),
  faultyLine('a blank in the target', ({ path }) => `POST ${path} x HTTP/1.1\r\n`),
  faultyLine('a bare CR in the target', ({ path }) => `POST ${path}\rx HTTP/1.1\r\n`),
  faultyLine('a target of 70,000 bytes', ({ path }) => `POST ${path}?${'a'.repeat(70_000)} HTTP/1.1\r\n`),
  // Versions
  proper('HTTP/1.0', ({ host }) => `GET /health HTTP/1.0\r\nHost: ${host}\r\n\r\n`),
  proper('HTTP/1.0 without a Host', () => 'GET /health HTTP/1.0\r\n\r\n'),
  proper(
    'HTTP/1.0 that is kept open',
    ({ host }) => `GET /health HTTP/1.0\r\nHost: ${host}\r\nConnection: keep-alive\r\n\r\n`,
  ),
  open('HTTP/0.9', () => 'GET /health\r\n\r\n'),
  open('HTTP/1.2', ({ host }) => `GET /health HTTP/1.2\r\nHost: ${host}\r\n\r\n`),
  faultyLine('HTTP/2.0', ({ path }) => `POST ${path} HTTP/2.0\r\n`),
  faultyLine('HTTP/9.9', ({ path }) => `POST ${path} HTTP/9.9\r\n`),
  faultyLine('HTTP/1.', ({ path }) => `POST ${path} HTTP/1.\r\n`),
  faultyLine('HTTP/1.10', ({ path }) => `POST ${path} HTTP/1.10\r\n`),
  faultyLine('HTTP/11', ({ path }) => `POST ${path} HTTP/11\r\n`),
  faultyLine('a version in small letters', ({ path }) => `POST ${path} http/1.1\r\n`),
  faultyLine('another protocol', ({ path }) => `POST ${path} ICAP/1.0\r\n`),
  faultyLine('letters behind the version', ({ path }) => `POST ${path} HTTP/1.1x\r\n`),
  faulty('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  faulty('the beginning of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\r\n\r\n'),
  // Blanks and line ends
  proper('CRLF ahead of the request line', (scene) => `\r\n${write(scene)}`),
  open('CRLF twice ahead of the request line', (scene) => `\r\n\r\n${write(scene)}`),
  open('LF ahead of the request line', (scene) => `\n${write(scene)}`),
  faultyLine('a blank ahead of the method', ({ path }) => ` POST ${path} HTTP/1.1\r\n`),
  faultyLine('NUL ahead of the method', ({ path }) => `\0POST ${path} HTTP/1.1\r\n`),
  openLine('two blanks behind the method', ({ path }) => `POST  ${path} HTTP/1.1\r\n`),
  openLine('two blanks ahead of the version', ({ path }) => `POST ${path}  HTTP/1.1\r\n`),
  openLine('a blank behind the version', ({ path }) => `POST ${path} HTTP/1.1 \r\n`),
  faultyLine('a tab behind the method', ({ path }) => `POST\t${path} HTTP/1.1\r\n`),
  openLine('a request line that ends in LF', ({ path }) => `POST ${path} HTTP/1.1\n`),
  faultyLine('a request line that ends in CR', ({ path }) => `POST ${path} HTTP/1.1\r`),
  faultyLine('a request line that ends in CR CR LF', ({ path }) => `POST ${path} HTTP/1.1\r\r\n`),
];
