// The binaries of uWebSockets.js are the ones that were looked at, and one that is not is never loaded.

import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHttpServer } from '../../../server/transport.ts';
import { checkHash, findBinary } from '../../../server/uws/load-uws.ts';
import { buildFor, thisPlatform, uwsBuilds } from '../../../server/uws/uws-builds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const options = { handler: () => {}, serverName: 'V', allowedHosts: [], onError: () => {} };
const linux = { platform: 'linux', arch: 'x64', modules: '115', glibc: '2.36' };

test('every pinned binary is there, unchanged', () => {
  for (const build of uwsBuilds) {
    assert.ok(build.pins.size > 0);
    for (const name of build.pins.keys()) {
      const [, platform = '', arch = '', modules = ''] = /^uws_(\w+)_(\w+)_(\d+)\.node$/.exec(name) ?? [];
      const found = findBinary({ platform, arch, modules, glibc: build.isDefault ? '2.38' : '2.27' });
      assert.equal(found.build, build);
      checkHash(found.path, build);
    }
  }
});

test('the build fits Node and the C library: the current one from glibc 2.38 on, the older one for Node 20, else none', () => {
  const titleFor = (change: object): string | undefined => buildFor({ ...linux, ...change })?.title;
  assert.match(titleFor({ glibc: '2.38' }) ?? '', /20\.57/);
  assert.match(titleFor({ glibc: '3.0', modules: '137' }) ?? '', /20\.57/);
  assert.match(titleFor({}) ?? '', /20\.30/);
  assert.match(titleFor({ platform: 'darwin', arch: 'arm64', modules: '127', glibc: undefined }) ?? '', /20\.57/);
  assert.equal(titleFor({ modules: '137' }), undefined);
  assert.equal(titleFor({ glibc: undefined }), undefined);
  assert.equal(titleFor({ arch: 'riscv64' }), undefined);
});

test('a binary that has changed is not loaded: its hash is told', (context) => {
  const { build, path } = findBinary(linux);
  const copy = join(makeTempFolder(context), 'uws_linux_x64_115.node');
  copyFileSync(path, copy);
  checkHash(copy, build);
  writeFileSync(copy, 'x', { flag: 'a' });
  assert.throws(
    () => checkHash(copy, build),
    /has the SHA-256 [0-9a-f]{64}, where this version was made with f158fb44/,
  );
});

test('auto takes uWebSockets only where its build is one for every request, and says why not', () => {
  const chosen = createHttpServer('auto', options);
  const build = buildFor(thisPlatform());
  assert.equal(chosen.transport, build?.isDefault ? 'uws' : 'node');
  if (chosen.transport === 'node') assert.match(chosen.notice ?? '', /^The front end is node:http/);
});

test('TLS is spoken by node:https whatever is asked for', (context) => {
  const folder = makeTempFolder(context);
  const tls = { keyFile: join(folder, 'key'), certFile: join(folder, 'cert') };
  assert.throws(() => createHttpServer('uws', { ...options, tls }), /ENOENT/, 'Node reads the files');
});
