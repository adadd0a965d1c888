// Several requests on one connection, and requests in several segments.

import { BODY, type FramingCase, get, type Scene, write } from './framing-case.ts';

interface Sequence {
  readonly answers: number;
  readonly second: FramingCase['second'];
}

function sequence(title: string, build: (scene: Scene) => readonly string[], how: Sequence): FramingCase {
  return { title, meaning: 'proper', pieces: build, ...how };
}

const both = (title: string, build: (scene: Scene) => readonly string[]): FramingCase =>
  sequence(title, build, { answers: 2, second: 'may run' });
const firstAlone = (title: string, build: (scene: Scene) => readonly string[]): FramingCase =>
  sequence(title, build, { answers: 1, second: 'never' });

const CLOSE = 'Connection: close\r\n';

function chunkedWrite({ host, path }: Scene): string {
  const chunk = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`;
}

/** A write cut in two behind the first place where `mark` is found, and so many bytes more. */
function cutAt(title: string, mark: string, more = 0): FramingCase {
  return firstAlone(`cut ${title}`, (scene) => {
    const text = write(scene, { fields: 'X-Field: value\r\n' });
    const at = text.indexOf(mark) + mark.length + more;
    return [text.slice(0, at), text.slice(at)];
  });
}

export const sequenceCases: readonly FramingCase[] = [
  both('a read, and a write behind it', (scene) => [get(scene) + scene.second]),
  both('a write, and another behind it', (scene) => [write(scene) + scene.second]),
  both('a chunked write, and another behind it', (scene) => [chunkedWrite(scene) + scene.second]),
  both('a write, CRLF, and another behind it', (scene) => [`${write(scene)}\r\n${scene.second}`]),
  both('a slow answer, and a write behind it', (scene) => [get(scene, '', '/metrics') + scene.second]),
  both('a write, and another in the next segment', (scene) => [write(scene), scene.second]),
  both('the end of a write together with another', (scene) => {
    const text = write(scene) + scene.second;
    return [text.slice(0, text.indexOf(BODY) + 3), text.slice(text.indexOf(BODY) + 3)];
  }),
  sequence('twenty reads', (scene) => [get(scene).repeat(20)], { answers: 20, second: 'never' }),
  sequence(
    'HTTP/1.0 that is kept open, and a write behind it',
    (scene) => [`GET /health HTTP/1.0\r\nHost: ${scene.host}\r\nConnection: keep-alive\r\n\r\n${scene.second}`],
    { answers: 2, second: 'may run' },
  ),
  firstAlone('HTTP/1.0, and a write behind it', (scene) => [
    `GET /health HTTP/1.0\r\nHost: ${scene.host}\r\n\r\n${scene.second}`,
  ]),
  firstAlone('a read that is the last, and a write behind it', (scene) => [get(scene, CLOSE) + scene.second]),
  firstAlone('a write that is the last, and another behind it', (scene) => [
    write(scene, { fields: CLOSE }) + scene.second,
  ]),
  firstAlone('the last in a list and in capitals, and a write behind it', (scene) => [
    get(scene, 'Connection: x, CLOSE\r\n') + scene.second,
  ]),
  firstAlone('the last in the second of two fields, and a write behind it', (scene) => [
    get(scene, `Connection: keep-alive\r\n${CLOSE}`) + scene.second,
  ]),
  firstAlone('a read that is the last, and a write in the next segment', (scene) => [get(scene, CLOSE), scene.second]),
  firstAlone('the last write, and another in the next segment', (scene) => [
    write(scene, { fields: CLOSE }),
    scene.second,
  ]),
  // Segments
  firstAlone('a write byte by byte', (scene) => write(scene).split('')),
  cutAt('in the method', 'PO'),
  cutAt('behind the method', 'POST '),
  cutAt('in the target', '/api'),
  cutAt('ahead of the version', ' HTTP'),
  cutAt('in the version', 'HTTP/1'),
  cutAt('between CR and LF of the request line', 'HTTP/1.1\r'),
  cutAt('behind the request line', 'HTTP/1.1\r\n'),
  cutAt('in a name', 'X-Fi'),
  cutAt('before a colon', 'X-Field'),
  cutAt('behind a colon', 'X-Field:'),
  cutAt('in a value', 'X-Field: va'),
  cutAt('between CR and LF of a field', 'X-Field: value\r'),
  cutAt('ahead of the empty line', `Content-Length: ${BODY.length}\r\n`),
  cutAt('in the empty line', `Content-Length: ${BODY.length}\r\n\r`),
  cutAt('ahead of the body', '\r\n\r\n'),
  cutAt('in the body', '\r\n\r\n', 5),
];
