import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressText } from '../../../../server/commands/transfer/progress.ts';

test('progress has the rate and the time left', () => {
  const file = { readBytes: 25e6, sizeBytes: 100e6, elapsedMs: 10_000 };
  assert.equal(
    progressText({ ...file, what: 'checking', sending: undefined }),
    'checking · 25 % · 2.5 MB/s · 30 s left',
  );
  const sending = { total: 4_000_000, done: 20_000, written: 19_000 };
  assert.equal(
    progressText({ ...file, what: 'sending', sending }),
    'sending · 0 % · 19,000 points written · 2,000 points/s · 33 min left',
  );
  const piped = { what: 'sending', readBytes: 25e6, sizeBytes: undefined, elapsedMs: 10_000 };
  assert.equal(
    progressText({ ...piped, sending: { ...sending, total: undefined } }),
    'sending · 25.0 MB · 19,000 points written · 2,000 points/s',
  );
});
