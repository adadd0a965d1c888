// The parser of JSON bodies against its slow twin, on generated and on broken bodies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ValueType } from '../../../engine/index.ts';
import type { WriteBodyShape } from '../../../server/codec/body/body-parser.ts';
import { TvqParser } from '../../../server/codec/read-json/tvq-parser.ts';
import type { TruthTags } from '../../../server/codec/scalars/value-fit.ts';
import { asBody, BODY_SPARE_BYTES } from '../../../server/http/contract/body-bytes.ts';
import { ProblemError } from '../../../server/problem.ts';
import { lookupOf, runsOf } from './body-support.ts';
import { referenceParse } from './tvq-reference.ts';
import { AWKWARD_NAMES, mutated, pointsBodies, seed, tagsBodies } from './value-arbitraries.ts';

const lookup = lookupOf({
  B: ValueType.Boolean,
  I8: ValueType.SByte,
  U8: ValueType.Byte,
  I16: ValueType.Int16,
  U16: ValueType.UInt16,
  I32: ValueType.Int32,
  U32: ValueType.UInt32,
  I64: ValueType.Int64,
  U64: ValueType.UInt64,
  F: ValueType.Single,
  D: ValueType.Double,
  M: ValueType.Decimal,
  S: ValueType.String,
  T: ValueType.DateTime,
  O: ValueType.Open,
  'ü/~': ValueType.Double,
  ...Object.fromEntries(AWKWARD_NAMES.map((name) => [name, ValueType.Double])),
});
const parser = new TvqParser();
const arrivalMs = 1_700_000_000_000;
/** With the second one the short cuts for short texts are taken, too. */
const TEXT_LIMITS = [20, 40];
let maxTextBytes = TEXT_LIMITS[0] as number;

function parse(bytes: Uint8Array, shape: WriteBodyShape, truths: TruthTags = 'boolean', spareBytes = 0): unknown {
  try {
    const parsed = parser.parse(bytes, {
      shape,
      lookup,
      handling: 'lenient',
      arrivalMs: arrivalMs,
      maxTextBytes,
      truths,
      spareBytes,
    });
    const answer = {
      runs: runsOf(parsed.batch),
      faultPaths: parsed.faults.map((fault) => fault.path).sort(),
      rejected: parsed.rejected,
    };
    assert.equal(parsed.faultCount, parsed.faults.length);
    parser.release(parsed.batch);
    return answer;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors.length > 0 ? 'shape' : 'unreadable';
  }
}

function referenceAnswer(bytes: Uint8Array, shape: WriteBodyShape, truths: TruthTags): unknown {
  const body = referenceParse(bytes, { shape, lookup, arrivalMs: arrivalMs, maxTextBytes, truths });
  if (typeof body === 'string') return body;
  const runs = new Map(
    [...body.runs].map(([name, { type, points, rejected, stamped }]) => [name, { type, points, rejected, stamped }]),
  );
  return { runs, faultPaths: [...body.faultPaths].sort(), rejected: body.rejected };
}

/** White space behind a body: near the end of the bytes the parser takes no short cuts, and with it that end is far. */
const margin = Buffer.alloc(200, ' ');

function check(bytes: Uint8Array, shape: WriteBodyShape, truths: TruthTags = 'boolean'): void {
  for (const limit of TEXT_LIMITS) {
    maxTextBytes = limit;
    checkOnce(bytes, shape, truths);
  }
}

function checkOnce(bytes: Uint8Array, shape: WriteBodyShape, truths: TruthTags): void {
  const expected = referenceAnswer(bytes, shape, truths);
  assert.deepEqual(parse(bytes, shape, truths), expected);
  assert.deepEqual(parse(Buffer.concat([bytes, margin]), shape, truths), expected);
  // With zeros behind the bytes, as the server has them, the parser takes its short cuts up to the end.
  for (const spareBytes of [64, BODY_SPARE_BYTES])
    assert.deepEqual(parse(asBody(bytes), shape, truths, spareBytes), expected);
}

const TAGS: WriteBodyShape = { kind: 'tags' };
const shapes = fc.constantFrom('D', 'I32', 'M', 'new', 'S').map((tag): WriteBodyShape => ({ kind: 'points', tag }));

test('the parser and its twin give the same columns, counts and pointers for bodies of tags', () => {
  fc.assert(
    fc.property(tagsBodies, (body) => check(Buffer.from(body), TAGS)),
    { seed, numRuns: 2000 },
  );
});

test('the parser and its twin agree on bodies of the points of one tag', () => {
  fc.assert(
    fc.property(pointsBodies, shapes, (body, shape) => check(Buffer.from(body), shape)),
    { seed, numRuns: 1500 },
  );
});

test('the parser and its twin agree where numeric tags take true and false', () => {
  fc.assert(
    fc.property(tagsBodies, (body) => check(Buffer.from(body), TAGS, 'boolean and numeric')),
    { seed, numRuns: 1000 },
  );
});

test('the parser accepts a broken body exactly when JSON.parse does, and then reads it like its twin', () => {
  fc.assert(
    fc.property(mutated(tagsBodies), (bytes) => check(bytes, TAGS)),
    { seed, numRuns: 3000 },
  );
});

test('any JSON text is taken or refused as JSON.parse would, wherever it stands in a body', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0019eE+-. \n\ttruefalsn'), maxLength: 12 }),
    mutated(fc.json()).map((bytes) => bytes.toString()),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const body = Buffer.from(`{"D":[{"x":${text}}]}`);
      let isJson = true;
      try {
        JSON.parse(body.toString());
      } catch {
        isJson = false;
      }
      assert.equal(parse(body, TAGS) !== 'unreadable', isJson);
    }),
    { seed, numRuns: 3000 },
  );
});

test('a body that ends too early is refused at every byte, however much room is behind it', () => {
  const bodies = [
    '{"D":[{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192},{"t":"2024-01-01T00:00:01.123Z","v":1}],"I32":[{"t":"2024-01-01T00:00:00.123Z","v":7}]}',
    '{"D":{"t":["2024-01-01T00:00:00.123Z",1704067200456],"v":[12.34,null],"q":192}}',
    '{"D":[{ "v": 1.5, "t": "2024-01-01T00:00:00.123Z" }]}',
  ];
  for (const body of bodies) {
    for (let length = 0; length < body.length; length++) {
      const bytes = Buffer.from(body.slice(0, length));
      assert.equal(parse(asBody(bytes), TAGS, 'boolean', BODY_SPARE_BYTES), 'unreadable', body.slice(0, length));
    }
    check(Buffer.from(body), TAGS);
  }
});
