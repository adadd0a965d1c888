// Columns of a few values are chosen for by arithmetic: nothing takes fewer bytes than what is chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { encodeIntegers } from '../../../../engine/format/integers/integer-column.ts';
import { cheapest, findCheapestPacker, Packer } from '../../../../engine/format/integers/integer-packers.ts';
import {
  leadBytes,
  leadCount,
  meanStep,
  PREDICTORS,
  Predictor,
  predict,
} from '../../../../engine/format/integers/integer-predictors.ts';
import { createMeasure } from '../../../../engine/format/integers/residual-measure.ts';
import { type ColumnChoice, chooseForFew, FEW_VALUES } from '../../../../engine/format/integers/short-columns.ts';
import { checkProperty } from '../properties.ts';

const LIMIT = 2 ** 50 - 1;

function choose(values: Float64Array): ColumnChoice {
  const choice: ColumnChoice = { predictor: Predictor.Raw, packer: Packer.Plain, sizeBytes: 0 };
  chooseForFew(choice, values, 0, values.length, meanStep(values, 0, values.length));
  return choice;
}

/** Bytes of the column under the predictor that suits it best, each of them applied and measured. */
function fewestBytes(values: Float64Array): number {
  const residuals = new Float64Array(FEW_VALUES);
  const measure = createMeasure(FEW_VALUES);
  const step = meanStep(values, 0, values.length);
  let fewest = Infinity;
  for (const predictor of PREDICTORS) {
    if (values.length <= leadCount(predictor)) continue;
    if (!predict(predictor, values, 0, values.length, step, residuals, measure)) continue;
    findCheapestPacker(residuals, measure, 0);
    fewest = Math.min(fewest, 1 + leadBytes(predictor, values, 0, step) + cheapest.sizeBytes);
  }
  return fewest;
}

function assertBest(numbers: readonly number[]): void {
  const values = Float64Array.from(numbers);
  const choice = choose(values);
  assert.equal(choice.sizeBytes, fewestBytes(values), `${numbers.join()}: ${JSON.stringify(choice)}`);
  const out = new ByteWriter(256);
  encodeIntegers(out, values, 0, values.length);
  assert.ok(out.length <= choice.sizeBytes, `${numbers.join()}: got ${out.length} bytes; want ${choice.sizeBytes}`);
}

const size = { minLength: 2, maxLength: FEW_VALUES - 1 };

test('the choice for any few whole numbers takes as many bytes as the best of all that were measured', () => {
  const anyNumber = fc.oneof(
    fc.integer({ min: -200, max: 200 }),
    fc.integer(),
    fc.maxSafeInteger().filter((value) => Math.abs(value) <= LIMIT),
    fc.constantFrom(0, LIMIT, -LIMIT, 2 ** 26, 2 ** 26 - 1, -(2 ** 26), 2 ** 49),
  );
  checkProperty(fc.array(anyNumber, size), (numbers) => assertBest(numbers.map((number) => number + 0)));
});

test('the same around any level, of any spread, going any way', () => {
  const shape = fc.record({
    level: fc.integer({ min: -(2 ** 48), max: 2 ** 48 }),
    step: fc.integer({ min: -70_000, max: 70_000 }),
    spread: fc.constantFrom(1, 2, 5, 17, 100, 126, 127, 128, 129, 255, 256, 5000, 1_000_000),
    averageResidual: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), size),
  });
  checkProperty(shape, ({ level, step, spread, averageResidual: noise }) => {
    assertBest(noise.map((share, i) => level + i * step + Math.floor(share * spread)));
  });
});
