// Map data: every form of the table in docs/simulator.md, `wrap`, and how fields of different lengths make instances.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMapData } from '../../../../simulator/config/fields/map-data.ts';
import { faultsOf, oneSequence, plantOf } from '../../../support/simulated-points.ts';

function tagNames(map: unknown, name: string): string[] {
  const plant = plantOf(oneSequence({ map, tags: [{ name, values: ['1'] }] }));
  return plant.sequences.flatMap((sequence) => sequence.instances).flatMap((i) => i.tags.map((tag) => tag.object.n));
}

function valuesOf(data: string): readonly string[] {
  const result = parseMapData(data);
  assert.ok(result.ok);
  return result.values;
}

test('Strings: one instance per item', () => {
  assert.deepEqual(tagNames([{ name: 'Area', data: 'North, South,East wing' }], '[Area]'), [
    'North',
    'South',
    'East wing',
  ]);
});

test('Numbers: one instance per item, as written', () => {
  assert.deepEqual(tagNames([{ name: 'N', data: '3, -1, 2.5, 007' }], '[N]'), ['3', '-1', '2.5', '007']);
});

test('String multiplier: text*count gives count instances', () => {
  const map = [
    { name: 'Kind', data: 'Pump*3, Fan * 2' },
    { name: 'No', data: '1-5' },
  ];
  assert.deepEqual(tagNames(map, '[Kind][No]'), ['Pump1', 'Pump2', 'Pump3', 'Fan4', 'Fan5']);
});

test('Number multiplier: number*count gives count instances', () => {
  const map = [
    { name: 'Size', data: '2.5*2,-7*3' },
    { name: 'No', data: '1-5' },
  ];
  assert.deepEqual(tagNames(map, '[No]:[Size]'), ['1:2.5', '2:2.5', '3:-7', '4:-7', '5:-7']);
});

test('Number range: low-high has a step of 1', () => {
  assert.deepEqual(tagNames([{ name: 'N', data: '1-10' }], '[N]'), ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
});

test('Number range: low-high/step, also when the step does not hit the end', () => {
  assert.deepEqual(valuesOf('0-10/4'), ['0', '4', '8']);
  assert.deepEqual(valuesOf('10-30/10'), ['10', '20', '30']);
});

test('Number range: low and high may be negative', () => {
  assert.deepEqual(valuesOf('-3--1'), ['-3', '-2', '-1']);
  assert.deepEqual(valuesOf('-2-2/2'), ['-2', '0', '2']);
});

test('Number range: bounds and steps may be decimal, and the values are exact', () => {
  assert.deepEqual(valuesOf('0.5-2'), ['0.5', '1.5']);
  assert.deepEqual(valuesOf('0-0.5/0.1'), ['0', '0.1', '0.2', '0.3', '0.4', '0.5']);
  assert.deepEqual(valuesOf('-0.25-0.25/0.25'), ['-0.25', '0', '0.25']);
});

test('A list may mix all forms', () => {
  assert.deepEqual(valuesOf('A, 1-3, B*2, 9'), ['A', '1', '2', '3', 'B', 'B', '9']);
});

test('wrap: with 5 instances, 1, 2 gives 1,2,1,2,1 when true and 1,2,2,2,2 when false', () => {
  const five = { name: 'No', data: '1-5' };
  const wrapped = tagNames([five, { name: 'X', data: '1, 2', wrap: true }], '[No]=[X]');
  assert.deepEqual(wrapped, ['1=1', '2=2', '3=1', '4=2', '5=1']);
  const repeated = tagNames([five, { name: 'X', data: '1, 2', wrap: false }], '[No]=[X]');
  assert.deepEqual(repeated, ['1=1', '2=2', '3=2', '4=2', '5=2']);
});

test('wrap is false by default', () => {
  assert.deepEqual(
    tagNames(
      [
        { name: 'No', data: '1-3' },
        { name: 'X', data: 'a,b' },
      ],
      '[No][X]',
    ),
    ['1a', '2b', '3b'],
  );
});

test('Combining map fields: a one-value field beside a ten-value range gives ten instances', () => {
  const names = tagNames(
    [
      { name: 'Area', data: 'Mill' },
      { name: 'No', data: '1-10' },
    ],
    '[Area][No]',
  );
  assert.equal(names.length, 10);
  assert.equal(names[9], 'Mill10');
});

test('Faulty map data is told by item', () => {
  const faults = faultsOf(
    oneSequence({
      map: [
        { name: 'A', data: '1,,2' },
        { name: 'B', data: '5-1' },
        { name: 'C', data: '1-5/0' },
        { name: 'D', data: 'x*0' },
        { name: 'E', data: '1-9999999' },
        { name: 'F', data: 'x*y' },
        { name: 'A', data: '1' },
        { name: 'Step Date', data: '1' },
      ],
      tags: [{ name: '[A]', values: ['1'] }],
    }),
  );
  const pointers = faults.map((fault) => fault.split(':')[0]?.replace('/Settings/Sequences/Line/map/', ''));
  assert.deepEqual(pointers, ['0/data', '1/data', '2/data', '3/data', '4/data', '5/data', '6/name', '7/name']);
});
