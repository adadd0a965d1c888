// Values of every type: what fits, what does not, and that every digit comes back.

import assert from 'node:assert/strict';
import type { MultiReadAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves } from '../registry.ts';
import { ALL, assertDone, assertProblem, at, defineTag, readDigits, readValues } from '../steps.ts';

const MISFIT = 'Tags/Value that does not fit the type';
const EXACT = 'Tags/System.Int64, System.UInt64, System.Decimal';
const NEAREST = 'Tags/System.Double, System.Single, System.DateTime, text';

/** Writes JSON values, one second apart, each in a request of its own so that every one takes the same way alone. */
async function writeJson(c: CaseContext, tag: string, values: readonly string[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    const answer = await c.postText(`/data/${tag}`, `[{"t":"${at(index)}","v":${value},"q":192}]`);
    assert.equal(answer.status, 200, `${tag} ${value}: ${answer.text}`);
  }
}

async function refuseJson(c: CaseContext, tag: string, values: readonly string[]): Promise<void> {
  for (const value of values) {
    const answer = await c.postText(`/data/${tag}`, `[{"t":"${at(9999)}","v":${value},"q":192}]`);
    assert.equal(answer.status, 400, `${tag} took ${value}`);
    assertProblem(answer, 400);
  }
}

const INTEGER_RANGES: readonly (readonly [type: string, low: string, high: string, below: string, above: string])[] = [
  ['SByte', '-128', '127', '-129', '128'],
  ['Byte', '0', '255', '-1', '256'],
  ['Int16', '-32768', '32767', '-32769', '32768'],
  ['UInt16', '0', '65535', '-1', '65536'],
  ['Int32', '-2147483648', '2147483647', '-2147483649', '2147483648'],
  ['UInt32', '0', '4294967295', '-1', '4294967296'],
  ['Int64', '-9223372036854775808', '9223372036854775807', '-9223372036854775809', '9223372036854775808'],
  ['UInt64', '0', '18446744073709551615', '-1', '18446744073709551616'],
];

proves(MISFIT, 'each integer type takes its whole range, and nothing beside it', async (c) => {
  for (const [type, low, high, below, above] of INTEGER_RANGES) {
    await defineTag(c, { n: type, t: `System.${type}` });
    await writeJson(c, type, [low, '0', high, 'null']);
    await refuseJson(c, type, [below, above, '1.5', '"x"', '""', 'true', '[]', '{}', '1e30']);
    assert.deepEqual(await readDigits(c, type), [`#${low}`, '#0', `#${high}`, null], type);
  }
});

proves(MISFIT, 'text for a number, a number for text, and both for a truth value', async (c) => {
  const wrong: Readonly<Record<string, readonly string[]>> = {
    Double: ['"x"', '"1.5"', 'true', '[1]', '{}'],
    Single: ['"1.5"', 'false', '1e39', '-3.5e38'],
    Decimal: ['"x"', '"1,5"', '""', 'true', '"NaN"'],
    String: ['5', 'true', '[]', '{"a":1}'],
    Boolean: ['2', '-1', '"true"', '"1"', '0.5', '""'],
    DateTime: ['5', '"yesterday"', 'true', '"2024-13-01T00:00:00Z"', '"2024-02-30T00:00:00Z"', '""'],
    Int64: ['"x"', '"1.5"', '""', '" 1"', '"0x10"', '"9223372036854775808"'],
  };
  for (const [type, values] of Object.entries(wrong)) {
    await defineTag(c, { n: type, t: `System.${type}` });
    await refuseJson(c, type, values);
    assert.deepEqual(await readValues(c, type), [], type);
  }
});

proves(MISFIT, '0 and 1 are taken for a truth value and read back as false and true', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Boolean' });
  await writeJson(c, 'T', ['0', '1', 'true', 'false', '1.0', 'null']);
  assert.deepEqual(await readValues(c, 'T'), [false, true, true, false, true, null]);
});

