// Requests are cut into batches of bounded work, none of them smaller than it must be, and nothing is lost or changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PointColumns, type PointRun, ValueType } from '../../../engine/index.ts';
import { cutBatches, isLongRequest } from '../../../engine/ingest/batch.ts';
import { cutRequest } from '../../support/cut-requests.ts';
import { asPlain } from '../../support/plain-batches.ts';

interface Drawn {
  readonly points: readonly { readonly ms: number; readonly ticks: number; readonly value: number | string }[];
}

// A base of 0 is none to `asPlain`, which would give the first run another one with the second.
const point = fc.record({ ms: fc.integer({ min: 1, max: 31 }), ticks: fc.constantFrom(0, 0, 5) });
const numbers = fc.array(point, { maxLength: 20 }).map((own) => own.map((one, i) => ({ ...one, value: i })));
const texts = fc.array(point, { maxLength: 20 }).map((own) => own.map((one, i) => ({ ...one, value: 'x'.repeat(i) })));
const request = fc.array(fc.record({ points: fc.oneof(numbers, texts) }), { maxLength: 8 });
const limits = fc.record({
  batchTags: fc.constantFrom(1, 3, 1e9),
  batchPoints: fc.constantFrom(1, 7, 1e9),
  batchChars: fc.constantFrom(10, 1e9),
});

function batchOf(drawn: readonly Drawn[]): { points: PointColumns; runs: readonly PointRun[] } {
  const points = new PointColumns(200);
  const runs = drawn.map(({ points: own }, i): PointRun => {
    const start = points.count;
    const isText = typeof own[0]?.value === 'string';
    for (const { ms, ticks, value } of own) {
      const at = points.count++;
      points.timesMs[at] = ms;
      points.ticks[at] = ticks;
      points.qualities[at] = 192;
      points.numbers[at] = typeof value === 'string' ? points.texts.push(value) : value;
    }
    const type = isText ? ValueType.String : ValueType.Double;
    return { name: `T${i}`, tag: undefined, type, start, count: own.length, rejected: 1, stamped: 0 };
  });
  return asPlain({ points, runs });
}

test('each batch is within the limits, and has what the plain words of the oracle say', async () => {
  await fc.assert(
    fc.asyncProperty(request, limits, async (drawn, within) => {
      const given = batchOf(drawn);
      const batches = await cutBatches(given, within, () => undefined);
      assert.ok(batches.length < 2 || isLongRequest(given, within));
      const named = drawn.map(({ points: own }: Drawn, i) => ({ points: own, name: `T${i}` }));
      const { points } = given;
      assert.deepEqual(
        batches.map(({ runs }) =>
          runs.map((run) => {
            const { start, count, decimals = -1 } = run;
            if (decimals >= 0) points.spread(start, start + count, decimals);
            return [run.name, Array.from({ length: count }, (_, i) => describe(points, run, start + i))];
          }),
        ),
        cutRequest(named, within).map((runs) =>
          runs.map((run) => [run.name, run.points.map(({ ms, ticks, value }) => `${ms} ${ticks} ${value}`)]),
        ),
      );
      const rejected = batches.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.rejected, 0);
      assert.equal(rejected, drawn.length);
      for (const { runs, pointCount } of batches)
        assert.equal(
          pointCount,
          runs.reduce((sum, { count }) => sum + count, 0),
        );
    }),
  );
});

function describe(points: PointColumns, { type }: PointRun, i: number): string {
  const number = points.numbers[i] as number;
  return `${points.timesMs[i]} ${points.ticks[i]} ${type === ValueType.String ? points.texts.at(number) : number}`;
}
