// All campaigns have the same words.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCount, parseExtent, parseSeed, parseTransports } from './campaign.ts';
import { projectFolder } from './server-process.ts';

/** A part of the fairness table, started by it. */
const NO_CAMPAIGN = 'server/fairness/probe-program.ts';

test('every campaign takes --extent, and none has a word of its own for the number of its trials', () => {
  const folder = join(projectFolder, 'test');
  const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== NO_CAMPAIGN)
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    .filter(({ text }) => /^if \(process\.argv\[1\] === import\.meta\.filename\)/m.test(text));
  assert.ok(programs.length >= 20, `${programs.length} programs`);
  for (const { name, text } of programs) {
    assert.match(text, /runAsProgram\(|parseExtent\(/, name);
    assert.doesNotMatch(text, /'(runs|rounds|minutes|trials)'|process\.env\.(EXTENT|CASE)/, name);
  }
});

test('an extent is slice or full, and full without a word; other words are refused', () => {
  assert.deepEqual([parseExtent(undefined), parseExtent('slice'), parseExtent('full')], ['full', 'slice', 'full']);
  assert.throws(() => parseExtent('all'), /--extent all: want slice or full/);
  assert.deepEqual(parseTransports(undefined), ['uws', 'node']);
  assert.deepEqual(parseTransports('node'), ['node']);
  assert.throws(() => parseTransports('http'), /--transport http: want uws or node/);
  assert.deepEqual([parseCount(undefined), parseCount('0'), parseSeed('7')], [undefined, 0, 7]);
  for (const text of ['-1', '1.5', 'many']) assert.throws(() => parseCount(text), /--count .*: want a whole number/);
});
