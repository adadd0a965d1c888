// Files that pages and comments name are there: what is moved or taken out leaves no name behind.

import assert from 'node:assert/strict';
import { dirname, posix } from 'node:path';
import { test } from 'node:test';
import { commentsOf, listFiles, listPaths, type ProjectFile, quotesOf } from './project-files.ts';

/** A file of the project: of other endings there are many that a server or user makes. */
const FILE_NAME = /(?<![\w./@-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|cjs|md)\b(?!\w)/g;
/** A folder of the project. */
const OWN_FOLDER = /^(?:bench|docs|engine|examples|scripts|server|simulator|test)\/[\w/-]+$/;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;
/** What the package is called by where it is unpacked. */
const PACKED = 'package/';

/** What a page names in backticks, or a source in its comments. */
function namesOf({ path, text }: ProjectFile): string[] {
  if (!path.endsWith('.md')) return commentsOf(text).flatMap((comment) => comment.match(FILE_NAME) ?? []);
  const quotes = quotesOf(text);
  return [
    ...quotes.flatMap((quote) => quote.match(FILE_NAME) ?? []),
    ...quotes.filter((quote) => OWN_FOLDER.test(quote)),
  ];
}

/** Names that stand for no file: those with folders for the end of a path, others for the name of a file anywhere. */
function findStrayNames(files: readonly ProjectFile[], paths: readonly string[]): string[] {
  const known = new Set(paths.flatMap(endingsOf));
  return files.flatMap((file) => {
    const stray = namesOf(file).filter((name) => {
      const plain = posix.normalize(name.startsWith(PACKED) ? name.slice(PACKED.length) : name);
      return !known.has(plain.replace(/\/$/, '')) && !known.has(posix.join(dirname(file.path), plain));
    });
    const dead = linksOf(file).filter((link) => !known.has(posix.join(dirname(file.path), link).replace(/\/$/, '')));
    return [...stray, ...dead].map((name) => `${file.path} names ${name}`);
  });
}

function linksOf({ path: page, text }: ProjectFile): string[] {
  if (!page.endsWith('.md')) return [];
  return [...text.matchAll(LINK)].map(([, path = '']) => path);
}

/** A path and its folders, each whole and by every end of it. */
function endingsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((_, to) => parts.slice(0, to + 1).map((_, from) => parts.slice(from, to + 1).join('/')));
}

test('every file that a page or a comment names is there', () => {
  const files = listFiles();
  const paths = listPaths();
  assert.ok(files.flatMap(namesOf).length >= 100);
  assert.deepEqual(findStrayNames(files, paths), []);
});

test('negative control: names of files that are gone, and links to them, are found', () => {
  const paths = ['engine/store/head.ts', 'docs/format.md', 'docs/api.md', 'bin/varve.mjs'];
  const page = {
    path: 'docs/api.md',
    text: [
      '`head.ts` `store/head.ts` `engine/store` `node package/bin/varve.mjs serve` [a](format.md#b) `data.json` api.ts',
      '`tail.ts` `engine/head.ts` `engine/format` `node --import tsx test/gone.ts` [b](limits.md) [c](https://x.md)',
    ].join('\n'),
  };
  const source = {
    path: 'engine/store/head.ts',
    text: "// See docs/format.md.\n// See design.md.\nload('limits.md');",
  };
  assert.deepEqual(findStrayNames([page, source], paths), [
    'docs/api.md names tail.ts',
    'docs/api.md names engine/head.ts',
    'docs/api.md names test/gone.ts',
    'docs/api.md names engine/format',
    'docs/api.md names limits.md',
    'engine/store/head.ts names design.md',
  ]);
});
