import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTING_NAMES } from '../../../server/settings/settings.ts';
import { runServerToEnd } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

test('config print gives each setting with its value and where that comes from', async (context) => {
  const file = join(makeTempFolder(context), 'varve.json');
  writeFileSync(file, JSON.stringify({ port: 4600, host: '127.0.0.2', 'allow-host': ['a.example', 'b.example'] }));
  const end = await runServerToEnd(['config', 'print', '--config', file, '--no-demo'], {
    VARVE_PORT: '4700',
    VARVE_HEAD_LIMIT: '1GiB',
  });
  assert.equal(end.code, 0, end.stderr);
  const rows = end.stdout.split('\n').map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    rows.map(([name]) => name),
    SETTING_NAMES,
  );
  const found = Object.fromEntries(rows.map(([name, text, origin]) => [name, [text, origin]]));
  assert.deepEqual(found.port, ['4700', 'VARVE_PORT']);
  assert.deepEqual(found.host, ['127.0.0.2', `${file}: host`]);
  assert.deepEqual(found['allow-host'], ['a.example,b.example', `${file}: allow-host`]);
  assert.deepEqual(found['head-limit'], ['1GiB', 'VARVE_HEAD_LIMIT']);
  assert.deepEqual(found.demo, ['false', '--no-demo']);
  assert.deepEqual(found.config, [file, '--config']);
  assert.deepEqual(found.data, ['./data', 'default']);
  assert.deepEqual(found['tls-key'], ['-', 'default']);
});

test('settings that do not do, and other words, are bad usage', async () => {
  const [wrong, word, nothing] = await Promise.all([
    runServerToEnd(['config', 'print', '--port', '99999']),
    runServerToEnd(['config', 'prnt']),
    runServerToEnd(['config']),
  ]);
  assert.deepEqual([wrong.code, word.code, nothing.code], [2, 2, 2]);
  assert.match(wrong.stderr, /--port: got '99999'/);
  assert.match(word.stderr, /Did you mean 'print'\?/);
});
