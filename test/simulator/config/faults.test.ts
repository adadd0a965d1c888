// What is refused, and how it is told: all faults at once, each with JSON pointer, found, allowed, and the nearest name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, oneSequence, plantOf } from '../../support/simulated-points.ts';

const LINE = '/Settings/Sequences/Line';

function oneTag(tag: Record<string, unknown>, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return oneSequence({ tags: [{ name: 'T', values: ['1'], ...tag }], ...extra });
}

/** The one fault of a tag with these values. */
function faultOfValues(values: unknown, type = 'System.Double'): string {
  const faults = faultsOf(oneTag({ values, type }));
  assert.equal(faults.length, 1, faults.join('\n'));
  return faults[0] ?? '';
}

test('all faults are reported at once with pointer, found, allowed and the nearest known name', () => {
  const faults = faultsOf({
    Settings: {
      Backfil: 3,
      Backfill: -1,
      Sequences: {
        Line: {
          map: [{ name: 'Unit', data: '3-1', wrp: true }],
          steps: [
            { value: 'one', duration: '5' },
            { value: '1', duration: 'random(9, 5)' },
          ],
          tags: [
            { name: 'A [Unti]', descripton: 'x', values: ['rnd(1, 2)', 'flat(0.5, 1)', '3'] },
            { name: 'B', type: 'System.Duoble', values: ['integrate(C, second)'] },
            { name: 'D', values: 7 },
          ],
        },
        'a/b~c': { map: [], steps: [], tags: [] },
      },
    },
  });
  assert.deepEqual(
    faults.toSorted(),
    [
      '/Settings/Backfil: found the unknown field "Backfil"; allowed: Backfill, State, Sequences; did you mean "Backfill"?',
      '/Settings/Backfill: found -1; allowed: must be >= 0',
      `${LINE}/map/0/data: found "3-1"; allowed: low-high with low not above high`,
      `${LINE}/map/0/wrp: found the unknown field "wrp"; allowed: name, data, wrap; did you mean "wrap"?`,
      `${LINE}/steps/0/value: found "one"; allowed: a whole number of int32, or random(min, max) of two, min not above max`,
      `${LINE}/steps/1/duration: found "random(9, 5)"; allowed: minutes from 0, or random(min, max) of two numbers, min not above max`,
      `${LINE}/tags/0/descripton: found the unknown field "descripton"; allowed: name, description, format, uom, fields, type, values; did you mean "description"?`,
      `${LINE}/tags/0/name: found [Unti]; allowed: a field: Unit; did you mean "Unit"?`,
      `${LINE}/tags/0/values/0: found "rnd(1, 2)"; allowed: step, null, previous, a number, random(min, max), flat(interval, value, noise), ramp(interval, to, noise), integrate(tagname, second|minute|hour, true|false); did you mean "random"?`,
      `${LINE}/tags/0/values/1: found "flat(0.5, 1)"; allowed: an interval of at least 1 second`,
      `${LINE}/tags/0/values: found 3 values; allowed: at most one for each of the 2 steps`,
      `${LINE}/tags/1/type: found "System.Duoble"; allowed: System.Boolean, System.SByte, System.Byte, System.Int16, System.UInt16, System.Int32, System.UInt32, System.Int64, System.UInt64, System.Single, System.Double, System.Decimal, System.String, System.DateTime, System.Integer; did you mean "System.Double"?`,
      `${LINE}/tags/1/values/0: found "C"; allowed: a tag of the same sequence; did you mean "B"?`,
      `${LINE}/tags/2/values: found 7; allowed: a JSON array`,
      '/Settings/Sequences/a~1b~0c/map: found []; allowed: at least one entry',
      '/Settings/Sequences/a~1b~0c/steps: found []; allowed: at least one entry',
      '/Settings/Sequences/a~1b~0c/tags: found []; allowed: at least one entry',
    ].toSorted(),
  );
});

test('a missing required field is told', () => {
  assert.deepEqual(faultsOf(oneSequence({ tags: [{ name: 'T' }] })), [
    `${LINE}/tags/0: found no field "values"; allowed: the field "values" is required`,
  ]);
});

test('comments and a byte-order mark are accepted, also comment marks inside texts', () => {
  const plant = plantOf(
    `\ufeff// a plant\n{ "Settings": { // all of it\n "Sequences": { "S": { "map": [{"name": "U", "data": "1"}],\n` +
      `"steps": [{"value": "0", "duration": "1"}], "tags": [{"name": "http://x \\"//\\"", "values": ["1"]}] } } } } // end`,
  );
  assert.equal(plant.sequences[0]?.instances[0]?.tags[0]?.object.n, 'http://x "//"');
});

test('a syntax error is told with line and column', () => {
  assert.deepEqual(faultsOf('{ // x\n  "Settings": [1,, 2]\n}'), [
    '(whole file): found "," at line 2, column 18; allowed: JSON, also with // comments',
  ]);
  assert.match(faultsOf('{"Settings": ')[0] ?? '', /found the end of the file at line 1/);
});

test('placeholders with unknown names are refused in name, description, text and integrate', () => {
  const faults = faultsOf(
    oneSequence({
      tags: [
        { name: 'A [Nope]', description: '[Nope2]', type: 'System.String', values: ['text [Nope3, 000]'] },
        { name: 'B', values: ['integrate(A [Nope4], second)'] },
      ],
    }),
  );
  assert.deepEqual(
    faults.map((fault) => fault.split(';')[0]),
    [
      `${LINE}/tags/0/name: found [Nope]`,
      `${LINE}/tags/0/description: found [Nope2]`,
      `${LINE}/tags/0/values/0: found [Nope3]`,
      `${LINE}/tags/1/values/0: found [Nope4]`,
    ],
  );
});

