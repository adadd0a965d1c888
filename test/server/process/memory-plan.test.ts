// What requests and answers may hold, by the memory that there is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeMemory, memoryFacts, planMemory } from '../../../server/process/memory-plan.ts';

const GIB = 2 ** 30;

describe('the memory of requests and answers', () => {
  test('is a part of what the machine has, or the group of processes that the server is limited to', () => {
    const machine = { machineBytes: 64 * GIB, groupBytes: Number.POSITIVE_INFINITY, heapBytes: 4 * GIB };
    assert.deepEqual(planMemory(machine), {
      totalBytes: 64 * GIB,
      heapBytes: 4 * GIB,
      bodiesBytes: 1_431_655_764,
      answersBytes: GIB,
    });
    const group = planMemory({ ...machine, groupBytes: 3 * GIB, heapBytes: 1.5 * GIB });
    assert.equal(group.bodiesBytes, GIB / 2);
    assert.equal(group.answersBytes, 0.375 * GIB);
  });

  test('is a part of the heap where that is small, and never so little that one large request is refused', () => {
    const { answersBytes } = planMemory({ machineBytes: 64 * GIB, groupBytes: 64 * GIB, heapBytes: 2 * GIB });
    assert.equal(answersBytes, GIB / 2);
    const small = planMemory({ machineBytes: GIB / 4, groupBytes: GIB / 4, heapBytes: GIB / 8 });
    assert.equal(small.bodiesBytes, GIB / 8);
    assert.equal(small.answersBytes, GIB / 16);
  });

  test('is told in words', () => {
    assert.match(
      describeMemory(planMemory(memoryFacts())),
      /^\d+\.\d GB: heap \d+\.\d, requests \d\.\d, answers \d\.\d$/,
    );
  });
});
