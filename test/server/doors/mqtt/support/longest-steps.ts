// A program: reads payloads of a megabyte with the server's room for young objects, and prints the longest step of each, in
// ms of CPU. In a process of its own, as that room cannot be made small again where others have let it grow.

import '../../../../../server/process/young-generation.ts';
import { jsonValue } from '../../../../../server/doors/mqtt/mapping/exact-json.ts';
import { PayloadFault } from '../../../../../server/doors/mqtt/mapping/faults.ts';

const PAYLOAD_BYTES = 1_048_576;
const MOST_TIMES = 10;
/** A time below it needs no other. */
const SHORT_MS = 25;

const payloads = [
  fill('{"a":1234567890123456,"b":"', '\\"'),
  fill('{"a":1234567890123456,"b":"', '\\"', '"}'),
  fill('{"a":1234567890123456,"b":"', '\\\\', '"}'),
  fill('{"a":1234567890123456,"b":', '"'),
  fill('[1', '1', ']'),
  fill('[1', '.1', ']'),
  fill('[0', ',1234567890123456', ']'),
  fill('[0', ',123456789012345', ']'),
  fill('[0', ',{}', ']'),
  `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":${i}`).join(',')}}`,
];
const longest = payloads.map((payload) => [payload.slice(0, 40), shortestOfTimes(payload)]);
process.stdout.write(JSON.stringify(longest));

function fill(start: string, piece: string, end = ''): string {
  return start + piece.repeat(Math.floor((PAYLOAD_BYTES - start.length - end.length) / piece.length)) + end;
}

/** Compilers, the collector and other processes have their turns within a step as well. */
function shortestOfTimes(payload: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < MOST_TIMES && shortest >= SHORT_MS; time++)
    shortest = Math.min(shortest, longestStepMs(payload));
  return shortest;
}

function longestStepMs(payload: string): number {
  const steps = jsonValue(Buffer.from(payload));
  let longest = 0;
  for (let isDone = false; !isDone; ) {
    const before = process.cpuUsage();
    try {
      isDone = steps.next().done === true;
    } catch (error) {
      if (!(error instanceof PayloadFault)) throw error;
      isDone = true;
    }
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  return longest;
}
