// Holds the numbered invariants of docs/durability.md against code and tests: each is cited where it is kept and in the
// title of a test, and nothing cites a number that is not there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsOf, isTest, listFiles, type ProjectFile, withoutQuotes } from './project-files.ts';

const PAGE = 'docs/durability.md';
const NUMBER = /\bD\d+\b/g;
/** Titles that are written at the test; those that come from tables cite nothing. */
const TITLE = /^[ \t]*(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm;
const PRODUCT = /^(engine|server)\//;

/** The numbers of the invariants in the order of the page. */
function invariantsOf(page: string): string[] {
  return [...page.matchAll(/^\*\*(D\d+)\. /gm)].map(([, number = '']) => number);
}

function numbersIn(texts: Iterable<string>): string[] {
  return [...texts].flatMap((text) => text.match(NUMBER) ?? []);
}

function titlesOf({ path, text }: ProjectFile): string[] {
  return isTest(path) ? [...text.matchAll(TITLE)].map(([, , title = '']) => title) : [];
}

/** What of a file may cite: of a page all but code, of a source its comments and the titles of tests. */
function citingTexts(file: ProjectFile): string[] {
  if (file.path.endsWith('.md')) return [withoutQuotes(file.text)];
  return [...commentsOf(file.text).map(withoutQuotes), ...titlesOf(file)];
}

function findFaults(files: readonly ProjectFile[]): string[] {
  const page = files.find(({ path }) => path === PAGE);
  const invariants = invariantsOf(page?.text ?? '');
  const kept = new Set(numbersIn(files.filter(({ path }) => PRODUCT.test(path)).flatMap(citingTexts)));
  const proved = new Set(numbersIn(files.flatMap(titlesOf)));
  return [
    ...invariants.filter((number, index) => number !== `D${index + 1}`).map((number) => `${number} is out of order`),
    ...invariants.filter((number) => !kept.has(number)).map((number) => `${number} is cited nowhere in the code`),
    ...invariants.filter((number) => !proved.has(number)).map((number) => `${number} is in the title of no test`),
    ...files.flatMap((file) => {
      const unknown = numbersIn(citingTexts(file)).filter((number) => !invariants.includes(number));
      return unknown.map((number) => `${file.path} cites ${number}, which ${PAGE} does not have`);
    }),
  ];
}

const projectFiles = listFiles();

test('the search finds the invariants, and code and tests that cite them', () => {
  assert.ok(invariantsOf(projectFiles.find(({ path }) => path === PAGE)?.text ?? '').length >= 14);
  assert.ok(numbersIn(projectFiles.filter(({ path }) => PRODUCT.test(path)).flatMap(citingTexts)).length >= 30);
  assert.ok(projectFiles.flatMap(titlesOf).length >= 1000);
});

test('each invariant is cited in the code and in the title of a test, and each number that is cited is one', () => {
  assert.deepEqual(findFaults(projectFiles), []);
});

test('negative control: numbers that are unknown, kept nowhere, proved nowhere or out of order are found', () => {
  const sample = [
    { path: PAGE, text: '**D1. Kept.** As D98 says.\n\n**D2. Only proved.**\n\n**D4. Only kept.** `D97`' },
    { path: 'engine/a.ts', text: "// What D1 says.\nconst notCited = 'D2';\n/**\n * So D4, and D99.\n */" },
    { path: 'test/a.test.ts', text: "test('D1: is so', () => {});\nit(\n  `so is D2 $1`, () => use('D4'));" },
    { path: 'test/b.ts', text: '  /* By D96. `D95` is a format. */' },
  ];
  assert.deepEqual(findFaults(sample), [
    'D4 is out of order',
    'D2 is cited nowhere in the code',
    'D4 is in the title of no test',
    `${PAGE} cites D98, which ${PAGE} does not have`,
    `engine/a.ts cites D99, which ${PAGE} does not have`,
    `test/b.ts cites D96, which ${PAGE} does not have`,
  ]);
});
