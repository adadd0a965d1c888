// A slice of the campaign: a minute of two live trends over a bad line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from '../support/browser.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { liveLine } from './live-line/live-line.ts';

test('what live trends show over a line that is cut again and again is what the server had', {
  skip: noBrowser,
  timeout: 300_000,
}, async () => {
  const { trials, failures } = await liveLine({ seed: chooseSeed(), count: 1 });
  assert.deepEqual(failures, []);
  assert.ok(trials >= 10, `${trials} looks`);
});
