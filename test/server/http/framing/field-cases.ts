// Header fields of every form: Host, names, values, how many, how long, and what asks for something else.

import { type FramingCase, faulty, get, open, proper, type Scene, write } from './framing-case.ts';

const faultyHost = (title: string, host: (scene: Scene) => string): FramingCase =>
  faulty(title, (scene) => write(scene, { host: host(scene) }));
const faultyField = (title: string, fields: string): FramingCase => faulty(title, (scene) => write(scene, { fields }));
const openField = (title: string, fields: string): FramingCase => open(title, (scene) => write(scene, { fields }));
const properField = (title: string, fields: string): FramingCase => proper(title, (scene) => write(scene, { fields }));

const many = (count: number): string => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('');

export const fieldCases: readonly FramingCase[] = [
  // Host
  faultyHost('no Host', () => ''),
  faultyHost('a Host twice', ({ host }) => `Host: ${host}\r\nHost: ${host}\r\n`),
  faultyHost('a list of Hosts', ({ host }) => `Host: ${host}, ${host}\r\n`),
  faultyHost('a Host with a path', ({ host }) => `Host: ${host}/x\r\n`),
  faultyHost('a Host with a user', ({ host }) => `Host: a@${host}\r\n`),
  faultyHost('a Host with a blank', ({ host }) => `Host: a ${host}\r\n`),
  faultyHost('a Host with a port of letters', () => 'Host: localhost:x\r\n'),
  faultyHost('a blank before the colon of Host', ({ host }) => `Host : ${host}\r\n`),
  open('an empty Host', (scene) => write(scene, { host: 'Host:\r\n' })),
  open('a Host that this server is not called by', (scene) => write(scene, { host: 'Host: elsewhere.example\r\n' })),
  // Names
  faultyField('a blank before a colon', 'X : y\r\n'),
  faultyField('a tab before a colon', 'X\t: y\r\n'),
  faultyField('a field without a colon', 'X\r\n'),
  faultyField('a field without a name', ': y\r\n'),
  faultyField('a blank in a name', 'X Y: y\r\n'),
  faultyField('NUL in a name', 'X\0Y: y\r\n'),
  faultyField('a byte above 127 in a name', 'X\xe4: y\r\n'),
  faultyField('a slash in a name', 'X/Y: y\r\n'),
  faultyField('brackets in a name', 'X[Y]: y\r\n'),
  faultyField('quotes in a name', '"X": y\r\n'),
  faultyField('a bare CR in a name', 'X\rY: y\r\n'),
  openField('a name of every character that there is', "!#$%&'*+-.^_`|~09azAZ: y\r\n"),
  // Values
  properField('an empty value', 'X:\r\n'),
  properField('blanks and tabs around a value', 'X: \t y \t \r\n'),
  properField('no blank before a value', 'X:y\r\n'),
  openField('bytes above 127 in a value', 'X: \xe4\xff\r\n'),
  faultyField('NUL in a value', 'X: a\0b\r\n'),
  faultyField('BEL in a value', 'X: a\x07b\r\n'),
  faultyField('a vertical tab in a value', 'X: a\x0bb\r\n'),
  faultyField('DEL in a value', 'X: a\x7fb\r\n'),
  faultyField('a bare CR in a value', 'X: a\rb\r\n'),
  faultyField('a bare CR that hides a length', 'X: a\rContent-Length: 0\r\n'),
  faultyField('CR CR LF behind a value', 'X: a\r\r\n'),
  openField('a field that ends in LF', 'X: y\n'),
  faultyField('a field that ends in CR', 'X: y\r'),
  // Folded lines
  openField('a line folded by a blank', 'X: a\r\n b\r\n'),
  openField('a line folded by a tab', 'X: a\r\n\tb\r\n'),
  openField('a folded line of blanks', 'X: a\r\n  \r\n'),
  faulty('a blank ahead of the first field', (scene) => write(scene, { host: ` Host: ${scene.host}\r\n` })),
  faulty('a folded Host', (scene) => write(scene, { host: `Host:\r\n ${scene.host}\r\n` })),
  faulty('a folded length', (scene) => write(scene, { length: 'Content-Length:\r\n 0\r\n' })),
  // How many, how long
  properField('48 fields', many(46)),
  openField('98 fields', many(96)),
  openField('99 fields', many(97)),
  openField('200 fields', many(198)),
  openField('3,000 fields', many(2998)),
  properField('a value of 3,000 bytes', `X: ${'y'.repeat(3000)}\r\n`),
  properField('a value of 60,000 bytes', `X: ${'y'.repeat(60_000)}\r\n`),
  faultyField('a value of 70,000 bytes', `X: ${'y'.repeat(70_000)}\r\n`),
  faultyField('a value of 150,000 bytes', `X: ${'y'.repeat(150_000)}\r\n`),
  faultyField('a name of 70,000 bytes', `${'X'.repeat(70_000)}: y\r\n`),
  // What asks for something else
  properField('Expect: 100-continue', 'Expect: 100-continue\r\n'),
  openField('Expect: something else', 'Expect: nonsense\r\n'),
  openField(
    'Upgrade to h2c',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  ),
  open('Upgrade to WebSocket without a key', (scene) => get(scene, 'Connection: Upgrade\r\nUpgrade: websocket\r\n')),
  open('Upgrade to WebSocket where none is spoken', (scene) =>
    get(
      scene,
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    ),
  ),
  properField('TE: trailers', 'TE: trailers\r\n'),
  properField('Connection names the length', 'Connection: Content-Length\r\n'),
];
