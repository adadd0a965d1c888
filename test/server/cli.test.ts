import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { VERSION } from '../../server/version.ts';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

test('version and help are printed', async () => {
  const [version, help] = await Promise.all([runServerToEnd(['version']), runServerToEnd(['serve', '--help'])]);
  assert.deepEqual([version.code, version.stdout], [0, VERSION]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /varve check <folder>/);
});

test('an unknown command names the nearest known one, and is bad usage', async () => {
  const end = await runServerToEnd(['serv']);
  assert.deepEqual([end.code, end.stdout], [2, '']);
  assert.match(end.stderr, /Unknown command 'serv'. Did you mean 'serve'\?/);
  const check = await runServerToEnd(['check']);
  assert.equal(check.code, 2);
});

test('check finds nothing in a sound folder, faults in another, and leaves one alone that a server uses', async () => {
  const dataFolder = join(folder, 'data');
  const server = await ServerProcess.start({ transport: 'node', dataFolder });
  const answer = await fetch(`${server.url}/api/datasets/Plant/data/T`, { method: 'POST', body: '[{"v":1}]' });
  assert.equal(answer.status, 200);
  const busy = await runServerToEnd(['check', dataFolder]);
  assert.equal(busy.code, 75, busy.stderr);
  await server.stop();

  const sound = await runServerToEnd(['check', dataFolder]);
  assert.equal(sound.code, 0, sound.stdout);
  assert.match(sound.stdout, /^Checked 1 datasets, .* No faults\.$/m);

  writeFileSync(join(dataFolder, 'Plant', 'dataset.json'), '{}');
  const damaged = await runServerToEnd(['check', dataFolder]);
  assert.equal(damaged.code, 1, damaged.stdout);
  assert.match(damaged.stdout, /^(?:error|warn) +Plant\/dataset\.json/m);
});
