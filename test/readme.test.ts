// The README is true: its commands run as they stand against a fresh server, and print exactly what it says; its links lead somewhere.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { projectFolder, ServerProcess } from './support/server-process.ts';

const README_ADDRESS = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 120_000;
const FEWEST_EXAMPLES = 8;

interface Example {
  /** Shell lines with at least one curl. */
  readonly script: string;
  /** What they print. */
  readonly answer: string;
}

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');

/** Every `sh` block with curl lines, with the `json` or `text` block behind it. */
function collectExamples(text: string): Example[] {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', content = '']) => ({
    language,
    content,
  }));
  return blocks.flatMap(({ language, content }, index) => {
    if (language !== 'sh' || !/^curl /m.test(content)) return [];
    const answer = blocks[index + 1];
    assert.ok(answer?.language === 'json' || answer?.language === 'text', `an answer follows:\n${content}`);
    return [{ script: content, answer: answer.content.trimEnd() }];
  });
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('each command of the README prints what it says', {
  skip: hasCurl ? false : 'curl is not installed',
}, async (t) => {
  const examples = collectExamples(readme);
  assert.ok(examples.length >= FEWEST_EXAMPLES, `${examples.length} examples found`);
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  for (const { script, answer } of examples) {
    const here = script.replaceAll(README_ADDRESS, server.url);
    assert.notEqual(here, script);
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { timeout: COMMAND_LIMIT_MS });
    assert.equal(stdout.replaceAll(server.url, README_ADDRESS).trimEnd(), answer, script);
  }
});

test('each link of the README to a file leads to one', () => {
  const paths = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 0);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(projectFolder, path))),
    [],
  );
});
