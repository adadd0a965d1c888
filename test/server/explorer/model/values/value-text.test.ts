import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitOf, valueKind } from '../../../../../server/explorer/model/values/value-kind.ts';
import { formatBare, formatValue } from '../../../../../server/explorer/model/values/value-text.ts';

const BOOLEAN = { n: 'Running', t: 'System.Boolean', u: { '1': 'Running', '0': 'Standing' } };
const STATE = { n: 'State', t: 'System.Int32', u: { '0': 'Empty', '1': 'Filling' } };

test('a unit stands behind the number, with a negative key before it', () => {
  assert.equal(formatValue({ n: 'T', u: { '1': '°C' }, f: '0.0' }, 71.46), '71.5 °C');
  assert.equal(formatValue({ n: 'P', u: { '-1': '€' }, f: '0.00' }, 3), '€ 3.00');
  assert.deepEqual(unitOf({ n: 'P', u: { '-1': '€' } }), { text: '€', place: 'before' });
});

test('several units are the texts of states, and a state without one shows its number', () => {
  assert.equal(formatValue(STATE, 1), 'Filling');
  assert.equal(formatValue(STATE, 7), '7');
  assert.equal(unitOf(STATE), undefined);
});

test('booleans have their texts, or True and False', () => {
  assert.equal(formatValue(BOOLEAN, true), 'Running');
  assert.equal(formatValue(BOOLEAN, 0), 'Standing', 'as --compat timebase sends it');
  assert.equal(formatValue({ n: 'B', t: 'System.Boolean' }, false), 'False');
  assert.equal(formatValue({ n: 'B', t: 'System.Boolean', u: { '1': 'On' } }, true), 'On', 'one text is no unit');
});

test('null is a dash without a unit, and never the state of 0', () => {
  assert.equal(formatValue({ n: 'T', u: { '1': '°C' } }, null), '–');
  assert.equal(formatBare(STATE, null), '–');
});

test('digits that a double does not hold are shown as they came', () => {
  assert.equal(formatBare({ n: 'L', t: 'System.Int64', f: '#,##0' }, '9223372036854775807'), '9223372036854775807');
  assert.equal(formatBare({ n: 'L', t: 'System.Int64', f: '#,##0' }, '12345'), '12,345');
  assert.equal(formatBare({ n: 'D', t: 'System.Decimal' }, '0.50'), '0.50');
});

test('the type and the units say how a tag is drawn', () => {
  assert.equal(valueKind({ n: 'A', t: 'System.Double' }), 'line');
  assert.equal(valueKind({ n: 'A', t: 'System.UInt16', u: { '1': 'rpm' } }), 'step');
  assert.equal(valueKind(STATE), 'state');
  assert.equal(valueKind(BOOLEAN), 'state');
  assert.equal(valueKind({ n: 'A', t: 'System.DateTime' }), 'text');
  assert.equal(valueKind({ n: 'A' }), 'line', 'the type is open');
});
