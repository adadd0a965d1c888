import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostBodyBytes, pointHandling } from '../../../server/routes/service/service.ts';
import { readSettings, UsageError } from '../../../server/settings/read-settings.ts';
import type { Settings } from '../../../server/settings/settings.ts';

interface Given {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: unknown;
}

function read({ flags = [], environment = {}, file }: Given): Settings {
  return readSettings({
    flags: file === undefined ? flags : ['--config', 'varve.json', ...flags],
    environment,
    readFile(path) {
      if (path !== 'varve.json') throw new Error(`no file ${path}`);
      return typeof file === 'string' ? file : JSON.stringify(file);
    },
  });
}

function assertRefused(given: Given, pattern: RegExp): void {
  assert.throws(
    () => read(given),
    (error) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, pattern);
      return true;
    },
  );
}

test('without anything given the defaults hold', () => {
  const settings = read({});
  assert.equal(settings.data, './data');
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.port, 4511);
  assert.equal(settings.durability, 'group');
  assert.equal(settings.http, 'auto');
  assert.equal(settings.compat, undefined);
  assert.equal(settings['max-body'], undefined);
  assert.equal(settings['max-ahead'], undefined);
  assert.deepEqual(settings['allow-host'], []);
  assert.equal(settings['on-bad-point'], undefined);
});

test('the order is defaults < file < environment < flags', () => {
  const file = { port: 1, host: 'file', data: 'file' };
  const environment = { VARVE_PORT: '2', VARVE_HOST: 'environment' };
  const settings = read({ file, environment, flags: ['--port', '3'] });
  assert.deepEqual([settings.port, settings.host, settings.data], [3, 'environment', 'file']);
});

test('a flag takes its value behind a blank or an equals sign', () => {
  assert.equal(read({ flags: ['--port', '0'] }).port, 0);
  assert.equal(read({ flags: ['--port=0'] }).port, 0);
  assert.equal(read({ flags: ['--data=a=b'] }).data, 'a=b');
});

test('a switch needs no value and can be switched off', () => {
  assert.equal(read({ flags: ['--demo'] }).demo, true);
  assert.equal(read({ flags: ['--no-demo'], environment: { VARVE_DEMO: 'true' } }).demo, false);
  assert.equal(read({ flags: ['--demo=false'] }).demo, false);
  assert.equal(read({ file: { demo: true } }).demo, true);
});

test('what becomes of a faulty point is said by flag, variable or file', () => {
  assert.equal(read({ flags: ['--on-bad-point', 'drop-point'] })['on-bad-point'], 'drop-point');
  assert.equal(read({ environment: { VARVE_ON_BAD_POINT: 'reject-request' } })['on-bad-point'], 'reject-request');
  assert.equal(read({ file: { 'on-bad-point': 'drop-point' } })['on-bad-point'], 'drop-point');
  assertRefused(
    { flags: ['--on-bad-point', 'drop'] },
    /^--on-bad-point: got 'drop'; want reject-request or drop-point/,
  );
});

test('a setting that is there no more keeps no server from starting, and is told', () => {
  const said: string[] = [];
  const onRemoved = (sentence: string): void => void said.push(sentence);
  const readFile = (): string => JSON.stringify({ 'warm-up': 'off', port: 4512 });
  const flags = ['--warm-up', 'off', '--warm-up=on', '--config', 'varve.json', '--host', '::1', '--warm-up'];
  const settings = readSettings({ flags, environment: { VARVE_WARM_UP: 'off' }, readFile, onRemoved });
  assert.deepEqual([settings.host, settings.port], ['::1', 4512]);
  const why = 'this setting has no effect any more, because a server no longer runs a made-up load; leave it out.';
  const places = ['--warm-up', '--warm-up', '--warm-up', 'VARVE_WARM_UP', 'varve.json: warm-up'];
  assert.deepEqual(
    said,
    places.map((place) => `${place}: ${why}`),
  );
});

test('without a word of its own, --compat timebase drops faulty points and the default refuses their request', () => {
  const handling = (...flags: string[]) => pointHandling(read({ flags }));
  assert.equal(handling(), 'strict');
  assert.equal(handling('--on-bad-point=drop-point'), 'lenient');
  assert.equal(handling('--compat=timebase'), 'lenient');
  assert.equal(handling('--compat=timebase', '--on-bad-point=reject-request'), 'strict');
});

test('a body has up to 16 MiB, 30 MB with --compat timebase, and whatever --max-body says', () => {
  const most = (...flags: string[]) => mostBodyBytes(read({ flags }));
  assert.equal(most(), 16 * 2 ** 20);
  assert.equal(most('--compat=timebase'), 30_000_000);
  assert.equal(most('--compat=timebase', '--max-body=1MiB'), 2 ** 20);
  assert.equal(most('--max-body=64MiB'), 2 ** 26);
  assertRefused({ flags: ['--max-body', '65MiB'] }, /want a size from 1KiB to 64MiB/);
});

