// Texts that repeat: the same text as without the memory, whatever else came before, and one string for equal bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextList } from '../../../engine/index.ts';
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

test('the number of a text in a list is that of the same text, whatever other lists and texts came before', () => {
  const text = fc.oneof(fc.constantFrom('Running', 'Stopped', '', 'é€😀'), fc.nat(2000).map(String));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), text), { maxLength: 200 }), (entries) => {
      const recent = recentUtf8();
      const lists = [new TextList(), new TextList(), new TextList()];
      const chars = [0, 0, 0];
      for (const [at, text] of entries) {
        const list = lists[at] as TextList;
        const bytes = Buffer.from(text);
        assert.equal(list.at(recent.numberIn(list, bytes, 0, bytes.length)), text);
        chars[at] = (chars[at] as number) + text.length;
        assert.equal(list.chars, chars[at]);
      }
    }),
    { numRuns: 300 },
  );
});

test('a text that comes again is in its list once, however many others come in between', () => {
  const recent = recentUtf8();
  const list = new TextList();
  const bytes = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  for (let i = 0; i < 1000; i++) recent.numberIn(list, bytes, i % 26, (i % 26) + 1);
  assert.equal(list.length, 26);
});
