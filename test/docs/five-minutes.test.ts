// The guide of five minutes is true: its commands print what it says, and its link opens what was written.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parseView } from '../../server/explorer/model/trend/view-state.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const PAGE_ADDRESS = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 120_000;
const TIMES = /\d{4}-\d\d-\d\dT[\d:]+\.\d+Z/g;

const page = readFileSync(join(projectFolder, 'docs/five-minutes.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Each `sh` block with a curl line, and the block of output behind it, empty when there is none. */
function collectSteps(): { script: string; output: string }[] {
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, script = ''], index) => {
    if (language !== 'sh' || !/^ *curl /m.test(script)) return [];
    const [, next, output = ''] = blocks[index + 1] ?? [];
    return [{ script, output: next === 'json' || next === 'text' ? output.trimEnd() : '' }];
  });
}

test('each command prints what the page says, but for the time', {
  skip: hasCurl ? false : 'curl is not installed',
}, async (t) => {
  const steps = collectSteps();
  assert.equal(steps.length, 4);
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  for (const { script, output } of steps) {
    const here = script.replaceAll(PAGE_ADDRESS, server.url).replace('sleep 1', 'sleep 0.01');
    assert.notEqual(here, script);
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { timeout: COMMAND_LIMIT_MS });
    assert.equal(stdout.trimEnd().replace(TIMES, 'TIME'), output.replace(TIMES, 'TIME'), script);
  }
});

test('the link shows the tag that was written, up to now', () => {
  const [, fragment = ''] = /\]\(http:\/\/127\.0\.0\.1:4511\/#([^)]+)\)/.exec(page) ?? [];
  const view = parseView(fragment);
  assert.deepEqual(view.tags, [{ dataset: 'First', name: 'Temperature' }]);
  assert.deepEqual(view.range, { from: '-5m', to: 'now' });
});

test('each link to a file leads to one', () => {
  const paths = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
  assert.ok(paths.length >= 5);
  for (const path of paths) assert.ok(existsSync(join(projectFolder, 'docs', path)), path);
});
