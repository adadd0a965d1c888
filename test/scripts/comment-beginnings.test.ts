// What the check of comments finds, and what it lets be.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const PROGRAM = join(projectFolder, 'scripts', 'comment-beginnings.mjs');
/** Not as it is: the check looks at this file, too. */
const OF = 'Of';
const BEGINNINGS = ['Of', 'Those', 'As', 'Where', 'Behind', 'Beside', 'So', 'Once'];

/** Runs the check over a folder with these files; gives its exit code and the lines that it prints. */
function look(
  context: TestContext,
  files: Readonly<Record<string, string>>,
): { readonly code: number | null; readonly lines: readonly string[] } {
  const folder = makeTempFolder(context);
  mkdirSync(join(folder, 'sources', 'inner'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'sources', name), text);
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'sources'], { cwd: folder, encoding: 'utf8' });
  return { code: status, lines: stderr.trimEnd().replaceAll('\\', '/').split('\n') };
}

for (const beginning of BEGINNINGS)
  test(`a comment that begins with '${beginning}' is named with its place`, (context) => {
    const text = `const a = 1;\n\n/** ${beginning} a point. It may be null. */\nconst b = 2;\n`;
    const { code, lines } = look(context, { 'inner/point.ts': text });
    assert.equal(lines[0], `sources/inner/point.ts:3: ${beginning} a point.`);
    assert.equal(code, 1);
  });

test('comments of each form and each kind of source are looked at', (context) => {
  const { code, lines } = look(context, {
    'a.ts': '// Of one line\n// and the next. More.\n',
    'b.tsx': `const a = (\n  <p>\n    {/* ${OF} an element. */}\n  </p>\n);\n`,
    'c.mjs': `call(); // ${OF} a call.\n`,
    'd.mts': '  /**\n   * Of a block that\n   * goes on.\n   */\n',
  });
  assert.deepEqual(lines.slice(0, 4), [
    'sources/a.ts:1: Of one line and the next.',
    'sources/b.tsx:3: Of an element.',
    'sources/c.mjs:1: Of a call.',
    'sources/d.mts:2: Of a block that goes on.',
  ]);
  assert.equal(code, 1);
});

test('a subject, a longer word, a later line or sentence, a text and another kind of file are no fault', (context) => {
  const { code, lines } = look(context, {
    'a.ts': '/** Time of a point. Of none it is 0. */\n// Offset\n// Of the block.\n/**\n * Asked\n * As it is.\n */\n',
    'b.ts': "const a = '// Of a text.';\nconst b = 'https://a.example/ // Of it';\nconst c = '/* Of it */';\n",
    'c.md': '// Of a page.\n',
  });
  assert.deepEqual(lines, ['']);
  assert.equal(code, 0);
});

test('a folder without sources is a fault of the check', (context) => {
  const { code, lines } = look(context, {});
  assert.deepEqual(lines, ['There are no sources below sources.']);
  assert.equal(code, 1);
});
