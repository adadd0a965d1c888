import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../../../server/http/contract/http-server.ts';
import { answerFormat, bodyFormat } from '../../../server/routes/request/media-type.ts';
import { appliedHeader, readPreferences } from '../../../server/routes/request/prefer.ts';

function requestWith(headers: Record<string, string>): HttpRequest {
  return { header: (name: string) => headers[name] } as HttpRequest;
}

test('Prefer is read without regard to case, quotes, blanks and unknown preferences', () => {
  const prefer = (text: string): unknown => readPreferences(requestWith({ prefer: text }));
  assert.deepEqual(prefer('return=representation'), { isReceiptWanted: true, handling: undefined });
  assert.deepEqual(prefer('respond-async, Return = "representation" , handling=lenient; x=1'), {
    isReceiptWanted: true,
    handling: 'lenient',
  });
  assert.deepEqual(prefer('handling=strict, handling=lenient'), { isReceiptWanted: false, handling: 'strict' });
  assert.deepEqual(prefer('handling=soft, return=minimal'), { isReceiptWanted: false, handling: undefined });
  assert.deepEqual(prefer('\t return\t=  representation ; a="b;c" ,handling= "strict"'), {
    isReceiptWanted: true,
    handling: 'strict',
  });
  assert.deepEqual(prefer('return = "representation" x'), { isReceiptWanted: false, handling: undefined });
  assert.deepEqual(prefer(',,=,;'), { isReceiptWanted: false, handling: undefined });
  assert.deepEqual(readPreferences(requestWith({})), { isReceiptWanted: false, handling: undefined });
});

test('a long Prefer is read in a time that is linear in its length', () => {
  const startMs = performance.now();
  for (const tail of ['!', '= !', '=a!', '; !']) {
    readPreferences(requestWith({ prefer: `a${' '.repeat(50_000)}${tail}` }));
    readPreferences(requestWith({ prefer: `a=${' '.repeat(50_000)}${tail}` }));
  }
  assert.ok(performance.now() - startMs < 1000, 'with room for a machine that is busy');
});

test('preferences that were followed are said', () => {
  assert.deepEqual(appliedHeader({ isReceiptWanted: true, handling: 'lenient' }), [
    ['Preference-Applied', 'return=representation, handling=lenient'],
  ]);
  assert.deepEqual(appliedHeader({ isReceiptWanted: false, handling: undefined }), []);
});

test('msgpack is answered when it is asked for by name and liked at least as much as JSON', () => {
  const format = (accept: string): string => answerFormat(requestWith({ accept }));
  assert.equal(format('application/msgpack'), 'msgpack');
  assert.equal(format('application/x-msgpack, application/json'), 'msgpack');
  assert.equal(format('application/msgpack;q=0.5, application/json'), 'json');
  assert.equal(format('application/json;q=0.5, Application/MSGPACK;q=0.9'), 'msgpack');
  assert.equal(format('application/msgpack;q=0'), 'json');
  assert.equal(format('*/*'), 'json');
  assert.equal(answerFormat(requestWith({})), 'json');
});

test('a body is msgpack when it is declared so, else JSON', () => {
  const format = (type: string): string => bodyFormat(requestWith({ 'content-type': type }));
  assert.equal(format('application/msgpack'), 'msgpack');
  assert.equal(format('Application/X-Msgpack; charset=binary'), 'msgpack');
  assert.equal(format('text/plain'), 'json');
  assert.equal(bodyFormat(requestWith({})), 'json');
});
