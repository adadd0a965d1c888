// The row "Dataset names": which names are taken, and the folder names they become.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesBehind } from '../registry.ts';
import { assertDone, assertProblem, assertStatus, point, readValues, write } from '../steps.ts';

const ROW = 'Datasets/Dataset names';

async function create(c: CaseContext, name: string): Promise<void> {
  const answer = assertStatus(await c.http.post('/api/datasets', { n: name, pa: 0, ps: 0 }), 201);
  assert.equal(answer.json<DatasetAnswer>().n, name);
}

/** The data folder's entry that is this dataset's: the one that decodes to its name. */
function folderOf(c: CaseContext, name: string): string | undefined {
  return readdirSync(c.server.dataFolder).find((folder) => {
    try {
      return decodeURIComponent(folder) === name;
    } catch {
      return false;
    }
  });
}

proves(ROW, 'letters, digits, _, -, inner dots and spaces stay as they are', async (c) => {
  for (const name of [`My Plant ${c.dataset}`, 'Line_1-a.b c', '0', 'a..b', 'a  b']) {
    await create(c, name);
    assert.ok(readdirSync(c.server.dataFolder).includes(name), name);
  }
});

proves(ROW, 'everything else is percent-escaped by UTF-8 byte', async (c) => {
  const expected: readonly (readonly [string, string])[] = [
    ['Grüße', 'Gr%C3%BC%C3%9Fe'],
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['..\\..\\x', '%2E.%5C..%5Cx'],
    ['50%41', '50%2541'],
    ['a:b*c?"<>|', 'a%3Ab%2Ac%3F%22%3C%3E%7C'],
    ['end.', 'end%2E'],
    ['end ', 'end%20'],
    [' begin', '%20begin'],
    ['.hidden', '%2Ehidden'],
    ['温度', '%E6%B8%A9%E5%BA%A6'],
    ['🌡', '%F0%9F%8C%A1'],
    ["it's ~ok!", 'it%27s %7Eok%21'],
  ];
  for (const [name, folder] of expected) {
    await create(c, name);
    assert.equal(folderOf(c, name), folder, name);
  }
  const listed = (await c.http.get('/api/datasets')).json<DatasetAnswer[]>().map(({ n }) => n);
  for (const [name] of expected) assert.ok(listed.includes(name), name);
});

proves(ROW, 'words that Windows reserves are escaped', async (c) => {
  for (const name of ['CON', 'nul', 'Aux', 'PRN', 'COM1', 'lpt9', 'con.txt', 'CON.a.b']) {
    await create(c, name);
    const folder = folderOf(c, name) ?? '';
    assert.notEqual(folder, '', `a folder for ${name}`);
    assert.doesNotMatch(folder, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i, `${name} became ${folder}`);
  }
  for (const name of ['CONS', 'COM10', 'nulls']) {
    await create(c, name);
    assert.equal(folderOf(c, name), name);
  }
});

proves(ROW, 'names that differ in case only are distinct, on disk as well', async (c) => {
  const names = [`plant ${c.dataset}`, `Plant ${c.dataset}`, `PLANT ${c.dataset}`];
  for (const [index, name] of names.entries()) {
    await create(c, name);
    await write(c.withDataset(name), 'T', [point(0, index)]);
  }
  for (const [index, name] of names.entries()) assert.deepEqual(await readValues(c.withDataset(name), 'T'), [index]);
  const folders = names.map((name) => folderOf(c, name) ?? '');
  assert.equal(new Set(folders.map((folder) => folder.toLowerCase())).size, 3, folders.join());
  assert.match(folders[1] ?? '', /^%50lant /);
  assert.match(folders[2] ?? '', /^%50%4C%41%4E%54 /);
});

proves(ROW, 'the folder name has 240 bytes at most', async (c) => {
  const own = c.dataset.replaceAll(' ', '_');
  await create(c, own.padEnd(240, 'a'));
  await create(c, `${own}${'é'.repeat(30)}`.padEnd(240 - 150, 'b'));
  for (const name of ['a'.repeat(241), 'é'.repeat(41), `a${'é'.repeat(40)}`, `${'a'.repeat(238)}.`])
    assertProblem(await c.http.post('/api/datasets', { n: name, pa: 0, ps: 0 }), 400);
  await create(c, 'é'.repeat(40));
  assertProblem(await c.http.post(`/api/datasets/${'a'.repeat(241)}/data/T`, [{ v: 1 }]), 400);
});

proves(ROW, 'empty, dot, dot-dot, control characters and lone surrogates are 400', async (c) => {
  for (const name of ['', '.', '..', 'a\u0000', 'a\nb', '\u0009', 'a\u007f', 'a\u0085'])
    assertProblem(await c.http.post('/api/datasets', { n: name, pa: 0, ps: 0 }), 400);
  for (const escaped of ['\\ud800', 'a\\udc00', '\\udc00\\ud800'])
    assertProblem(await c.http.postText('/api/datasets', `{"n":"${escaped}","pa":0,"ps":0}`), 400);
  for (const path of ['%2E%2E', '..', '.', '%00', 'a%0Ab']) {
    assertProblem(await c.http.post(`/api/datasets/${path}/data/T`, [{ v: 1 }]), 400);
    assertProblem(await c.http.post(`/api/datasets/${path}/tags`, [{ n: 'T' }]), 400);
  }
});

provesBehind(
  ROW,
  'a folder renamed or copied while the server is stopped is a renamed or copied dataset',
  async (c) => {
    const dataFolder = join(c.folder(), 'data');
    const before = await c.withServer({ dataFolder });
    await write(before.withDataset('Before'), 'T', [point(0, 1)]);
    await before.server.stop();
    renameSync(join(dataFolder, 'Before'), join(dataFolder, 'After %C3%9C'));
    cpSync(join(dataFolder, 'After %C3%9C'), join(dataFolder, 'Copy'), { recursive: true });
    const after = await c.withServer({ dataFolder });
    const names = (await after.http.get('/api/datasets')).json<DatasetAnswer[]>().map(({ n }) => n);
    assert.deepEqual(names, ['After Ü', 'Copy']);
    for (const name of names) assert.deepEqual(await readValues(after.withDataset(name), 'T'), [1]);
    await write(after.withDataset('Copy'), 'T', [point(1, 2)]);
    assert.deepEqual(await readValues(after.withDataset('After Ü'), 'T'), [1]);
  },
);

provesBehind(ROW, 'a folder that does not decode is reported and left alone', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  for (const folder of ['bad%zz', '%FF', 'not?escaped']) {
    mkdirSync(join(dataFolder, folder), { recursive: true });
    writeFileSync(join(dataFolder, folder, 'note.txt'), 'mine');
  }
  const own = await c.withServer({ dataFolder });
  assert.deepEqual((await own.http.get('/api/datasets')).json(), []);
  assert.ok(await own.server.findLog(/bad%zz/), own.server.logLines.join('\n'));
  assertDone(await own.post('/data/T', [point(0, 1)]));
  await own.server.stop();
  for (const folder of ['bad%zz', '%FF', 'not?escaped'])
    assert.deepEqual(readdirSync(join(dataFolder, folder)), ['note.txt']);
});
