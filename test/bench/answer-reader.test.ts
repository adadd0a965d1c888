import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerReader } from '../../bench/client/answer-reader.ts';

const ANSWERS = [
  ['a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 200, 'hello'],
  ['no body', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nX: y\r\n\r\n', 404, ''],
  [
    'a chunked body',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n',
    200,
    'hello0123456789',
  ],
] as const;

for (const [title, text, status, body] of ANSWERS) {
  test(`an answer with ${title} is read alike in one piece and in pieces of any size`, () => {
    for (let size = 1; size <= text.length; size++) {
      const reader = new AnswerReader();
      reader.begin(true);
      const ends: boolean[] = [];
      for (let at = 0; at < text.length; at += size) ends.push(reader.take(Buffer.from(text.slice(at, at + size))));
      assert.equal(ends.indexOf(true), ends.length - 1, `pieces of ${size}`);
      assert.equal(reader.status, status);
      assert.equal(Buffer.concat(reader.parts).toString(), body);
      assert.equal(reader.bodyBytes, body.length);
    }
  });
}

test('an answer without content ends with its head', () => {
  const reader = new AnswerReader();
  reader.begin(true);
  assert.equal(reader.take(Buffer.from('HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n')), true);
  assert.deepEqual([reader.status, reader.bodyBytes], [204, 0]);
});

test('bytes that are no answer are an error', () => {
  const reader = new AnswerReader();
  reader.begin(false);
  assert.throws(() => reader.take(Buffer.from('SSH-2.0\r\n\r\n')), /begins with "SSH-2.0/);
});
