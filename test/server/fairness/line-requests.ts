// Bodies of line protocol that are long, or made to be more than anybody sends.

import assert from 'node:assert/strict';
import { type ExpensiveRequest, inSlice, sized, take } from './expensive-request.ts';

const MIB = 2 ** 20;
const LONGEST_LINE_BYTES = 60_000;
const FIRST_MS = Date.UTC(2024, 0, 1);

interface LineRequest {
  readonly name: string;
  /** The line by its number. */
  readonly line: (i: number) => string;
  readonly sizeBytes?: number;
  readonly sliceBytes?: number;
  readonly status: number;
}

/** The body is made before it is measured, and once only; every round writes the same points again. */
function row({ name, line, sizeBytes = 16 * MIB, sliceBytes = MIB, status }: LineRequest): ExpensiveRequest {
  let body: Buffer | undefined;
  return {
    name: `lines of ${name}`,
    async setUp(context) {
      body ??= filled(line, sized(context, Math.min(sliceBytes, sizeBytes), sizeBytes));
    },
    async send(context) {
      const answer = await take(context, 'POST', '/write?db=FairLines&precision=ms', { body: body as Buffer });
      assert.equal(answer.status, status, name);
    },
  };
}

/** Whole lines of about so many bytes, at least one. */
function filled(line: (i: number) => string, sizeBytes: number): Buffer {
  const lines: string[] = [];
  let length = 0;
  for (let i = 0; i === 0 || length < sizeBytes - LONGEST_LINE_BYTES; i++) {
    const next = `${line(i)}\n`;
    length += Buffer.byteLength(next);
    lines.push(next);
  }
  return Buffer.from(lines.join(''));
}

function fields(count: number): string {
  return Array.from({ length: count }, (_, i) => `${i.toString(36)}=1`).join(',');
}

const MANY_FIELDS = fields(10_000);
const LONG_NAME = 'm'.repeat(950);

export const lineRequests: readonly ExpensiveRequest[] = [
  inSlice(
    row({
      name: 'a plant',
      line: (i) => `plant,unit=u${i % 100} level=${(i % 1000) / 10},count=${i}i,flow=98.29896907216495 ${FIRST_MS + i}`,
      status: 204,
    }),
  ),
  inSlice(
    row({
      name: 'ten thousand fields',
      line: (i) => `${LONG_NAME}${i % 10} ${MANY_FIELDS} ${FIRST_MS + i}`,
      sliceBytes: 2 * LONGEST_LINE_BYTES,
      status: 204,
    }),
  ),
  inSlice(
    row({
      name: 'one line of ten thousand fields',
      line: () => `${LONG_NAME} ${MANY_FIELDS}`,
      sizeBytes: LONGEST_LINE_BYTES,
      status: 204,
    }),
  ),
  row({ name: 'new series', line: (i) => `m,n=${i} v=1 ${FIRST_MS}`, sizeBytes: 8 * MIB, status: 204 }),
  row({ name: 'no meaning', line: () => 'a', status: 400 }),
];
