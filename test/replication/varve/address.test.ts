import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSinkAddress } from '../../../replication/open-sink.ts';
import { parseVarveAddress } from '../../../replication/varve/http/address.ts';

test('addresses with all their parts', () => {
  assert.deepEqual(parseVarveAddress('varves://varve_3f_a%2Bb@centre.example:9443?corrections=leave'), {
    url: 'https://centre.example:9443',
    token: 'varve_3f_a+b',
    corrections: 'leave',
    text: 'varves://centre.example:9443',
  });
});

test('what is left out has a usual value; a token beside the address counts', () => {
  const usual = { url: 'http://10.0.0.5:4511', corrections: 'refuse', text: 'varve://10.0.0.5' } as const;
  assert.deepEqual(parseVarveAddress('varve://10.0.0.5'), { ...usual, token: undefined });
  assert.deepEqual(parseVarveAddress('varve://old@10.0.0.5/', 'new'), { ...usual, token: 'new' });
  assert.equal(parseVarveAddress('varve://[::1]').url, 'http://[::1]:4511');
});

test('what is wrong is said, and no secret with it', () => {
  for (const text of [
    'varve://',
    'varve://secret@',
    'varve://secret@a@b',
    'varve://secret@a:70000',
    'varve://secret@a/Plant',
    'varve://secret@a?size=1',
    'varve://secret@a?corrections=some',
    'varve://secret%@a',
    'varve://secret%0A@a',
    'http://a',
  ])
    assert.throws(
      () => parseVarveAddress(text),
      (error: Error) => error.message.startsWith('got ') && !error.message.includes('secret'),
      text,
    );
});

test('an address is checked before anything is opened', () => {
  checkSinkAddress('varve://a', { password: undefined });
  assert.throws(() => checkSinkAddress('varve://', { password: undefined }), /want an address such as varve:/);
  assert.throws(() => checkSinkAddress('http://a', { password: undefined }), /varve:\/\//);
});