test('Step Date is refused outside of text values', () => {
  assert.match(faultsOf(oneTag({ name: 'T [Step Date, yyyy]' }))[0] ?? '', /Step Date only in text values/);
});

test('an open bracket is a fault', () => {
  assert.match(faultsOf(oneTag({ name: 'T [Unit' }))[0] ?? '', /a \] for every \[/);
});

for (const entry of ['flat(0.999, 1)', 'ramp(0, 1)', 'flat(-5, 1, 1)']) {
  test(`flat and ramp below 1 s are refused: ${entry}`, () => {
    assert.match(faultOfValues([entry]), /an interval of at least 1 second/);
  });
}

test('text is refused for every type but System.String and System.DateTime', () => {
  assert.match(faultOfValues(['Batch [Unit]']), /text only for System\.String/);
  assert.match(faultOfValues(['Batch [Unit]'], 'System.Int32'), /text only for System\.String/);
});

const WRONG: readonly (readonly [entry: string, type: string, allowed: RegExp])[] = [
  ['random(2, 1)', 'System.Double', /min not above max/],
  ['random(1)', 'System.Double', /two numbers/],
  ['flat(5)', 'System.Double', /flat\(interval, value\)/],
  ['flat(5, 1, -1)', 'System.Double', /a noise of 0 or more/],
  ['ramp(5, x)', 'System.Double', /ramp\(interval, to\)/],
  ['flat(5, 1)', 'System.String', /any entry but flat, ramp and integrate/],
  ['integrate(T, second)', 'System.Boolean', /any entry but integrate/],
  ['integrate(T, day)', 'System.Double', /second, minute or hour/],
  ['integrate(T, second, yes)', 'System.Double', /true or false/],
  ['300', 'System.Byte', /values of System\.Byte, 0 to 255/],
  ['random(-1, 5)', 'System.UInt16', /values of System\.UInt16/],
  ['flat(5, 2, 3)', 'System.UInt32', /values of System\.UInt32/],
  ['2', 'System.Boolean', /1 or 0 for true or false/],
  ['random(0, 2)', 'System.Boolean', /values of System\.Boolean/],
  ['12', 'System.DateTime', /time stamp/],
  ['[Step Date, yyyyMMdd]', 'System.DateTime', /ISO 8601 time stamp/],
  ['step', 'System.DateTime', /time stamp/],
  ['1e999', 'System.Double', /values of System\.Double/],
];

for (const [entry, type, allowed] of WRONG) {
  test(`${entry} is refused for ${type}`, () => {
    const faults = faultsOf(oneTag({ values: [entry], type }));
    assert.ok(
      faults.some((fault) => allowed.test(fault)),
      faults.join('\n'),
    );
  });
}

test('a step value that the type of a step tag cannot hold is refused', () => {
  const steps = [
    { value: '1', duration: '1' },
    { value: 'random(200, 300)', duration: '1' },
  ];
  const faults = faultsOf(oneTag({ values: ['step'], type: 'System.Byte' }, { steps }));
  assert.match(faults[0] ?? '', /values\/0: found "step"; allowed: step values that are values of System\.Byte/);
});

test('integrate of an unknown tag names the nearest; of a text is refused', () => {
  const tags = [
    { name: 'Flow', values: ['1'] },
    { name: 'Text', type: 'System.String', values: ['x'] },
    { name: 'A', values: ['integrate(Flwo, second)'] },
    { name: 'B', values: ['integrate(Text, second)'] },
  ];
  assert.deepEqual(faultsOf(oneSequence({ tags })), [
    `${LINE}/tags/2/values/0: found "Flwo"; allowed: a tag of the same sequence; did you mean "Flow"?`,
    `${LINE}/tags/3/values/0: found "Text" of System.String; allowed: a tag of a number or Boolean type`,
  ]);
});

test('a circle of integrate is told as the way around it', () => {
  const tags = [
    { name: 'A', values: ['integrate(B, second)'] },
    { name: 'B', values: ['integrate(C, second)'] },
    { name: 'C', values: ['integrate(A, second)'] },
  ];
  assert.match(faultsOf(oneSequence({ tags }))[0] ?? '', /the circle A -> B -> C -> A/);
  assert.match(faultsOf(oneTag({ values: ['integrate(T, second)'] }))[0] ?? '', /the circle T -> T/);
});

test('a tag name made twice is refused, within a sequence and between two', () => {
  const map = [{ name: 'Unit', data: '1-2' }];
  assert.match(faultsOf(oneSequence({ map, tags: [{ name: 'T', values: ['1'] }] }))[0] ?? '', /"T" again/);
  const one = {
    map: [{ name: 'U', data: '1' }],
    steps: [{ value: '0', duration: '1' }],
    tags: [{ name: 'T', values: ['1'] }],
  };
  assert.match(faultsOf({ Settings: { Sequences: { A: one, B: one } } })[0] ?? '', /Sequences\/B\/tags\/0\/name/);
});

test('tag names that the server refuses are refused', () => {
  for (const name of ['', '..', '$System.X', 'a\u0001', 'x'.repeat(1025)]) {
    assert.match(faultsOf(oneTag({ name }))[0] ?? '', /a tag name/);
  }
});

test('uom keys must be int32; those of a Boolean 1 and 0', () => {
  assert.match(faultsOf(oneTag({ uom: { kg: 'x' } }))[0] ?? '', /uom\/kg.*int32/);
  assert.match(faultsOf(oneTag({ uom: { 2: 'x' }, type: 'System.Boolean' }))[0] ?? '', /keys 1 and 0/);
});
