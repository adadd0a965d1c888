// The Tag objects that the server gets: placeholders, uom, fields, format and type.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TagObject } from '../../../forward/historian-client.ts';
import { oneSequence, plantOf } from '../../support/simulated-points.ts';

function tagObjects(tag: Record<string, unknown>, map?: unknown): TagObject[] {
  const plant = plantOf(oneSequence({ ...(map === undefined ? {} : { map }), tags: [{ values: ['1'], ...tag }] }));
  return plant.sequences.flatMap((sequence) => sequence.instances).flatMap((i) => i.tags.map((t) => t.object));
}

test('[Field Name] is replaced by the field, [Field Name, pattern] by the formatted field', () => {
  const map = [
    { name: 'Line No', data: '2' },
    { name: 'Area', data: 'North' },
  ];
  const [tag] = tagObjects({ name: '[Area].[Line No, FL000].Speed', description: 'Line [Line No] ([Area, 000])' }, map);
  assert.equal(tag?.n, 'North.FL002.Speed');
  assert.equal(tag?.d, 'Line 2 (North)');
});

test("a tag's own fields may be referenced by its placeholders, and win over the map's", () => {
  const map = [
    { name: 'Unit', data: '1' },
    { name: 'Area', data: 'North' },
  ];
  const [tag] = tagObjects(
    { name: '[Kind][Unit, 00]', description: '[Area]', fields: { Kind: 'FT', Area: 'South' } },
    map,
  );
  assert.equal(tag?.n, 'FT01');
  assert.equal(tag?.d, 'South');
  assert.deepEqual(tag?.fl, { Unit: '1', Area: 'South', Kind: 'FT' });
});

test('map fields are also stored in fl', () => {
  const tags = tagObjects({ name: 'T[Unit]' }, [{ name: 'Unit', data: '1-2' }]);
  assert.deepEqual(
    tags.map((tag) => tag.fl),
    [{ Unit: '1' }, { Unit: '2' }],
  );
});

test('uom, format and type become u, f and t', () => {
  const [tag] = tagObjects({ name: 'T', uom: { '-1': '€' }, format: '0.0', type: 'System.Single' });
  assert.deepEqual([tag?.u, tag?.f, tag?.t], [{ '-1': '€' }, '0.0', 'System.Single']);
});

test('uom: one key, the two of a Boolean, and the several of an enumeration are all passed on', () => {
  assert.deepEqual(tagObjects({ name: 'T', uom: { 1: 'm3/h' } })[0]?.u, { 1: 'm3/h' });
  assert.deepEqual(tagObjects({ name: 'T', uom: { 1: 'On', 0: 'Off' }, type: 'System.Boolean' })[0]?.u, {
    0: 'Off',
    1: 'On',
  });
  const states = { 0: 'Stopped', 1: 'Running', 2: 'Cleaning' };
  assert.deepEqual(tagObjects({ name: 'T', uom: states, type: 'System.Int32' })[0]?.u, states);
});

test('without a type a tag is System.Double; what is not set is left out', () => {
  assert.deepEqual(tagObjects({ name: 'T' })[0], { n: 'T', fl: { Unit: '1' }, t: 'System.Double' });
});

test('System.Integer and every .NET type that a tag can have are accepted', () => {
  const types = 'Boolean SByte Byte Int16 UInt16 Int32 UInt32 Int64 UInt64 Single Double Decimal String Integer'.split(
    ' ',
  );
  for (const type of types) assert.equal(tagObjects({ name: 'T', type: `System.${type}` })[0]?.t, `System.${type}`);
  assert.equal(tagObjects({ name: 'T', type: 'System.DateTime', values: ['null'] })[0]?.t, 'System.DateTime');
});

test('Settings: Backfill is 7 days by default, State is optional', () => {
  const settings = oneSequence({ tags: [{ name: 'T', values: ['1'] }] }) as { Settings: Record<string, unknown> };
  const plain = plantOf(settings);
  assert.deepEqual([plain.backfillDays, plain.stateFolder], [7, undefined]);
  const given = plantOf({ Settings: { ...settings.Settings, Backfill: 30, State: '/var/lib/plant' } });
  assert.deepEqual([given.backfillDays, given.stateFolder], [30, '/var/lib/plant']);
});
