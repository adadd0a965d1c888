import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName, nearestNameHint } from '../../../server/settings/nearest-name.ts';

test('a slip finds the name that was meant', () => {
  const names = ['tagname', 'start', 'end', 'limit'];
  assert.equal(nearestName('tagnames', names), 'tagname');
  assert.equal(nearestName('strat', names), 'start');
  assert.equal(nearestName('LIMIT', names), 'limit');
});

test('a name that is like none has no nearest', () => {
  assert.equal(nearestName('colour', ['tagname', 'start']), undefined);
  assert.equal(nearestName('', ['n', 'pa']), 'n');
  assert.equal(nearestNameHint('colour', ['tagname']), '');
});

test('of several the nearest is taken', () => {
  assert.equal(nearestName('max-bodi', ['max-ahead', 'max-body']), 'max-body');
  assert.equal(nearestNameHint('prot', ['port']), " Did you mean 'port'?");
});

test('a very long name is cut before it is compared', () => {
  assert.equal(nearestName('x'.repeat(1_000_000), ['port']), undefined);
});
