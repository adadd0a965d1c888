// The place where blocks are encoded: by the cores of the machine, unless the setting says.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { countCores, encodingPlace } from '../../../server/process/encoding-place.ts';
import { runServerToEnd, ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** A folder as Linux has it: each processor by package and core; undefined for one that is switched off. */
function makeProcessors(context: TestContext, cores: readonly (readonly [number, number] | undefined)[]): string {
  const folder = makeTempFolder(context);
  mkdirSync(join(folder, 'cpufreq'));
  for (const [index, core] of cores.entries()) {
    mkdirSync(join(folder, `cpu${index}`));
    if (core === undefined) continue;
    mkdirSync(join(folder, `cpu${index}`, 'topology'));
    writeFileSync(join(folder, `cpu${index}`, 'topology', 'physical_package_id'), `${core[0]}\n`);
    writeFileSync(join(folder, `cpu${index}`, 'topology', 'core_id'), `${core[1]}\n`);
  }
  return folder;
}

test('hyper-threads of one core count once, cores of two packages apart, and those switched off not at all', (context) => {
  const pairs = [0, 1, 2, 3, 0, 1, 2, 3].map((core) => [0, core] as const);
  assert.equal(countCores(makeProcessors(context, pairs), 8), 4);
  const packages = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const;
  assert.equal(countCores(makeProcessors(context, packages), 4), 4);
  assert.equal(countCores(makeProcessors(context, [[0, 0], undefined, [0, 1], undefined]), 2), 2);
});

test('no more cores count than processors that this process may use', (context) => {
  const cores = Array.from({ length: 16 }, (_, core) => [0, core] as const);
  assert.equal(countCores(makeProcessors(context, cores), 2), 2);
});

test('where the system does not tell, half of the processors count, and at least one', (context) => {
  const none = join(makeTempFolder(context), 'none');
  assert.deepEqual(
    [1, 2, 3, 8].map((processors) => countCores(none, processors)),
    [1, 1, 1, 4],
  );
  assert.equal(countCores(makeProcessors(context, []), 6), 3);
});

test('a thread encodes from four cores on, unless the setting says otherwise', () => {
  const places = ([setting, cores]: readonly ['auto' | 'on' | 'off', number]) => encodingPlace(setting, cores);
  assert.deepEqual(places(['auto', 3]), {
    hasThread: false,
    description: 'blocks are encoded on the main thread (3 of 4 cores)',
  });
  assert.equal(places(['auto', 4]).hasThread, true);
  assert.equal(places(['off', 64]).hasThread, false);
  assert.deepEqual(places(['on', 1]), {
    hasThread: true,
    description: 'blocks are encoded on a thread of their own (--encoding-thread on)',
  });
});

test('the log of a start, the doctor and the printed settings tell it', async () => {
  const server = await ServerProcess.start({ flags: ['--encoding-thread', 'on'] });
  await server.stop();
  const ready = server.logLines.find((line) => line.includes('"msg":"Ready."'));
  assert.match(ready ?? '', /"encoding":"blocks are encoded on a thread of their own \(--encoding-thread on\)"/);
  const doctor = await runServerToEnd(['doctor', '--port', '0', '--encoding-thread', 'off']);
  assert.match(doctor.stdout, /^ok {4}blocks are encoded on the main thread \(--encoding-thread off\)$/m);
  const settings = await runServerToEnd(['config', 'print', '--encoding-thread', 'off']);
  assert.match(settings.stdout, /^encoding-thread +off +--encoding-thread$/m);
});
