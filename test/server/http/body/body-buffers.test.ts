// Memory of bodies that is used again: of which sizes, and how much of it is kept.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BodyBuffers, roomOf } from '../../../../server/http/body/body-buffers.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

describe('memory of bodies that is used again', () => {
  for (const sizeBytes of [16 * KIB, 300 * KIB, MIB, MIB + 1, 2.5 * MIB, 8 * MIB])
    test(`a body of ${sizeBytes / KIB} KiB has the memory of the one before it`, () => {
      const buffers = new BodyBuffers();
      const first = buffers.take(sizeBytes);
      assert.ok(roomOf(first) >= sizeBytes);
      buffers.release(first);
      assert.equal(buffers.take(sizeBytes), first);
      assert.notEqual(buffers.take(sizeBytes), first, 'it is in use');
    });

  test('bodies of about one size share it', () => {
    const buffers = new BodyBuffers();
    const first = buffers.take(2_600_000);
    buffers.release(first);
    assert.equal(buffers.take(2_610_000), first);
  });

  test('a short body leaves long memory to long ones, and a long one has room', () => {
    const buffers = new BodyBuffers();
    const long = buffers.take(4 * MIB);
    buffers.release(long);
    assert.notEqual(buffers.take(300 * KIB), long);
    assert.ok(roomOf(buffers.take(5 * MIB)) >= 5 * MIB);
    assert.equal(buffers.take(3 * MIB), long);
  });

  test('of long memory 16 MiB are kept, those that were used last, and none of more than 8 MiB', () => {
    const buffers = new BodyBuffers();
    const given = [4, 6, 6, 4].map((mib) => buffers.take(mib * MIB));
    const tooLong = buffers.take(8 * MIB + 1);
    for (const bytes of [...given, tooLong]) buffers.release(bytes);
    const again = [buffers.take(4 * MIB), buffers.take(6 * MIB), buffers.take(6 * MIB), buffers.take(4 * MIB)];
    assert.deepEqual(
      again.map((bytes) => given.indexOf(bytes)),
      [3, 2, 1, -1],
    );
    assert.notEqual(buffers.take(8 * MIB + 1), tooLong);
  });
});
