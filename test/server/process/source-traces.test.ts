import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nameSourcesInTraces } from '../../../server/process/source-traces.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** Line 1 is line 11 of `valve`, from its first column on. */
const MAP = { version: 3, sources: ['../sources/valve'], names: [], mappings: 'AAUA' };

/** The trace of an error of a module that lies beside this map. */
async function traceOf(folder: string, name: string, map: string | undefined, code: string): Promise<string> {
  const path = join(folder, 'built', name);
  writeFileSync(path, code);
  if (map !== undefined) writeFileSync(`${path}.map`, map);
  const { open } = (await import(pathToFileURL(path).href)) as { open: () => Error };
  const { prepareStackTrace } = Error;
  nameSourcesInTraces();
  try {
    return open().stack ?? '';
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

test('a trace names the lines of the sources; without a map, or with a damaged one, those of the module', async (context) => {
  const folder = makeTempFolder(context);
  mkdirSync(join(folder, 'built'));
  const code = `export function open() { return new Error('stuck'); }`;
  const named = await traceOf(folder, 'a.mjs', JSON.stringify(MAP), code);
  const source = pathToFileURL(join(folder, 'sources', 'valve')).href;
  assert.equal(named.split('\n').slice(0, 2).join('\n'), `Error: stuck\n    at open (${source}:11:1)`);
  assert.match(named, /\n {4}at .*source-traces\.test\.ts:\d+:\d+/);
  assert.match(await traceOf(folder, 'b.mjs', undefined, code), /^Error: stuck\n {4}at open \(file:.*b\.mjs:1:\d+\)/);
  assert.match(await traceOf(folder, 'c.mjs', 'no map', code), /^Error: stuck\n {4}at open \(file:.*c\.mjs:1:\d+\)/);
});

test('an error whose text cannot be made has a trace all the same', async (context) => {
  const folder = makeTempFolder(context);
  mkdirSync(join(folder, 'built'));
  const code = `export function open() {
    return Object.assign(new Error(), { toString() { throw new Error('no text'); } });
  }`;
  assert.match(await traceOf(folder, 'd.mjs', undefined, code), /^Error\b.*\n {4}at open /);
});
