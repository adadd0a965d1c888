// `npm run check`: every static check, two at a time; all of them run, also after a failure. What each prints comes in one
// piece.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureDependencies, projectFolder } from './dependencies.mjs';

const LINTER = 'node_modules/oxlint/bin/oxlint';
const COMPILER = 'node_modules/typescript/bin/tsc';
/** The longest first. */
const CHECKS = [
  ['promises and switches', LINTER, ['--deny-warnings', '--report-unused-disable-directives']],
  ['types', COMPILER, ['-p', '.']],
  ['types of the page', COMPILER, ['-p', 'server/explorer']],
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
  ['beginnings of comments', 'scripts/comment-beginnings.mjs', []],
];
const CHECKS_AT_ONCE = 2;

ensureDependencies();
const waiting = [...CHECKS];
const failed = [];
await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, runNext));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runNext() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const [title, program, programArguments] = check;
    const startMs = performance.now();
    const { code, output } = await run(program, programArguments);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    process.stdout.write(output);
    console.error(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
    if (code !== 0) failed.push(title);
  }
}

function run(program, programArguments) {
  const path = join(projectFolder, program);
  const child = spawn(process.execPath, [path, ...programArguments], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  child.stderr.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(pieces) }));
  });
}
