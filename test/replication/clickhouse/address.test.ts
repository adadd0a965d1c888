import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../../../replication/clickhouse/address.ts';

test('addresses with all their parts', () => {
  const parsed = parseAddress('clickhouses://me:p%40ss@10.0.0.1,db.example:9443/plants?cluster=big&quorum=3');
  assert.deepEqual(parsed, {
    urls: ['https://10.0.0.1:8443', 'https://db.example:9443'],
    user: 'me',
    password: 'p@ss',
    database: 'plants',
    cluster: 'big',
    quorum: 3,
    text: 'clickhouses://10.0.0.1,db.example:9443/plants',
  });
});

test('what is left out has a usual value; a password beside it counts', () => {
  const { urls, user, password, database, cluster } = parseAddress('clickhouse://localhost', 'secret');
  assert.deepEqual(
    { urls, user, password, database, cluster },
    { urls: ['http://localhost:8123'], user: 'default', password: 'secret', database: 'varve', cluster: undefined },
  );
});

test('what is wrong is said, and no secret with it', () => {
  for (const text of [
    'clickhouse://',
    'clickhouse://a,,b',
    'clickhouse://a/b;drop',
    'clickhouse://a?quorum=0',
    'clickhouse://a?cluster=x y',
    'clickhouse://me:secret@a?size=3',
    'http://a',
  ])
    assert.throws(
      () => parseAddress(text),
      (error: Error) => error.message.startsWith('got ') && !error.message.includes('secret'),
      text,
    );
});
