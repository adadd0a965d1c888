// Holds the list of events in docs/operations.md against the code, in both directions.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const engineFolder = new URL('../../engine/', import.meta.url);

function eventsInCode(): Set<string> {
  const events = new Set<string>();
  const files = readdirSync(engineFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  assert.ok(files.length > 50, `${files.length} files were looked at`);
  const source = files.map((name) => readFileSync(new URL(name, engineFolder), 'utf8')).join('\n');
  for (const [, name = ''] of source.matchAll(/(?:event: |\breport\([^;]{0,80}?)'([a-z]+(?:-[a-z]+)*\.[a-z-]+)'/g)) {
    events.add(name);
  }
  return events;
}

test('every event of the engine is in the list, and the list has no other', () => {
  const listed = [...page.matchAll(/^\| `([a-z-]+\.[a-z-]+)` \| (?:error|warn|info) \| .{20,}\|$/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(listed, [...eventsInCode()].sort());
});
