// The page about importing is true: its files are imported as they stand, and it prints what the page says.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder, runServerToEnd, ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const page = readFileSync(join(projectFolder, 'docs/import.md'), 'utf8');
const block = (language: string, index: number): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))][index]?.[1] ?? '';

test('the files of the page are imported, with what it prints', async (context) => {
  const folder = makeTempFolder(context);
  const path = join(folder, 'history.csv');
  const server = await ServerProcess.start();
  context.after(() => server.stop());
  const send = async (text: string, dataset: string) => {
    writeFileSync(path, text);
    const end = await runServerToEnd(['import', path, '--dataset', dataset, '--url', server.url]);
    const printed = [end.stdout, end.stderr].filter((part) => part !== '').join('\n');
    return { code: end.code, text: printed.replaceAll(path, 'history.csv').replace(/in [\d.]+ s/, 'in 0.1 s') };
  };
  assert.deepEqual(await send(block('csv', 0), 'Mill'), { code: 0, text: block('text', 0).trimEnd() });
  const wide = await send(block('csv', 1), 'Wide');
  assert.equal(wide.code, 0, wide.text);
  assert.match(wide.text, /: 3 written,/);
  const faulty = await send(block('csv', 1).replace('71.9', 'x'), 'Faulty');
  assert.deepEqual(faulty, { code: 1, text: block('text', 2).trimEnd() });
});

test('the preview of the page is that of a file as it describes', async (context) => {
  const path = join(makeTempFolder(context), 'export.csv');
  const rows = ['Zeit;Kessel Temperatur;Kessel Druck', ';\u00b0C;bar', '27.11.2026 06:00;71,4;1,02'];
  writeFileSync(path, rows.join('\r\n'), 'latin1');
  const end = await runServerToEnd(['import', path, '--tz', 'Europe/Berlin', '--preview']);
  assert.equal(end.code, 0, end.stderr);
  assert.equal(end.stdout.replaceAll(path, 'export.csv').trimEnd(), block('text', 1).trimEnd());
});
