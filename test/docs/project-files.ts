// The project's own sources and pages, for tests that hold them against each other.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../support/server-process.ts';

const FOLDERS = [
  'bench',
  'bin',
  'demo',
  'deploy',
  'docs',
  'engine',
  'examples',
  'scripts',
  'server',
  'simulator',
  'test',
];
const TEXT_ENDING = /\.(ts|tsx|mjs|cjs|md)$/;
const COMMENT = /^[ \t]*(?:\/\/|\/\*|\*).*$|(?<=[ \t;{},])\/\/ .*$/gm;
const FENCED = /^```[\s\S]*?^```$/gm;
const QUOTE = /`([^`\n]*)`/g;

export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What a clean clone has not yet: installed, built, or left by a benchmark. */
const MADE = /(^|\/)node_modules\/|^bench\/results(\/|$)|^server\/explorer\/dist/;

/** Every file of the project, whatever it holds, but for what is made here. */
export function listPaths(): string[] {
  const top = readdirSync(projectFolder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  return [...top.map(({ name }) => name), ...paths].filter((path) => !MADE.test(path));
}

/** Sources and pages with their text. */
export function listFiles(): ProjectFile[] {
  return listPaths()
    .filter((path) => TEXT_ENDING.test(path))
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** The lines of a source that are comments, or end in one. */
export function commentsOf(text: string): string[] {
  return text.match(COMMENT) ?? [];
}

/** What stands in backticks within the lines of a text. */
export function quotesOf(text: string): string[] {
  return [...text.replace(FENCED, '').matchAll(QUOTE)].map(([, quote = '']) => quote);
}

/** A text without its code: what stands in backticks, in one line or in several. */
export function withoutQuotes(text: string): string {
  return text.replace(FENCED, '').replace(QUOTE, '');
}
