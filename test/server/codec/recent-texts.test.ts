// Texts that repeat: the same text as without the memory, whatever else came before, and one string for equal bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecentTexts, recentUtf8 } from '../../../server/codec/body/recent-texts.ts';

test('every text is the one of its bytes, among any others before it', () => {
  const unit = fc.constantFrom('a', 'b', '0', 'é', '€', '😀', '\u0000');
  const short = fc.string({ unit, maxLength: 36 });
  fc.assert(
    fc.property(fc.array(fc.oneof(short, fc.constantFrom('Running', 'Stopped', '')), { maxLength: 60 }), (texts) => {
      const recent = recentUtf8();
      const all = Buffer.from(texts.join(''));
      for (let round = 0, at = 0; round < 2; round++, at = 0) {
        for (const text of texts) {
          const end = at + Buffer.byteLength(text);
          assert.equal(recent.at(all, at, end), text);
          at = end;
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('ten thousand different texts push each other out, and each is still its own', () => {
  const recent = recentUtf8();
  for (let i = 0; i < 10_000; i++) {
    const text = `state ${i % 3000}`;
    const bytes = Buffer.from(text);
    assert.equal(recent.at(bytes, 0, bytes.length), text);
  }
});

test('equal bytes are decoded once; long ones, and those that cannot be, each time', () => {
  let decoded = 0;
  const recent = new RecentTexts<Uint8Array>((bytes, start, end) => {
    decoded++;
    if (bytes[start] === 0xff) throw new RangeError('not a text');
    return Buffer.from(bytes.subarray(start, end)).toString('utf8');
  });
  const [short, long, bad] = [Buffer.from('Running'), Buffer.alloc(33, 'a'), Buffer.from([0xff])];
  for (let i = 0; i < 3; i++) assert.equal(recent.at(short, 0, 7), 'Running');
  assert.equal(decoded, 1);
  for (let i = 0; i < 3; i++) assert.equal(recent.at(long, 0, 33), 'a'.repeat(33));
  assert.equal(decoded, 4);
  for (let i = 0; i < 2; i++) assert.throws(() => recent.at(bad, 0, 1), RangeError);
  assert.equal(decoded, 6);
});
