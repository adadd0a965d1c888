// Payloads of Sparkplug that are packed into another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { PayloadFault } from '../../../../../server/doors/mqtt/mapping/faults.ts';
import { bdSeq, encode, type Metric, Node, type Payload, T, textsOf } from '../support/sparkplug-node.ts';

const metrics = Array.from({ length: 50 }, (_, i) => ({ name: `m${i}`, type: 'Double', value: i }) as Metric);
const inner = encode({ timestamp: T, seq: 0, metrics: [bdSeq(1), ...metrics] });

/** Payload as the libraries pack it: the packed payload is the body, and a metric names the algorithm. */
function packed(body: Uint8Array | undefined, algorithm?: string, more: Partial<Payload> = {}): Uint8Array {
  const named = algorithm === undefined ? [] : [{ name: 'algorithm', type: 'String', value: algorithm } as Metric];
  const content = body === undefined ? {} : { body };
  return encode({ uuid: 'SPBV1.0_COMPRESSED', ...content, metrics: named, ...more });
}

for (const [what, body, algorithm] of [
  ['DEFLATE, said', deflateSync(inner), 'DEFLATE'],
  ['DEFLATE by default', deflateSync(inner), undefined],
  ['GZIP', gzipSync(inner), 'GZIP'],
  ['small letters', gzipSync(inner), 'gzip'],
] as const) {
  test(`a packed payload is read: ${what}`, () => {
    const node = new Node();
    const birth = node.send('NBIRTH', packed(body, algorithm));
    assert.equal(birth.points.length, 50);
    assert.equal(textsOf(birth)[49], 'n/m49 {"t":"2026-06-01T00:00:00.000Z","v":49}');
    const data = encode({ timestamp: T + 1, seq: 1, metrics: [{ name: 'm0', type: 'Double', value: 7 } as Metric] });
    const told = node.send('NDATA', packed(deflateSync(data)));
    assert.deepEqual(textsOf(told), ['n/m0 {"t":"2026-06-01T00:00:00.001Z","v":7}']);
    assert.equal(told.rebirth, undefined, 'the number of the message is in the packed payload');
  });
}

test('time and number may stand beside the body', () => {
  const node = new Node();
  node.birth();
  const data = encode({ metrics: [{ alias: 7, type: 'Double', value: 7 } as Metric] });
  const told = node.send('NDATA', packed(deflateSync(data), 'DEFLATE', { timestamp: T, seq: 1 }));
  assert.deepEqual(textsOf(told), ['n/x {"t":"2026-06-01T00:00:00.000Z","v":7}']);
  assert.equal(told.rebirth, undefined);
});

test('what cannot be unpacked is refused with its reason: damaged, without a body, too large, unknown, packed twice', () => {
  const wrong = (bytes: Uint8Array, reason: RegExp): void =>
    assert.throws(
      () => new Node().send('NBIRTH', bytes),
      (error) => error instanceof PayloadFault && reason.test(error.message),
    );
  wrong(packed(deflateSync(inner).subarray(0, 40)), /^its body cannot be unpacked: /);
  wrong(packed(inner), /^its body cannot be unpacked: /);
  wrong(packed(gzipSync(inner), 'DEFLATE'), /^its body cannot be unpacked: /);
  wrong(packed(undefined), /^the payload is said to be packed, and has no body/);
  wrong(packed(deflateSync(new Uint8Array(2_097_153))), /^it unpacks to more than 2097152 bytes/);
  wrong(packed(deflateSync(inner), 'LZ4'), /^it is packed with 'LZ4'; want DEFLATE or GZIP/);
  wrong(packed(deflateSync(packed(deflateSync(inner)))), /^the payload is packed twice/);
});
