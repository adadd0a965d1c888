// The token file: written whole and for its owner only, and every damage to it is noticed.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changeTokenFile, isOpenToOthers, readTokenFile } from '../../../../server/auth/tokens/token-disk.ts';
import { formatTokenFile, parseTokenFile, TokenFileError } from '../../../../server/auth/tokens/token-file.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { makeToken } from '../support/access-server.ts';

const { entry } = makeToken('write', ['Line*'], { expires: '2030-01-01T00:00:00.000Z' });
const text = formatTokenFile([entry]);

test('what was written is read again', (context) => {
  const path = join(makeTempFolder(context), 'deep', 'er', 'tokens.json');
  assert.equal(readTokenFile(path), undefined);
  changeTokenFile(path, () => [entry]);
  assert.deepEqual(readTokenFile(path), [entry]);
  changeTokenFile(path, (tokens) => [...tokens, makeToken('read', ['*']).entry]);
  assert.equal(readTokenFile(path)?.length, 2);
  assert.deepEqual(readdirSync(join(path, '..')), ['tokens.json']);
});

test('the file is for its owner only, and only a file that others may write to is open to others', {
  skip: process.platform === 'win32',
}, (context) => {
  const path = join(makeTempFolder(context), 'tokens.json');
  const before = process.umask(0);
  try {
    changeTokenFile(path, () => [entry]);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(isOpenToOthers(path), false);
    const open = join(path, '..', 'open.json');
    writeFileSync(open, text, { mode: 0o622 });
    assert.equal(isOpenToOthers(open), true);
  } finally {
    process.umask(before);
  }
});

test('a change that fails leaves the file as it was, and nothing beside it', (context) => {
  const path = join(makeTempFolder(context), 'tokens.json');
  changeTokenFile(path, () => [entry]);
  const refuse = (): never => {
    throw new Error('no');
  };
  assert.throws(() => changeTokenFile(path, refuse), /^Error: no$/);
  assert.deepEqual(readTokenFile(path), [entry]);
  assert.equal(existsSync(`${path}.new`), false);
});

test('two commands at once do not undo each other: the second is told to wait', (context) => {
  const path = join(makeTempFolder(context), 'tokens.json');
  changeTokenFile(path, (tokens) => {
    assert.throws(() => changeTokenFile(path, () => []), TokenFileError);
    return [...tokens, entry];
  });
  assert.deepEqual(readTokenFile(path), [entry]);
  writeFileSync(`${path}.new`, 'of a command that was cut off');
  assert.throws(
    () => changeTokenFile(path, () => []),
    (error) => error instanceof TokenFileError && error.message.includes(`${path}.new`),
  );
  assert.deepEqual(readTokenFile(path), [entry]);
});

test('a file that cannot be read is no missing file', (context) => {
  const path = join(makeTempFolder(context), 'tokens.json');
  mkdirSync(path);
  assert.throws(() => readTokenFile(path), TokenFileError);
});

const DAMAGES: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['zeros', '\0'.repeat(text.length)],
  ['no object', '[]'],
  ['null', 'null'],
  ['no tokens', '{"version":1}'],
  ['another version', text.replace('"version": 1', '"version": 2')],
  ['an unknown key', text.replace('"version"', '"x": 1, "version"')],
  ['an unknown key of a token', text.replace('"role"', '"rule": 1, "role"')],
  ['an unknown role', text.replace('"write"', '"root"')],
  ['no datasets', text.replace(/\[\s*"Line\*"\s*\]/, '[]')],
  ['datasets as a text', text.replace(/\[\s*"Line\*"\s*\]/, '"*"')],
  ['a dataset without a name', text.replace('"Line*"', '""')],
  ['a short hash', text.replace(entry.hash, entry.hash.slice(1))],
  ['a hash in capitals', text.replace(entry.hash, `${entry.hash.slice(0, 63)}F`)],
  ['an id with another form', text.replace(entry.id, 'x')],
  ['an end that is no time', text.replace('2030-01-01', '2030-13-41')],
  ['an end that is null', text.replace('"2030-01-01T00:00:00.000Z"', 'null')],
  ['one id twice', formatTokenFile([entry, entry])],
];

for (const [name, damaged] of DAMAGES) {
  test(`a damaged file is refused with its path and what to do: ${name}`, () => {
    assert.notEqual(damaged, text);
    assert.throws(
      () => parseTokenFile(damaged, '/some/where.json'),
      (error) => {
        assert.ok(error instanceof TokenFileError, String(error));
        assert.match(error.message, /^The token file \/some\/where\.json is damaged: .+'varve token create'\.$/);
        return true;
      },
    );
  });
}

test('a file that was cut off anywhere is refused', () => {
  for (let length = 0; length < text.trimEnd().length; length++) {
    assert.throws(() => parseTokenFile(text.slice(0, length), 'x'), TokenFileError, `${length}`);
  }
});

test('the file holds no token', (context) => {
  const path = join(makeTempFolder(context), 'tokens.json');
  const made = makeToken('admin', ['*']);
  changeTokenFile(path, () => [made.entry]);
  assert.ok(!readFileSync(path, 'utf8').includes(made.token.slice(15)));
});
