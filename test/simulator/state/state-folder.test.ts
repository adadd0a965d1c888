// The files of the running state: whole or refused, and a bounded history.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TagCarry } from '../../../simulator/generate/carry.ts';
import { StateFolder, targetFolderName } from '../../../simulator/state/state-folder.ts';
import { decodeState, encodeState, type SavedState } from '../../../simulator/state/state-model.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2024, 0, 1);

function stateAt(startMs: number): SavedState {
  const source = { map: [], steps: [], tags: [] };
  const carry = { lastTimeMs: startMs - 1, last: '"ä"', lastNumber: 0.1, total: 1 / 3 };
  const none = { lastTimeMs: -Infinity, last: undefined, lastNumber: 0, total: 0 };
  const carries = new Map<string, TagCarry>([
    ['T', carry],
    ['U', none],
  ]);
  return {
    seed: 2 ** 40 + 1,
    definitions: new Map([['h', { name: 'S', source }]]),
    instances: [{ key: 'k', definitionHash: 'h', index: 3, position: { cycle: 7, startMs, carries } }],
    out: { runId: 'r', sizeBytes: 12 },
  };
}

test('a state comes back as it was', () => {
  const state = stateAt(START_MS);
  assert.deepEqual(decodeState(encodeState(state)), state);
});

test('a state that was cut at any byte, or has any byte flipped, is refused', () => {
  const bytes = encodeState(stateAt(START_MS));
  for (let at = 0; at < bytes.length; at++) {
    assert.equal(decodeState(bytes.subarray(0, at)), undefined, `cut at ${at}`);
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    assert.equal(decodeState(flipped), undefined, `flipped at ${at}`);
  }
  assert.equal(decodeState(Buffer.alloc(200)), undefined);
});

test('older states are kept, thinner the older they are, and always the first', async (context) => {
  const path = makeTempFolder(context);
  const folder = await StateFolder.open(path, () => {});
  const HOURS = 600;
  for (let hour = 0; hour <= HOURS; hour++) await folder.write(stateAt(START_MS + hour * HOUR_MS));
  const kept: number[] = [];
  for await (const state of folder.older()) kept.push((state.instances[0]?.position.startMs ?? 0) - START_MS);
  assert.equal(kept.at(-1), 0, 'the first state is kept');
  assert.ok(kept.length >= 10 && kept.length <= 30, `${kept.length} states are kept`);
  const newest = kept[0] ?? 0;
  assert.ok(newest >= (HOURS - 1) * HOUR_MS);
  for (const [index, time] of kept.entries()) {
    const next = kept[index + 1];
    // Going back to a state costs at most about as much again as what lies after it.
    if (next !== undefined) assert.ok(newest - next <= 2 * (newest - time) + 3 * HOUR_MS, `${time} then ${next}`);
  }
  assert.deepEqual(await folder.read(), stateAt(START_MS + HOURS * HOUR_MS));
  assert.deepEqual(
    readdirSync(path).filter((name) => name.endsWith('.new')),
    [],
  );
  await folder.clear();
  assert.equal(await folder.read(), undefined);
  assert.deepEqual(readdirSync(join(path, 'history')), []);
});

test('a state is replaced whole: what is read is never a mixture', async (context) => {
  const path = makeTempFolder(context);
  const folder = await StateFolder.open(path, () => {});
  await folder.write(stateAt(START_MS));
  const writing = folder.write(stateAt(START_MS + 1));
  for (let i = 0; i < 50; i++) assert.notEqual(decodeState(readFileSync(join(path, 'state'))), undefined);
  await writing;
});

test('folder names of targets are safe and differ as the targets do', () => {
  assert.equal(targetFolderName('Plant_1-a'), 'Plant_1-a');
  assert.equal(targetFolderName('a/b ü..'), 'a%2fb%20%c3%bc%2e%2e');
});