proves(EXACT, 'integers beyond 2^53 come back digit by digit', async (c) => {
  const digits = [
    '9007199254740993',
    '-9007199254740993',
    '1234567890123456789',
    '9223372036854775807',
    '-9223372036854775808',
    '0',
  ];
  await defineTag(c, { n: 'Int64', t: 'System.Int64' });
  await writeJson(c, 'Int64', digits);
  assert.deepEqual(
    await readDigits(c, 'Int64'),
    digits.map((value) => `#${value}`),
  );
  const unsigned = ['18446744073709551615', '9223372036854775808', '1', '9007199254740993'];
  await defineTag(c, { n: 'UInt64', t: 'System.UInt64' });
  await writeJson(c, 'UInt64', unsigned);
  assert.deepEqual(
    await readDigits(c, 'UInt64'),
    unsigned.map((value) => `#${value}`),
  );
});

const DECIMALS = [
  '1.50',
  '0.00',
  '-1.500',
  '1234567890123456789012345678',
  '-1234567890123456789012345.678',
  '0.0000000000000000000000000001',
  '0.1000000000000000000000000000',
  '100',
  '9999999999999999999999999999',
  '123.4500000000000000000000000',
];

proves(EXACT, 'a decimal keeps 28 digits and its trailing zeros', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Decimal' });
  await writeJson(c, 'T', DECIMALS);
  assert.deepEqual(
    await readDigits(c, 'T'),
    DECIMALS.map((value) => `#${value}`),
  );
  await refuseJson(c, 'T', ['100000000000000000000000000000', '1e40']);
});

proves(EXACT, 'a whole request of them, and the latest value, are as exact', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Decimal' });
  const body = DECIMALS.map((value, i) => `{"t":"${at(i)}","v":${value}}`).join();
  assertDone(await c.postText('/data', `{"T":[${body}]}`));
  assert.deepEqual(
    await readDigits(c, 'T'),
    DECIMALS.map((value) => `#${value}`),
  );
  assert.deepEqual(await readDigits(c, 'T', ''), ['#123.4500000000000000000000000']);
  const repeated = assertDone(await c.postText('/data', `{"T":[${body}]}`));
  assert.equal(repeated.header('historian-repeated'), String(DECIMALS.length));
});

proves(EXACT, 'text of digits is taken as well', async (c) => {
  await defineTag(c, { n: 'Int64', t: 'System.Int64' });
  await writeJson(c, 'Int64', ['"9223372036854775807"', '"-9007199254740993"', '"0"']);
  assert.deepEqual(await readDigits(c, 'Int64'), ['#9223372036854775807', '#-9007199254740993', '#0']);
  await defineTag(c, { n: 'UInt64', t: 'System.UInt64' });
  await writeJson(c, 'UInt64', ['"18446744073709551615"']);
  assert.deepEqual(await readDigits(c, 'UInt64'), ['#18446744073709551615']);
  await defineTag(c, { n: 'Decimal', t: 'System.Decimal' });
  await writeJson(c, 'Decimal', ['"1.500"', '"-0.10"']);
  assert.deepEqual(await readDigits(c, 'Decimal'), ['#1.500', '#-0.10']);
});

proves(EXACT, 'an exponent is taken in a number and refused in text of digits', async (c) => {
  for (const t of ['System.Int64', 'System.UInt64', 'System.Decimal']) {
    await defineTag(c, { n: t, t });
    await writeJson(c, t, ['1e3']);
    for (const text of ['"1e3"', '"1E+3"']) {
      assertProblem(await c.postText(`/data/${t}`, `[{"t":"${at(100)}","v":${text}}]`), 400);
    }
    assert.deepEqual(await readDigits(c, t), ['#1000']);
  }
});

proves(EXACT, 'exact=string gives them as text, and other types as they are', async (c) => {
  await defineTag(c, { n: 'Int64', t: 'System.Int64' });
  await defineTag(c, { n: 'UInt64', t: 'System.UInt64' });
  await defineTag(c, { n: 'Decimal', t: 'System.Decimal' });
  await writeJson(c, 'Int64', ['9007199254740993', 'null']);
  await writeJson(c, 'UInt64', ['5']);
  await writeJson(c, 'Decimal', ['1.50']);
  await writeJson(c, 'Double', ['1.5']);
  await defineTag(c, { n: 'Int32', t: 'System.Int32' });
  await writeJson(c, 'Int32', ['7']);
  const tags = ['Int64', 'UInt64', 'Decimal', 'Double', 'Int32'].map((tag) => `tagname=${tag}`).join('&');
  const answer = (await c.get(`/data?${tags}&exact=string&${ALL}`)).json<MultiReadAnswer>();
  assert.deepEqual(
    answer.tl.map(({ d }) => d.map(({ v }) => v)),
    [['9007199254740993', null], ['5'], ['1.50'], [1.5], [7]],
  );
});

