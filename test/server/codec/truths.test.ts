// True and false for numeric tags, as the reference product takes them: as points and columns, in JSON and msgpack.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr } from 'msgpackr';
import { ValueType } from '../../../engine/index.ts';
import { MsgpackParser } from '../../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../../server/codec/read-json/tvq-parser.ts';
import type { TruthTags } from '../../../server/codec/scalars/value-fit.ts';
import { lookupOf, runsOf } from './body-support.ts';

const NUMERIC = [
  'SByte',
  'Byte',
  'Int16',
  'UInt16',
  'Int32',
  'UInt32',
  'Int64',
  'UInt64',
  'Single',
  'Double',
  'Decimal',
] as const;
const OTHERS = ['String', 'DateTime'] as const;
const NAMES = [...NUMERIC, ...OTHERS, 'Boolean'] as const;
const lookup = lookupOf(Object.fromEntries(NAMES.map((name) => [name, ValueType[name]])));
const T = '2024-01-01T00:00:00.000Z';
const packr = new Packr({ useRecords: false, variableMapSize: true });
const parsers = {
  JSON: {
    parser: new TvqParser(),
    encode: (body: unknown) => Buffer.from(`${JSON.stringify(body)}${' '.repeat(200)}`),
  },
  msgpack: { parser: new MsgpackParser(), encode: (body: unknown): Uint8Array => packr.pack(body) },
};
const forms = {
  points: (values: readonly unknown[]): unknown => values.map((v) => ({ t: T, v, q: 192 })),
  columns: (values: readonly unknown[]): unknown => ({ t: values.map(() => T), v: values, q: 192 }),
};

interface Read {
  readonly values: unknown[];
  readonly rejected: number;
}

function read(format: keyof typeof parsers, tag: string, points: unknown, truths?: TruthTags): Read {
  const { parser, encode } = parsers[format];
  const options = { shape: { kind: 'tags' }, lookup, handling: 'lenient', arrivalMs: 0, maxTextBytes: 100 } as const;
  const { batch, rejected } = parser.parse(encode({ [tag]: points }), truths ? { ...options, truths } : options);
  return { values: (runsOf(batch).get(tag)?.points ?? []).map(({ value }) => value), rejected };
}

for (const format of ['JSON', 'msgpack'] as const) {
  for (const form of ['points', 'columns'] as const) {
    const mixed = forms[form]([1, true, false, 0]);
    describe(`${form} in ${format}`, () => {
      for (const tag of NUMERIC)
        it(`a System.${tag} takes true and false as 1 and 0 when it is told to, and refuses them otherwise`, () => {
          const one = read(format, tag, forms[form]([1, 0])).values;
          assert.deepEqual(read(format, tag, mixed, 'boolean and numeric'), {
            values: [one[0], one[0], one[1], one[1]],
            rejected: 0,
          });
          assert.deepEqual(read(format, tag, mixed), { values: one, rejected: 2 });
        });

      it('other tags take and refuse what they always do', () => {
        const truths = forms[form]([true, false]);
        for (const tag of OTHERS) assert.equal(read(format, tag, truths, 'boolean and numeric').rejected, 2, tag);
        for (const tag of ['Boolean', 'unknown'])
          assert.deepEqual(read(format, tag, truths, 'boolean and numeric').values, [true, false], tag);
      });
    });
  }
}
