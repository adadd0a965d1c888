// Finds comments whose first sentence does not begin with its subject: one that begins with `Of` or `Where` can be read only
// after the code that it is to explain.
// Run: node scripts/comment-beginnings.mjs [folders, instead of those of the project]

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from './dependencies.mjs';
import { filesBelow } from './file-hash.mjs';
import { PROGRAM_FOLDERS } from './source-folders.mjs';

/** Folders of the project whose comments are held to this. */
const FOLDERS = [...PROGRAM_FOLDERS, 'bench', 'bin', 'test'];
const SOURCE_ENDING = /\.(ts|tsx|mjs|mts)$/;
const BEGINNING = /^(Of|Those|As|Where|Behind|Beside|So|Once)\b/;
/** Lines of `//` that follow each other, such a comment at the end of code, or a block; not such marks within a text. */
const COMMENT =
  /(?<=^[ \t]*)\/\/.*(?:\n[ \t]*\/\/.*)*|(?<=[;,{}()][ \t]+)\/\/.*|(?<=^[ \t]*\{?|[;,{}()][ \t]*)\/\*[\s\S]*?\*\//gm;
/** Marks of a comment at the beginning of its lines, and at the end of a block. */
const MARKS = /^[ \t]*(?:\/\/+|\/\*+|\*(?!\/))|\*\/$/gm;
const SENTENCE = /^.*?[.!?](?=\s|$)|^.*/;

const words = process.argv.slice(2);
const folders = words.length > 0 ? words : FOLDERS.map((folder) => join(projectFolder, folder));
const paths = folders.flatMap(filesBelow).filter((path) => SOURCE_ENDING.test(path));
const faults = paths.flatMap((path) => faultsOf(relative(process.cwd(), path), readFileSync(path, 'utf8')));
for (const fault of faults) console.error(fault);
if (faults.length > 0) console.error('Begin these comments with their subject: "Time of a point", not "Of a point".');
// A list of folders that has become wrong would be no fault otherwise.
if (paths.length === 0) console.error(`There are no sources below ${folders.join(', ')}.`);
process.exitCode = faults.length > 0 || paths.length === 0 ? 1 : 0;

/** A line for each such comment: its place, and its first sentence. */
function faultsOf(path, text) {
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const plain = comment.replace(MARKS, '').replace(/\s+/g, ' ').trim();
    if (!BEGINNING.test(plain)) return [];
    const line = text.slice(0, index + comment.search(/\w/)).split('\n').length;
    return [`${path}:${line}: ${SENTENCE.exec(plain)[0]}`];
  });
}
