import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTag, formerNameText } from '../../../../../server/explorer/model/tags/former-names.ts';

const NOW_MS = Date.UTC(2026, 0, 2);
const at = '2026-01-01T00:00:00.000Z';
const past = { n: 'Past', at, until: '2026-01-02T00:00:00.000Z', forward: true };
const kept = { n: 'Kept', at, until: '2026-01-02T00:00:01.000Z', forward: false };
const good = { n: 'Good', at, forward: true };

test('a tag is found by its name, and by former ones that lead to it; a present name comes first', () => {
  const tags = [{ n: 'A', former: [past, kept, good] }, { n: 'Good' }];
  const nameOf = (name: string): string | undefined => findTag(tags, name, NOW_MS)?.n;
  assert.deepEqual(['A', 'Past', 'Kept', 'Good', 'X'].map(nameOf), ['A', undefined, 'A', 'Good', undefined]);
});

test('a former name says until when it leads to the tag, and for what', () => {
  assert.equal(formerNameText(past, NOW_MS), 'Past (leads here no more)');
  assert.match(formerNameText(kept, NOW_MS), /^Kept \(until 2026-01-02 .*, for reading\)$/);
  assert.equal(formerNameText(good, NOW_MS), 'Good (for reading and writing)');
});
