import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataType, DataValue, StatusCodes, Variant, VariantArrayType } from 'node-opcua-client';
import { isAfterOverflow, toPoint } from '../../collect/opcua/data-value.ts';
import { pick } from '../../collect/opcua/picked-value.ts';
import { parseParts } from '../../collect/value-part.ts';

const TIME = new Date(1_700_000_000_000);

function jsonOf(variant: object, text: string | undefined): readonly [json: string, quality: number] {
  const value = new DataValue({ sourceTimestamp: TIME, statusCode: StatusCodes.Good, value: new Variant(variant) });
  const [part] = text === undefined ? [undefined] : (parseParts(text) ?? []);
  const point = toPoint(value, DataType, part);
  return [point?.json ?? '', point?.quality ?? -1];
}

test('a path stands for one part, or for each element of its ranges', () => {
  const texts = (text: string) => parseParts(text)?.map((part) => part.text);
  assert.deepEqual(texts('[3]'), ['[3]']);
  assert.deepEqual(texts('[0:2]'), ['[0]', '[1]', '[2]']);
  assert.deepEqual(texts('[1,0:1]'), ['[1,0]', '[1,1]']);
  assert.deepEqual(texts('.Motor.Speed'), ['.Motor.Speed']);
  assert.deepEqual(texts('[0:1].Temp'), ['[0].Temp', '[1].Temp']);
  for (const wrong of ['', '3', '[', '[a]', '[2:1]', '[0:10000]', '[0:999][0:999]', 'Speed', '[3]x', '.'])
    assert.equal(parseParts(wrong), undefined, wrong);
});

test('elements of arrays and matrices are points of their own, and what is not there is bad', () => {
  const doubles = { dataType: DataType.Double, arrayType: VariantArrayType.Array, value: new Float64Array([1.5, 2.5]) };
  assert.deepEqual(jsonOf(doubles, '[1]'), ['2.5', 192]);
  assert.deepEqual(jsonOf(doubles, '[2]'), ['null', 0]);
  assert.deepEqual(jsonOf(doubles, '.Speed'), ['null', 0]);
  assert.deepEqual(jsonOf(doubles, undefined), ['null', 0]);
  const longs = {
    dataType: DataType.Int64,
    arrayType: VariantArrayType.Array,
    value: [
      [0, 7],
      [0xffffffff, 0xffffffff],
    ],
  };
  assert.deepEqual(jsonOf(longs, '[1]'), ['-1', 192]);
  const matrix = {
    dataType: DataType.Int32,
    arrayType: VariantArrayType.Matrix,
    dimensions: [2, 3],
    value: new Int32Array([1, 2, 3, 4, 5, 6]),
  };
  assert.deepEqual(jsonOf(matrix, '[1,0]'), ['4', 192]);
  assert.deepEqual(jsonOf(matrix, '[0,3]'), ['null', 0]);
  assert.deepEqual(jsonOf(matrix, '[4]'), ['null', 0]);
  assert.deepEqual(jsonOf({ dataType: DataType.Double, value: 1 }, '[0]'), ['null', 0]);
});

test('fields of structures are found by the names that the server has for them', () => {
  const fields = [
    { name: 'count', fieldType: 'Int64' },
    { name: 'temps', fieldType: 'Double', isArray: true },
  ];
  const motor = { speed: 12, count: [0, 9], temps: new Float64Array([3, 4]), schema: { fields } };
  const whole = { value: { motor }, typeName: 'ExtensionObject', isList: false };
  const picked = (text: string) => pick(whole, parseParts(text)?.[0]?.steps ?? []);
  assert.equal(picked('.Motor.Speed').value, 12);
  assert.equal(picked('.motor.speed').value, 12);
  assert.deepEqual(picked('.Motor.Count'), { value: [0, 9], typeName: 'Int64', isList: false });
  assert.equal(picked('.Motor.Temps[1]').value, 4);
  assert.equal(picked('.Motor.Missing').value, undefined);
  assert.equal(picked('.constructor').value, undefined);
});

test('what a hostile server may send is a bad point, or none', () => {
  assert.deepEqual(jsonOf({ dataType: DataType.String, value: 'x'.repeat(65_537) }, undefined), ['null', 0]);
  assert.deepEqual(jsonOf({ dataType: DataType.String, value: '€'.repeat(30_000) }, undefined), ['null', 0]);
  assert.deepEqual(jsonOf({ dataType: DataType.Double, value: Number.NaN }, undefined), ['null', 0]);
  const far = new DataValue({ sourceTimestamp: new Date(8.6e15), value: { dataType: DataType.Double, value: 1 } });
  assert.equal(toPoint(far, DataType), undefined);
  const overflown = new DataValue({ statusCode: StatusCodes.Good, value: { dataType: DataType.Double, value: 1 } });
  assert.equal(isAfterOverflow(overflown), false);
  assert.equal(isAfterOverflow({ ...overflown, statusCode: { value: 0x480 } } as DataValue), true);
});