const DOUBLES = [
  '0.1',
  '-0',
  '0.30000000000000004',
  '1e21',
  '1e-7',
  '5e-324',
  '1.7976931348623157e308',
  '-2.2250738585072014e-308',
  '123456789.123456789',
  '9007199254740993',
  '100000000000000000000',
  '0.1e1',
  '-0.0',
  '4.35',
  '1.005',
];

proves(NEAREST, 'a double is the nearest, in the fewest digits, and -0 is kept', async (c) => {
  await writeJson(c, 'T', DOUBLES);
  const read = await readDigits(c, 'T');
  for (const [index, text] of DOUBLES.entries()) {
    const digits = String(read[index]).slice(1);
    assert.ok(Object.is(Number(digits), Number(text)), `${text} came back as ${digits}`);
    assert.ok(significant(digits) <= significant(String(Number(text))), `${text} came back as ${digits}`);
  }
  await refuseJson(c, 'T', ['1e400', '-1e309']);
});

/** Number of significant digits of a number as text. */
function significant(text: string): number {
  const [mantissa = ''] = text.replace('-', '').toLowerCase().split('e');
  return mantissa.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
}

proves(NEAREST, 'a single is the nearest in single precision, in its fewest digits', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Single' });
  const values: readonly (readonly [string, string])[] = [
    ['0.1', '0.1'],
    ['0.3333333333333333', '0.33333334'],
    ['16777217', '16777216'],
    ['3.14159265358979', '3.1415927'],
    ['3.4028235e38', '3.4028235e38'],
    ['1.17549435e-38', '1.1754944e-38'],
    ['1e-45', '1e-45'],
    ['-0', '-0'],
    ['21.37', '21.37'],
  ];
  await writeJson(
    c,
    'T',
    values.map(([sent]) => sent),
  );
  const read = await readDigits(c, 'T');
  for (const [index, [sent, expected]] of values.entries()) {
    const digits = String(read[index]).slice(1);
    assert.ok(Object.is(Number(digits), Number(expected)), `${sent} came back as ${digits}, not ${expected}`);
    assert.ok(significant(digits) <= significant(expected), `${sent} came back as ${digits}, not ${expected}`);
  }
});

proves(NEAREST, 'a DateTime is a time stamp as text, read back as time stamps are', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.DateTime' });
  await writeJson(c, 'T', [
    '"2024-05-01T10:00:00+02:00"',
    '"2024-05-01T10:00:00"',
    '"2024-05-01T10:00:00.1234567Z"',
    '"2024-05-01T10:00:00.5Z"',
    '"0001-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59.9999999Z"',
  ]);
  assert.deepEqual(await readValues(c, 'T'), [
    '2024-05-01T08:00:00.000Z',
    '2024-05-01T10:00:00.000Z',
    '2024-05-01T10:00:00.1234567Z',
    '2024-05-01T10:00:00.500Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.9999999Z',
  ]);
});

proves(NEAREST, 'text keeps every character', async (c) => {
  const texts = [
    '',
    ' ',
    'Ü 温度 🌡',
    '"quoted" \\ / \b\f\n\r\t',
    '\u0000\u001f\u007f',
    '\u2028\u2029',
    '</script>',
    'e\u0301',
    'null',
  ];
  await writeJson(
    c,
    'T',
    texts.map((text) => JSON.stringify(text)),
  );
  assert.deepEqual(await readValues(c, 'T'), texts);
  await writeJson(c, 'Escaped', ['"\\u00dc\\ud83c\\udf21\\/"']);
  assert.deepEqual(await readValues(c, 'Escaped'), ['Ü🌡/']);
});

proves(NEAREST, 'text may have 64 KiB, and no more', async (c) => {
  const texts = ['a'.repeat(65_536), 'é'.repeat(32_768)];
  await writeJson(
    c,
    'T',
    texts.map((text) => JSON.stringify(text)),
  );
  assert.deepEqual(await readValues(c, 'T'), texts);
  await refuseJson(c, 'T', [JSON.stringify('a'.repeat(65_537)), JSON.stringify(`${'é'.repeat(32_768)}a`)]);
});
