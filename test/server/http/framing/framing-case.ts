// A case of the framing table: bytes on a connection, and what RFC 9112 lets a server do with them.

/** What a case is made with. */
export interface Scene {
  /** A Host that is taken. */
  readonly host: string;
  /** Path that the first request of the case writes to. */
  readonly path: string;
  /** A whole request that writes elsewhere. */
  readonly second: string;
}

/**
 * `proper`: has one reading, and is answered with success; `faulty`: must be refused; `open`: the server may take it or
 * refuse it, with an answer.
 */
export type Meaning = 'proper' | 'faulty' | 'open';

export interface FramingCase {
  readonly title: string;
  readonly meaning: Meaning;
  /** Final answers where all is answered. */
  readonly answers: number;
  /** Whether the request behind the first one may run. */
  readonly second: 'never' | 'may run';
  /** Each piece in a segment of its own; a character is a byte. */
  readonly pieces: (scene: Scene) => readonly string[];
}

type Build = (scene: Scene) => string;

export const BODY = '[{"v": 1}, {"v": 2}]';

export function proper(title: string, build: Build, answers = 1): FramingCase {
  const second = answers > 1 ? 'may run' : 'never';
  return { title, meaning: 'proper', answers, second, pieces: (scene) => [build(scene)] };
}

export function open(title: string, build: Build): FramingCase {
  return { title, meaning: 'open', answers: 1, second: 'never', pieces: (scene) => [build(scene)] };
}

/** With another request right behind it, which must not run either. */
export function faulty(title: string, build: Build): FramingCase {
  const pieces = (scene: Scene): string[] => [build(scene) + scene.second];
  return { title, meaning: 'faulty', answers: 1, second: 'never', pieces };
}

/** A write, whose parts may be others than the usual ones. */
export function write(
  scene: Scene,
  parts: { line?: string; host?: string; fields?: string; length?: string } = {},
): string {
  const {
    line = `POST ${scene.path} HTTP/1.1\r\n`,
    host = `Host: ${scene.host}\r\n`,
    fields = '',
    length = `Content-Length: ${BODY.length}\r\n`,
  } = parts;
  return `${line}${host}${fields}${length}\r\n${BODY}`;
}

export function get(scene: Scene, fields = '', target = '/health'): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${scene.host}\r\n${fields}\r\n`;
}
