import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasetCopy } from '../../../replication/job/dataset-copy.ts';
import { KeptCopy } from '../../../replication/job/kept-copy.ts';
import { MemorySink } from '../memory-sink.ts';

/** More than there is room for on the stack, if each were a call within the one before. */
const ROUNDS = 12_000;
const LIMIT_MS = 120_000;

test('a copy that has gone round for days stops like any other', { timeout: LIMIT_MS }, async () => {
  let rounds = 0;
  const stopping = new AbortController();
  const copy = {
    round: async () => {
      if (++rounds === ROUNDS) stopping.abort();
    },
    wait: async () => {},
    noteState: () => {},
  };
  const kept = new KeptCopy({
    name: 'Plant',
    copy: copy as unknown as DatasetCopy,
    sink: new MemorySink(),
    nowMs: () => Date.now(),
    listener: () => {},
    isOn: () => true,
    stopped: stopping.signal,
  });
  await kept.ended;
  assert.equal(rounds, ROUNDS);
});
