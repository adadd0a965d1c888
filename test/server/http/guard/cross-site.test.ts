// Which Host and Origin a changing request may have.

import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { createCrossSiteCheck } from '../../../../server/http/guard/cross-site.ts';

interface Setup {
  readonly allowedOrigins?: readonly string[];
  readonly scheme?: 'http' | 'https';
  readonly host?: string;
  readonly allowedHosts?: readonly string[];
}

function statusOf(setup: Setup, host: string, origin?: string): number {
  const check = createCrossSiteCheck({
    host: setup.host ?? '127.0.0.1',
    port: 4511,
    allowedHosts: setup.allowedHosts ?? [],
    allowedOrigins: setup.allowedOrigins ?? [],
    scheme: setup.scheme ?? 'http',
  });
  const fault = check.originFault(origin, host);
  return fault?.status ?? STATUS_OF[check.hostKind(host)];
}

/** Status from a server that lets local names pass, by kind of host. */
const STATUS_OF = { own: 200, local: 200, foreign: 403 } as const;

test('the loopback names and the host listened on pass with the port listened on', () => {
  for (const host of ['localhost:4511', 'LocalHost:4511', '127.0.0.1:4511', '[::1]:4511']) {
    assert.equal(statusOf({}, host), 200, host);
  }
  assert.equal(statusOf({ host: '192.168.7.5' }, '192.168.7.5:4511'), 200);
  assert.equal(statusOf({ host: '::1' }, '[::1]:4511'), 200);
  assert.equal(statusOf({ host: 'Plant-Server' }, 'plant-server:4511'), 200);
});

test('a name that an outsider can point here is 403', () => {
  const foreign = [
    'evil.example:4511',
    'localhost.evil.example:4511',
    '127.0.0.1.evil.example:4511',
    'internal.evil.example',
    'home.arpa',
    'x.xlocal',
    'x.notlan',
    'x.xhome.arpa',
    '.local',
    'evil..local',
    'evil.example/.local',
    'evil.example#.local',
    'évil.local',
    `${'x.'.repeat(200)}local`,
  ];
  for (const host of [...foreign, '', ':4511', 'a:b:4511', 'localhost:4511:4511', '[::1:4511', 'localhost:x']) {
    assert.equal(statusOf({}, host), 403, host);
    assert.equal(statusOf({ host: '0.0.0.0' }, host), 403, `open: ${host}`);
  }
});

test('another port is another server, unless this one is open to the network', () => {
  assert.equal(statusOf({}, 'localhost:4512'), 403);
  assert.equal(statusOf({}, 'localhost'), 403);
  assert.equal(statusOf({ host: '0.0.0.0' }, 'localhost:8080'), 200);
});

test('a server open to the network takes any IP address and its machine name as Host', () => {
  for (const bound of ['0.0.0.0', '::']) {
    for (const host of ['10.1.2.3:4511', '10.1.2.3', '[fd00::7]:4511', `${hostname()}:4511`]) {
      assert.equal(statusOf({ host: bound }, host), 200, `${bound} ${host}`);
    }
    for (const host of ['10.1.2:4511', '[fd00::zz]:4511', '999.1.1.1:4511']) {
      assert.equal(statusOf({ host: bound }, host), 403, `${bound} ${host}`);
    }
  }
});

test('a server that other hosts reach takes names without a dot and those of local networks, with any port', () => {
  const names = ['historian', 'historian-timebase', 'my_service', 'HISTORIAN', 'plant.local', 'a.b.internal', 'h.lan'];
  for (const name of [...names, 'nas.home.arpa']) {
    for (const host of [name, `${name}:4511`, `${name}:80`]) {
      for (const bound of ['0.0.0.0', '::', '192.168.7.5']) {
        const check = createCrossSiteCheck({ host: bound, port: 4511, allowedHosts: [] });
        assert.equal(check.hostKind(host), 'local', `${bound} ${host}`);
        assert.equal(check.hostKind(host), 'local', 'again');
      }
      for (const bound of ['127.0.0.1', 'localhost', '::1']) assert.equal(statusOf({ host: bound }, host), 403, host);
    }
  }
});

test('a server on one address does not take other addresses', () => {
  assert.equal(statusOf({ host: '192.168.7.5' }, '192.168.7.6:4511'), 403);
});

test('configured names pass with any port, or with theirs', () => {
  const allowedHosts = ['historian.plant', 'other.plant:8443', 'FD00::9'];
  assert.equal(statusOf({ allowedHosts }, 'historian.plant'), 200);
  assert.equal(statusOf({ allowedHosts }, 'Historian.Plant:9000'), 200);
  assert.equal(statusOf({ allowedHosts }, 'other.plant:8443'), 200);
  assert.equal(statusOf({ allowedHosts }, 'other.plant:4511'), 403);
  assert.equal(statusOf({ allowedHosts }, '[fd00::9]:1'), 200);
});

test('an Origin must be that of the Host', () => {
  assert.equal(statusOf({}, 'localhost:4511', 'http://localhost:4511'), 200);
  assert.equal(statusOf({}, 'localhost:4511', 'https://LOCALHOST:4511'), 200);
  for (const origin of [
    'http://evil.example',
    'http://localhost:3000',
    'http://localhost',
    'null',
    '',
    'http://127.0.0.1:4511',
  ]) {
    assert.equal(statusOf({}, 'localhost:4511', origin), 403, origin);
  }
});

test('a configured Origin passes with every Host of ours, and as it stands only', () => {
  const setup = { allowedOrigins: ['https://dashboard.example'] };
  assert.equal(statusOf(setup, 'localhost:4511', 'https://dashboard.example'), 200);
  assert.equal(statusOf(setup, 'evil.example', 'https://dashboard.example'), 403);
  for (const origin of [
    'http://dashboard.example',
    'https://dashboard.example:8443',
    'https://x.dashboard.example',
    'https://dashboard.example.evil.example',
    'https://dashboard.example/',
  ]) {
    assert.equal(statusOf(setup, 'localhost:4511', origin), 403, origin);
  }
});

test('with TLS an Origin without is foreign, and a Host without port means that of HTTPS', () => {
  const setup = { scheme: 'https' } as const;
  assert.equal(statusOf(setup, 'localhost:4511', 'https://localhost:4511'), 200);
  assert.equal(statusOf(setup, 'localhost:4511', 'http://localhost:4511'), 403);
  const check = createCrossSiteCheck({ host: '127.0.0.1', port: 443, allowedHosts: [], scheme: 'https' });
  assert.equal(check.hostKind('localhost'), 'own');
  assert.equal(check.originFault('https://localhost', 'localhost'), undefined);
  const plain = createCrossSiteCheck({ host: '127.0.0.1', port: 80, allowedHosts: [] });
  assert.equal(plain.hostKind('localhost'), 'own');
  assert.equal(check.hostKind('localhost:80'), 'foreign');
});

test('a Host found good once does not make a bad Origin good', () => {
  const check = createCrossSiteCheck({ host: '127.0.0.1', port: 4511, allowedHosts: [] });
  assert.equal(check.hostKind('localhost:4511'), 'own');
  assert.equal(check.originFault('http://evil.example', 'localhost:4511')?.status, 403);
  assert.equal(check.hostKind('evil.example:4511'), 'foreign');
});
