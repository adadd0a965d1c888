// docs/mcp.md: its commands give what stands below them, and its table has every tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOOLS } from '../../server/doors/mcp/tools/all-tools.ts';
import { lacksCurl, readPage, tryCommands } from './page-commands.ts';

const page = readPage('mcp.md');

test('each command of the page gives the answer that stands below it', { skip: lacksCurl }, () => tryCommands(page, 2));

test('the page has every tool, and no others', () => {
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string);
  assert.deepEqual(
    named,
    TOOLS.map(({ name }) => name),
  );
});