test('a list is repeated, separated by commas, or an array of the file', () => {
  const hosts = ['a', 'b:80'];
  assert.deepEqual(read({ flags: ['--allow-host', 'a', '--allow-host', 'b:80'] })['allow-host'], hosts);
  assert.deepEqual(read({ environment: { VARVE_ALLOW_HOST: 'a, b:80' } })['allow-host'], hosts);
  assert.deepEqual(read({ file: { 'allow-host': hosts } })['allow-host'], hosts);
});

test('an unknown flag, variable or key names the nearest known one', () => {
  assertRefused({ flags: ['--prot', '1'] }, /^Unknown flag '--prot'. Did you mean '--port'\?$/);
  assertRefused({ flags: ['--no-data'] }, /Unknown flag '--no-data'/);
  assertRefused(
    { environment: { VARVE_DURABILTY: 'os' } },
    /Unknown variable VARVE_DURABILTY. Did you mean 'VARVE_DURABILITY'\?/,
  );
  assertRefused({ file: { maxbody: 1 } }, /varve.json: unknown key 'maxbody'. Did you mean 'max-body'\?/);
  assertRefused({ flags: ['--zzzzzzzzzz'] }, /^Unknown flag '--zzzzzzzzzz'.$/);
});

test('variables of others are not looked at', () => {
  assert.equal(read({ environment: { PORT: '1', VARVEX: '2' } }).port, 4511);
});

test('a value out of its range is refused with where it came from and what is wanted', () => {
  assertRefused({ flags: ['--port', '65536'] }, /^--port: got '65536'; want a whole number from 0 to 65535\.$/);
  assertRefused({ flags: ['--port', '-1'] }, /want a whole number/);
  assertRefused(
    { environment: { VARVE_DURABILITY: 'none' } },
    /^VARVE_DURABILITY: got 'none'; want group or interval or os/,
  );
  assertRefused({ file: { port: 1.5 } }, /^varve.json: port: got '1.5'/);
  assertRefused({ flags: ['--max-body', '1KB'] }, /want a size from 1KiB to 64MiB/);
  assertRefused({ flags: ['--max-ahead', '1y'] }, /want a length of time/);
  assertRefused({ flags: ['--demo=perhaps'] }, /want true or false/);
  assertRefused({ flags: ['--data', ''] }, /want a text that is not empty/);
});

test('a missing or doubled value is refused', () => {
  assertRefused({ flags: ['--port'] }, /--port needs a value: <port>/);
  assertRefused({ flags: ['--port', '1', '--port', '2'] }, /--port is given twice/);
  assertRefused({ flags: ['4511'] }, /Got '4511'; want a flag/);
});

test('sizes and spans have units', () => {
  assert.equal(read({ flags: ['--max-body', '64MiB'] })['max-body'], 2 ** 26);
  assert.equal(read({ flags: ['--max-body', '2MB'] })['max-body'], 2e6);
  assert.equal(read({ flags: ['--max-body', '4096'] })['max-body'], 4096);
  assert.equal(read({ flags: ['--max-ahead', '1d12h'] })['max-ahead'], 36 * 3_600_000);
  assert.equal(read({ flags: ['--max-ahead', '90s'] })['max-ahead'], 90_000);
});

test('a settings file that is no JSON object, or missing, is refused', () => {
  assertRefused({ file: '{"port":' }, /varve.json cannot be read/);
  assertRefused({ file: '[1]' }, /holds no JSON object/);
  assertRefused({ flags: ['--config', 'other.json'] }, /other.json cannot be read: no file/);
  assertRefused({ file: { port: { a: 1 } } }, /want a text, a number/);
  assertRefused({ file: { config: 'other.json' } }, /unknown key 'config'/);
});

test('a settings file may begin with a byte-order mark', () => {
  assert.equal(read({ file: '\uFEFF{"port":7}' }).port, 7);
});

test('the file may be named by the environment', () => {
  const settings = readSettings({
    flags: [],
    environment: { VARVE_CONFIG: 'x.json' },
    readFile: (path) => JSON.stringify({ data: path }),
  });
  assert.equal(settings.data, 'x.json');
});

test('origins are taken as browsers write them, and nothing that is more than one', () => {
  const flags = [
    '--allow-origin',
    'https://A.example',
    '--allow-origin',
    'http://localhost:3000,https://b.example:8443',
  ];
  assert.deepEqual(read({ flags })['allow-origin'], [
    'https://a.example',
    'http://localhost:3000',
    'https://b.example:8443',
  ]);
  for (const text of [
    '*',
    'a.example',
    'https://a.example/',
    'https://a.example/x',
    'https://a.example:443',
    'null',
    'file:///x',
  ]) {
    assertRefused({ flags: ['--allow-origin', text] }, /--allow-origin: got .*; want origins such as/);
  }
});

test('the settings of access control may come from the file and the environment', () => {
  const file = { tokens: 't.json', 'tls-key': 'k.pem', 'tls-cert': 'c.pem' };
  const environment = { VARVE_TOKENS: 'other.json', VARVE_ALLOW_ORIGIN: 'https://a.example' };
  const settings = read({ file, environment });
  assert.deepEqual(
    [settings.tokens, settings['tls-key'], settings['tls-cert'], settings['allow-origin']],
    ['other.json', 'k.pem', 'c.pem', ['https://a.example']],
  );
});
