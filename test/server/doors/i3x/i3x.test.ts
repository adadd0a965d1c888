// The door for i3X on both transports: what there is, values, history, writing, subscriptions; a token sees nothing of others'.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeToken } from '../../auth/support/access-server.ts';
import { type Answer, BASE, caller, openMill } from './support/mill-server.ts';

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

for (const transport of ['uws', 'node'] as const) {
  describe(`i3X over ${transport}`, () => {
    it('every object has a parent, is its child, and its type is listed; ids are unique', async (context) => {
      const call = caller(await openMill(context, transport));
      const types = (await call('GET', 'objecttypes')).body.result;
      const { body } = await call('GET', 'objects?includeMetadata=true');
      const ids: string[] = body.result.map(({ elementId }: { elementId: string }) => elementId);
      assert.deepEqual(
        ids.filter((id) => id.startsWith('Mill')),
        ['Mill', 'Mill:Fault', 'Mill:Gap', 'Mill:line/', 'Mill:line/Flow', 'Mill:line/pump/', 'Mill:line/pump/On'],
      );
      assert.ok(ids.includes('a%3Ab:line/'));
      assert.equal(
        new Set([...ids, ...types.map((type: { elementId: string }) => type.elementId)]).size,
        ids.length + types.length,
      );
      for (const object of body.result) {
        assert.ok(types.some((type: { elementId: string }) => type.elementId === object.typeElementId));
        const related = await call('POST', 'objects/related', { elementIds: [object.elementId] });
        const parents = related.body.results[0].result.filter(
          (one: { sourceRelationship: string }) => one.sourceRelationship === 'HasParent',
        );
        assert.deepEqual(
          parents.map((one: Answer['body']) => one.object.elementId),
          object.parentId === null ? [] : [object.parentId],
        );
        if (object.parentId === null) continue;
        const back = await call('POST', 'objects/related', {
          elementIds: [object.parentId],
          relationshipType: 'HasChildren',
        });
        const children = back.body.results[0].result.map((one: Answer['body']) => one.object.elementId);
        assert.equal(children.filter((id: string) => id === object.elementId).length, 1);
      }
      const roots = await call('GET', 'objects?root=true');
      assert.deepEqual(
        roots.body.result.map(({ elementId }: { elementId: string }) => elementId),
        ['Mill', 'Secret', 'a%3Ab'],
      );
    });

    it('unknown elements fail by themselves, in order, also twice', async (context) => {
      const call = caller(await openMill(context, transport));
      for (const path of ['objects/list', 'objects/related', 'objects/value', 'objecttypes/query']) {
        const { status, body } = await call('POST', path, {
          elementIds: ['Nowhere', 'Mill', 'Nowhere', 'Mill:line', 'Mill:lin/'],
        });
        assert.equal(status, 200);
        assert.equal(body.success, false);
        assert.deepEqual(
          body.results.map((one: Answer['body']) => one.elementId),
          ['Nowhere', 'Mill', 'Nowhere', 'Mill:line', 'Mill:lin/'],
        );
        for (const i of [0, 2, 3, 4]) assert.equal(body.results[i].responseDetail.status, 404);
      }
      assert.equal((await call('POST', 'objects/list', {})).status, 400);
      const missing = await call('GET', 'nothing');
      assert.equal(missing.status, 404);
      assert.equal(missing.body.success, false);
      assert.equal(missing.body.responseDetail.status, 404);
    });

    it('values have their qualities in words, and bad ones are null', async (context) => {
      const call = caller(await openMill(context, transport));
      const elementIds = ['Mill', 'Mill:line/', 'Mill:line/Flow', 'Mill:line/pump/On', 'Mill:Fault', 'Mill:Gap'];
      const { body } = await call('POST', 'objects/value', { elementIds });
      const seen = body.results.map(({ result }: Answer['body']) => [result.value, result.quality]);
      assert.deepEqual(seen, [
        [null, 'GoodNoData'],
        [null, 'GoodNoData'],
        [40, 'Good'],
        [true, 'Good'],
        [null, 'Bad'],
        [null, 'GoodNoData'],
      ]);
      for (const { result } of body.results) assert.match(result.timestamp, UTC_TIME);
    });

    it('history has the points of the range, both ends included, and none before it', async (context) => {
      const call = caller(await openMill(context, transport));
      const range = { startTime: '2026-03-01T08:10:00Z', endTime: '2026-03-01T09:00:00Z' };
      const { body } = await call('POST', 'objects/history', { elementIds: ['Mill:line/Flow', 'Mill'], ...range });
      assert.deepEqual(body.results[0].result.values, [
        { value: 20, quality: 'Uncertain', timestamp: '2026-03-01T08:30:00.000Z' },
        { value: 40, quality: 'Good', timestamp: '2026-03-01T09:00:00.000Z' },
      ]);
      assert.deepEqual(body.results[1].result.values, []);
      assert.equal((await call('POST', 'objects/history', { elementIds: ['Mill'] })).status, 400);
    });

    it('what is written is read back; history is corrected', async (context) => {
      const call = caller(await openMill(context, transport));
      const updates = [
        { elementId: 'Mill:line/Flow', value: { value: 55, quality: 'Good' } },
        { elementId: 'Mill:none', value: { value: 1 } },
        { elementId: 'Mill:line/Flow', value: { value: 'text' } },
      ];
      const { body } = await call('PUT', 'objects/value', { updates });
      assert.equal(body.results[0].success, true);
      assert.equal(body.results[0].result, null);
      assert.deepEqual([body.results[1].responseDetail.status, body.results[2].responseDetail.status], [404, 400]);
      const value = await call('POST', 'objects/value', { elementIds: ['Mill:line/Flow'] });
      assert.equal(value.body.results[0].result.value, 55);
      const timestamp = '2026-03-01T08:30:00Z';
      const past = { elementId: 'Mill:line/Flow', value: { value: 21, quality: 'Good', timestamp } };
      assert.equal((await call('PUT', 'objects/history', { updates: [past] })).body.success, true);
      const range = { startTime: timestamp, endTime: timestamp };
      const history = await call('POST', 'objects/history', { elementIds: ['Mill:line/Flow'], ...range });
      assert.deepEqual(
        history.body.results[0].result.values.map((one: Answer['body']) => one.value),
        [21],
      );
    });

    it('values without a time stamp keep their order, behind a newest value that is ahead of the clock', async (context) => {
      const call = caller(await openMill(context, transport));
      const elementId = 'Mill:line/Flow';
      const timestamp = new Date(Date.now() + 60_000).toISOString();
      const updates = [{ value: 1, timestamp }, { value: 2 }, { value: 1, timestamp: null }, { value: 2 }].map(
        (value) => ({
          elementId,
          value,
        }),
      );
      assert.equal((await call('PUT', 'objects/value', { updates })).body.success, true);
      const range = { startTime: timestamp, endTime: new Date(Date.parse(timestamp) + 1).toISOString() };
      const history = await call('POST', 'objects/history', { elementIds: [elementId], ...range });
      assert.deepEqual(
        history.body.results[0].result.values.map((one: Answer['body']) => [one.value, one.timestamp]),
        ['', '0001', '0002', '0003'].map((ticks, i) => [1 + (i % 2), timestamp.replace('Z', `${ticks}Z`)]),
      );
    });

    it('an empty time stamp is none that can be read, and history needs one', async (context) => {
      const call = caller(await openMill(context, transport));
      const write = async (path: string, timestamp: unknown): Promise<Answer['body']> => {
        const updates = [{ elementId: 'Mill:line/Flow', value: { value: 1, quality: 'Good', timestamp } }];
        return (await call('PUT', path, { updates })).body.results[0].responseDetail;
      };
      const empty = await write('objects/value', '');
      assert.equal(empty.status, 400);
      assert.equal(empty.detail.match(/got another text/g)?.length, 1, empty.detail);
      const nothing = await call('POST', 'objects/value', '');
      assert.equal(nothing.body.responseDetail.detail.match(/The body is empty/g)?.length, 1);
      for (const timestamp of ['', null]) assert.equal((await write('objects/history', timestamp)).status, 400);
    });

    it('a value that is dropped is no success, and one that is there already is', async (context) => {
      const call = caller(await openMill(context, transport));
      const write = async (value: number, timestamp: string): Promise<Answer['body']> => {
        const updates = [{ elementId: 'Mill:line/Flow', value: { value, quality: 'Good', timestamp } }];
        return (await call('PUT', 'objects/value', { updates })).body.results[0];
      };
      assert.equal((await write(1, '2026-04-01T08:00:00Z')).success, true);
      assert.equal((await write(1, '2026-04-01T08:00:00Z')).success, true);
      const late = await write(2, '2026-02-01T08:00:00Z');
      assert.equal(late.success, false);
      assert.equal(late.responseDetail.status, 409);
      assert.match(late.responseDetail.detail, /earlier than the newest value, and the dataset ignores late points/);
      await call('POST', '/api/datasets/Mill', { n: 'Mill', pa: 0, ps: 0, late: 'accept' });
      assert.equal((await write(2, '2026-02-01T08:00:00Z')).success, true);
    });

    it('numbers that a double does not hold are written as they were sent', async (context) => {
      const server = await openMill(context, transport);
      const call = caller(server);
      await call('POST', '/api/datasets/Mill/tags', [
        { n: 'Wide', t: 'System.Int64' },
        { n: 'Exact', t: 'System.Decimal' },
        { n: 'Zero', t: 'System.Double' },
      ]);
      const write = (tag: string, value: string) =>
        call('PUT', 'objects/value', `{"updates":[{"elementId":"Mill:${tag}","value":{"value":${value}}}]}`);
      for (const [tag, value] of [
        ['Wide', '9007199254740993'],
        ['Exact', '0.12345678901234567891'],
      ] as const) {
        assert.equal((await write(tag, value)).body.success, true);
        const { text } = await server.http.get(`/api/datasets/Mill/data?tagname=${tag}&exact=string`);
        assert.match(text, new RegExp(`"v":"${value}"`));
      }
      assert.equal((await write('Zero', '-0')).body.success, true);
      assert.match((await server.http.get('/api/datasets/Mill/data?tagname=Zero')).text, /"v":-0,/);
    });

    it('sync gives each update until it is acknowledged', async (context) => {
      const call = caller(await openMill(context, transport));
      assert.equal((await call('POST', 'subscriptions', {})).status, 400);
      const made = await call('POST', 'subscriptions', { clientId: 'c', displayName: 'Test' });
      const { subscriptionId } = made.body.result;
      const its = { clientId: 'c', subscriptionId };
      const registered = await call('POST', 'subscriptions/register', {
        ...its,
        elementIds: ['Mill:line/Flow', 'Nowhere'],
      });
      assert.deepEqual(
        registered.body.results.map((one: Answer['body']) => one.success),
        [true, false],
      );
      await call('POST', '/api/datasets/Mill/data', { 'line/Flow': [{ t: '2026-03-01T10:00:00Z', v: 60 }] });
      const first = await call('POST', 'subscriptions/sync', its);
      const updates = first.body.result.flatMap((batch: Answer['body']) => batch.updates);
      assert.deepEqual(
        updates.map((one: Answer['body']) => one.value),
        [40, 60],
      );
      const again = await call('POST', 'subscriptions/sync', its);
      assert.deepEqual(again.body, first.body);
      const lastSequenceNumber = first.body.result.at(-1).sequenceNumber;
      assert.deepEqual((await call('POST', 'subscriptions/sync', { ...its, lastSequenceNumber })).body.result, []);
      assert.equal((await call('POST', 'subscriptions/sync', { ...its, clientId: 'other' })).status, 404);
      const removed = await call('POST', 'subscriptions/delete', { clientId: 'c', subscriptionIds: [subscriptionId] });
      assert.equal(removed.body.success, true);
      assert.equal((await call('POST', 'subscriptions/stream', its)).status, 404);
    });

    it('a stream begins with what waits; a second one ends the first', async (context) => {
      const server = await openMill(context, transport);
      const call = caller(server);
      const { subscriptionId } = (await call('POST', 'subscriptions', { clientId: 'c' })).body.result;
      const its = { clientId: 'c', subscriptionId };
      await call('POST', 'subscriptions/register', { ...its, elementIds: ['Mill:line/Flow'] });
      const abort = new AbortController();
      context.after(() => abort.abort());
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(its),
        signal: abort.signal,
      };
      const first = await fetch(`${server.url}${BASE}/subscriptions/stream`, init);
      const reader = (first.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      for (let i = 0; i < 20 && !text.includes('data: '); i++) text += Buffer.from((await reader.read()).value ?? []);
      assert.match(text, /data: \[\{"elementId":"Mill:line\/Flow","value":40,"quality":"Good"/);
      assert.equal((await call('POST', 'subscriptions/sync', its)).status, 400);
      const second = await fetch(`${server.url}${BASE}/subscriptions/stream`, init);
      assert.equal(second.status, 200);
      let isDone = false;
      for (let i = 0; i < 20 && !isDone; i++) isDone = (await reader.read()).done;
      assert.ok(isDone);
    });

    it('what is newest once points were removed or corrected is an update, and so is that there is none', async (context) => {
      const call = caller(await openMill(context, transport));
      const { subscriptionId } = (await call('POST', 'subscriptions', { clientId: 'c' })).body.result;
      const its = { clientId: 'c', subscriptionId };
      await call('POST', 'subscriptions/register', { ...its, elementIds: ['Mill:line/Flow', 'Mill:line/pump/On'] });
      let lastSequenceNumber: number | undefined;
      const updates = async (): Promise<unknown[][]> => {
        const { body } = await call('POST', 'subscriptions/sync', { ...its, lastSequenceNumber });
        lastSequenceNumber = body.result.at(-1)?.sequenceNumber ?? lastSequenceNumber;
        const all = body.result.flatMap((batch: Answer['body']) => batch.updates);
        return all.map(({ elementId, value, quality }: Answer['body']) => [elementId.slice(5), value, quality]);
      };
      const remove = (query: string) => call('DELETE', `/api/datasets/Mill/data?tagname=line/Flow&start=${query}`);
      const correct = (query: string, body?: unknown) =>
        call('POST', `/api/datasets/Mill/corrections?tagname=line/Flow&${query}`, body);
      await updates();
      await remove('2026-03-01T08:45:00Z');
      assert.deepEqual(await updates(), [['line/Flow', 20, 'Uncertain']]);
      await correct('kind=delete&start=2026-03-01T08:00:00Z&end=2026-03-01T08:00:00Z');
      assert.deepEqual(await updates(), [], 'the newest point is as it was');
      const at = '2026-03-01T08:30:00Z';
      await correct(`kind=replace&start=${at}&end=${at}`, [{ t: at, v: 21 }]);
      assert.deepEqual(await updates(), [['line/Flow', 21, 'Good']]);
      await remove('2026-01-01T00:00:00Z');
      assert.deepEqual(await updates(), [['line/Flow', null, 'GoodNoData']]);
      assert.ok((await call('DELETE', '/api/datasets/Mill/tags/line%2Fpump%2FOn')).status < 300);
      assert.deepEqual(await updates(), [['line/pump/On', null, 'GoodNoData']]);
      await call('POST', '/api/datasets/Mill/data', { 'line/pump/On': [{ t: at, v: false }] });
      assert.deepEqual(await updates(), [['line/pump/On', false, 'Good']]);
    });

    it('what is too much for a subscription is dropped, the oldest first, and the next sync says so', async (context) => {
      const call = caller(await openMill(context, transport));
      const { subscriptionId } = (await call('POST', 'subscriptions', { clientId: 'c' })).body.result;
      const its = { clientId: 'c', subscriptionId };
      await call('POST', 'subscriptions/register', { ...its, elementIds: ['Mill:line/Flow'] });
      const first = Date.parse('2026-03-02');
      for (let from = 0; from < 60_000; from += 10_000) {
        const t = Array.from({ length: 10_000 }, (_, i) => first + from + i);
        const body = { 'line/Flow': { t, v: t.map((_, i) => from + i) } };
        assert.equal((await call('POST', '/api/datasets/Mill/data', body)).status, 200);
      }
      const sync = () => call('POST', 'subscriptions/sync', its);
      let answer = await sync();
      for (let i = 0; i < 50 && answer.body.result.at(-1)?.updates.at(-1)?.value !== 59_999; i++) {
        await delay(100);
        const next = await sync();
        answer = { status: Math.max(answer.status, next.status), body: next.body };
      }
      assert.equal(answer.status, 206);
      const values = answer.body.result.flatMap((batch: Answer['body']) =>
        batch.updates.map(({ value }: Answer['body']) => value),
      );
      assert.ok(values.length > 45_000 && values.length <= 50_000, `${values.length} updates`);
      assert.deepEqual(
        values,
        values.map((_: unknown, i: number) => 60_000 - values.length + i),
      );
      assert.ok(answer.body.result[0].sequenceNumber > 1);
      assert.equal((await sync()).status, 200);
    });

    it('short answers are compressed for who takes gzip', async (context) => {
      const server = await openMill(context, transport);
      const answer = await server.http.send('GET', `${BASE}/namespaces`, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(answer.headers['content-encoding'], 'gzip');
    });

    it('a token sees nothing of other datasets', async (context) => {
      const admin = makeToken('admin', ['*']);
      const reader = makeToken('read', ['Mill']);
      const server = await openMill(context, transport, [admin, reader]);
      const call = caller(server, reader);
      const listed = await server.http.send('GET', `${BASE}/objects`, {
        headers: { authorization: `Bearer ${reader.token}` },
      });
      assert.match(listed.text, /Mill/);
      assert.doesNotMatch(listed.text, /Secret/);
      for (const path of ['objects/list', 'objects/related', 'objects/value']) {
        const { body } = await call('POST', path, { elementIds: ['Secret', 'Secret:line/Flow'] });
        assert.deepEqual(
          body.results.map((one: Answer['body']) => one.responseDetail.status),
          [404, 404],
        );
      }
      const update = { elementId: 'Mill:line/Flow', value: { value: 1 } };
      assert.equal((await call('PUT', 'objects/value', { updates: [update] })).status, 403);
      const of = caller(server, admin);
      const { subscriptionId } = (await of('POST', 'subscriptions', { clientId: 'c' })).body.result;
      const stolen = await call('POST', 'subscriptions/sync', { clientId: 'c', subscriptionId });
      assert.equal(stolen.status, 404);
    });
  });
}
