// The dialect before i3X 1.0 on both transports, in the forms that its clients read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeToken } from '../../auth/support/access-server.ts';
import { caller, openMill } from './support/mill-server.ts';

const DAY = { startTime: '2026-03-01T08:15:00Z', endTime: '2026-03-01T08:45:00Z' };

for (const transport of ['uws', 'node'] as const) {
  describe(`The dialect before i3X 1.0 over ${transport}`, () => {
    it('values by element, without an envelope', async (context) => {
      const call = caller(await openMill(context, transport));
      const elementIds = ['Mill:line/Flow', 'Mill:Fault', 'Mill', 'Mill:None', 'Mill:line/Flow'];
      const { status, body } = await call('POST', '/i3x/objects/value', { elementIds });
      assert.equal(status, 200);
      assert.deepEqual(body, {
        'Mill:line/Flow': { data: [{ value: 40, quality: 'GOOD', timestamp: '2026-03-01T09:00:00.000Z' }] },
        'Mill:Fault': { data: [{ value: null, quality: 'BAD', timestamp: '2026-03-01T08:00:00.000Z' }] },
        Mill: { data: [] },
        'Mill:None': { error: 'elementId not found: Mill:None', reason: 'There is no such element.' },
      });
    });

    it('history, with the point before a range that has none', async (context) => {
      const call = caller(await openMill(context, transport));
      const elementIds = ['Mill:line/Flow', 'Mill:line/pump/On', 'Mill:line', 'Mill:None'];
      const { body } = await call('POST', '/i3x/objects/history', { elementIds, ...DAY });
      assert.deepEqual(body['Mill:line/Flow'].data, [
        { value: 20, quality: 'UNCERTAIN', timestamp: '2026-03-01T08:30:00.000Z' },
      ]);
      assert.deepEqual(body['Mill:line/pump/On'].data, [
        { value: true, quality: 'GOOD', timestamp: '2026-03-01T08:00:00.000Z' },
      ]);
      assert.deepEqual(body['Mill:line'], { data: [] });
      assert.match(body['Mill:None'].error, /not found/);
      assert.equal((await call('POST', '/i3x/objects/history', { elementIds })).status, 400);
    });

    it('a list of objects, of which those that are not there say so', async (context) => {
      const call = caller(await openMill(context, transport));
      const elementIds = ['Mill', 'Mill:line', 'Mill:line/pump/On', 'Mill:None'];
      const { body } = await call('POST', '/i3x/objects/list', { elementIds });
      assert.deepEqual(
        body.map((one: Record<string, unknown>) => [one.elementId, one.typeId, one.parentId, one.error !== undefined]),
        [
          ['Mill', 'Dataset', '/', false],
          ['Mill:line', 'Folder', 'Mill', false],
          ['Mill:line/pump/On', 'Tag', 'Mill:line/pump', false],
          ['Mill:None', undefined, undefined, true],
        ],
      );
      assert.equal(body[2].displayName, 'On');
      assert.equal(body[2].dataType, 'System.Boolean');
      const all = await call('GET', '/i3x/objects');
      const listed = all.body.map((one: { elementId: string }) => one.elementId);
      for (const id of elementIds.slice(0, 3)) assert.ok(listed.includes(id), id);
      assert.equal((await call('GET', '/i3x/namespaces')).body.length, 2);
      assert.equal((await call('GET', '/i3x/info')).status, 404);
    });

    it('a token sees nothing of other datasets', async (context) => {
      const [admin, reader] = [makeToken('admin', ['*']), makeToken('read', ['Mill'])];
      const call = caller(await openMill(context, transport, [admin, reader]), reader);
      const elementIds = ['Secret', 'Secret:line/Flow'];
      const values = await call('POST', '/i3x/objects/value', { elementIds });
      const history = await call('POST', '/i3x/objects/history', { elementIds, ...DAY });
      for (const { body } of [values, history])
        for (const id of elementIds) assert.ok('error' in body[id], JSON.stringify(body));
      const listed = await call('POST', '/i3x/objects/list', { elementIds });
      assert.ok(listed.body.every((one: object) => 'error' in one));
      assert.doesNotMatch(JSON.stringify((await call('GET', '/i3x/objects')).body), /Secret/);
    });
  });
}
