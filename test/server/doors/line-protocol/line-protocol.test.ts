// The door for line protocol over both transports: what clients of InfluxDB send, and what they get.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { InfluxDB, Point, setLogger } from '@influxdata/influxdb-client';
import type { HttpAnswer } from '../../../support/http-client.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../../auth/support/access-server.ts';

const LINE = 'cpu,host=h1 usage=12.5 1700000000000000000';
const GIB = 2 ** 30;
// The client prints what is refused.
setLogger({ error: () => {}, warn: () => {} });

interface TagData {
  readonly t: { readonly n: string; readonly t: string };
  readonly d: readonly { readonly t: string; readonly v: unknown; readonly q: number }[];
}

function write(server: AccessServer, path: string, body: string | Uint8Array, headers = {}): Promise<HttpAnswer> {
  return server.http.send('POST', path, { headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body });
}

/** All points of a tag. */
async function read(server: AccessServer, dataset: string, tag: string, headers = {}): Promise<TagData> {
  const query = new URLSearchParams({ tagname: tag, start: '2000-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z' });
  const answer = await server.http.get(`/api/datasets/${encodeURIComponent(dataset)}/data?${query}`, headers);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ tl: TagData[] }>().tl[0] as TagData;
}

function counts(answer: HttpAnswer): (string | undefined)[] {
  return ['written', 'ignored', 'repeated', 'rejected'].map((name) => answer.header(`historian-${name}`));
}

async function withTokens(context: TestContext, transport: 'uws' | 'node') {
  const writer = makeToken('write', ['plant', 'new*']);
  const reader = makeToken('read', ['plant']);
  const server = await startAccessServer(context, transport, [writer.entry, reader.entry]);
  return { server, writer: writer.token, reader: reader.token };
}

for (const transport of ['uws', 'node'] as const) {
  describe(`line protocol (${transport})`, () => {
    it('is written in both ways, packed too, and read back with the types of its fields', async (context) => {
      const server = await startAccessServer(context, transport);
      const lines = 'm,k=v f=1.5,i=-3i,u=18446744073709551615u,b=T,s="a \\"b\\"\nc\\\\" 1700000000';
      const v1 = await write(server, '/write?db=plant&rp=autogen&precision=s&consistency=one', lines);
      assert.equal(v1.status, 204, v1.text);
      assert.deepEqual(counts(v1), ['5', '0', '0', '0']);
      const packed = gzipSync('m,k=v f=2.5 1700000001\n');
      const v2 = await write(server, '/api/v2/write?org=any&bucket=plant&precision=s', packed, {
        'content-encoding': 'gzip',
      });
      assert.equal(v2.status, 204, v2.text);
      const values = async (field: string) => {
        const { t, d } = await read(server, 'plant', `m.k=v.${field}`);
        return [t.t, ...d.map(({ t: time, v }) => [time, v])];
      };
      assert.deepEqual(await values('f'), [
        'System.Double',
        ['2023-11-14T22:13:20.000Z', 1.5],
        ['2023-11-14T22:13:21.000Z', 2.5],
      ]);
      assert.deepEqual((await values('i'))[0], 'System.Int64');
      assert.deepEqual((await values('u'))[0], 'System.UInt64');
      assert.deepEqual(await values('b'), ['System.Boolean', ['2023-11-14T22:13:20.000Z', true]]);
      assert.deepEqual(await values('s'), ['System.String', ['2023-11-14T22:13:20.000Z', 'a "b"\nc\\']]);
    });

    it('lines without a time are a tick apart, behind the newest point of their tag wherever the clock is', async (context) => {
      const server = await startAccessServer(context, transport);
      const ahead = Date.now() + 60_000;
      const seen = async (tag: string): Promise<string[]> =>
        (await read(server, 'plant', tag)).d.map(({ t, v }) => `${t.slice(23)} ${v}`);
      await write(server, '/write?db=plant&precision=ms', `m f=1 ${ahead}`);
      assert.deepEqual(counts(await write(server, '/write?db=plant', 'm f=1\nm f=0\nm f=1')), ['3', '0', '0', '0']);
      assert.deepEqual(
        counts(await write(server, '/write?db=plant', 'm f=0\nn f=0,s="ON"\nn s="OFF"\nn s="ON"'))[0],
        '5',
      );
      assert.deepEqual(await seen('m.f'), ['Z 1', '0001Z 1', '0002Z 0', '0003Z 1', '0004Z 0']);
      assert.deepEqual(await seen('n.s'), ['Z ON', '0001Z OFF', '0002Z ON']);
    });

    it('keeps good lines, and says what the first bad one is', async (context) => {
      const server = await startAccessServer(context, transport);
      const lines = `${LINE}\n\n# comment\nbad line\ncpu usage=NaN\n${LINE.replace('h1', 'h2')}`;
      const v1 = await write(server, '/write?db=plant', lines);
      assert.equal(v1.status, 400);
      const error = "partial write: unable to parse 'bad line': invalid field format, line 4 dropped=2";
      assert.deepEqual(v1.json(), { error });
      assert.deepEqual(counts(v1), ['2', '0', '0', '2']);
      assert.equal((await read(server, 'plant', 'cpu.host=h2.usage')).d.length, 1);
      const v2 = await write(server, '/api/v2/write?bucket=plant', 'x=1\ncpu usage=1 1');
      assert.equal(v2.status, 400);
      const message = "partial write: unable to parse 'x=1': missing fields, line 1 dropped=1";
      assert.deepEqual(v2.json(), { code: 'invalid', message, line: 1 });
      const none = await write(server, '/write?db=missing', 'bad');
      assert.deepEqual(none.json(), { error: "unable to parse 'bad': missing fields, line 1 dropped=1" });
      assert.equal(server.engine.hasDataset('missing'), false);
    });

    it('accepts late points in datasets that it makes, so that a retried batch loses nothing', async (context) => {
      const server = await startAccessServer(context, transport);
      await write(server, '/write?db=plant', LINE);
      const late = LINE.replace('17000', '16000');
      const again = await write(server, '/write?db=plant', `${LINE}\n${late}`);
      assert.equal(again.status, 204);
      assert.deepEqual(counts(again), ['1', '0', '1', '0']);
      assert.deepEqual(counts(await write(server, '/write?db=plant', late)), ['0', '0', '1', '0']);
      assert.equal((await read(server, 'plant', 'cpu.host=h1.usage')).d.length, 2);
      assert.equal(server.engine.dataset('plant').late, 'accept');
    });

    it('says in its answer what the rules of a dataset made it drop, beside bad lines', async (context) => {
      const server = await startAccessServer(context, transport);
      const now = Date.now();
      await server.http.post('/api/datasets', { n: 'plant', pa: 0, ps: 0 });
      await write(server, '/write?db=plant&precision=ms', `m v=1,w=1 ${now}`);
      const late = await write(server, '/write?db=plant&precision=ms', `m v=2,w=2 ${now - 1000}\nm v=3 ${now + 1}`);
      assert.equal(late.status, 400);
      assert.deepEqual(counts(late), ['1', '2', '0', '0']);
      const why = 'points earlier than the newest of their tag dropped=2';
      assert.deepEqual(late.json(), { error: `partial write: ${why}` });
      const both = await write(server, '/api/v2/write?bucket=plant&precision=ms', `m v=2,w=2 ${now - 1000}\nbad`);
      const message = `partial write: unable to parse 'bad': missing fields, line 2 dropped=1; ${why}`;
      assert.deepEqual([both.status, both.json()], [400, { code: 'invalid', message, line: 2 }]);
    });

    it('reads a long body in steps, with the points of each tag in order', async (context) => {
      const server = await startAccessServer(context, transport);
      const lines = Array.from({ length: 20_000 }, (_, i) => `m,n=${i % 10} v=${i} ${1_700_000_000_000 + i}`);
      const answer = await write(server, '/write?db=plant&precision=ms', lines.join('\n'));
      assert.equal(answer.status, 204, answer.text);
      assert.deepEqual(counts(answer), ['20000', '0', '0', '0']);
      const { d } = await read(server, 'plant', 'm.n=3.v');
      assert.deepEqual(
        d.map(({ v }) => v),
        Array.from({ length: 2_000 }, (_, i) => i * 10 + 3),
      );
    });

    it('takes the token as a Bearer, a Token, a password, and in the address', async (context) => {
      const { server, writer } = await withTokens(context, transport);
      const basic = (user: string) => `Basic ${Buffer.from(`${user}:${writer}`).toString('base64')}`;
      const ways = [
        bearer(writer).authorization,
        `Token ${writer}`,
        `Token user:${writer}`,
        basic('telegraf'),
        basic(''),
      ];
      for (const authorization of ways) {
        const answer = await write(server, '/write?db=plant', LINE, { authorization });
        assert.equal(answer.status, 204, `${authorization}: ${answer.text}`);
      }
      assert.equal((await write(server, `/write?db=plant&u=any&p=${writer}`, LINE)).status, 204);
      assert.ok(!JSON.stringify(server.auditLines).includes(writer.slice(15)));
    });

    it('refuses what a token may not, in the forms of both versions', async (context) => {
      const { server, writer, reader } = await withTokens(context, transport);
      const missing = await write(server, '/write?db=plant', LINE);
      assert.equal(missing.status, 401);
      assert.equal(typeof missing.json<{ error: string }>().error, 'string');
      for (const [token, bucket, status, code] of [
        ['nonsense', 'plant', 401, 'unauthorized'],
        [reader, 'plant', 403, 'forbidden'],
        [writer, 'other', 403, 'forbidden'],
      ] as const) {
        const answer = await write(server, `/api/v2/write?bucket=${bucket}`, LINE, { authorization: `Token ${token}` });
        assert.equal(answer.status, status);
        assert.equal(answer.json<{ code: string }>().code, code);
        assert.equal(answer.header('content-type'), 'application/json');
      }
      assert.deepEqual(server.engine.datasets(), []);
      // Elsewhere a password in the address says nothing.
      const elsewhere = await server.http.get(`/api/datasets?u=x&p=${writer}`);
      assert.equal(elsewhere.status, 401);
    });

    it('refuses what it cannot read as a whole', async (context) => {
      const server = await startAccessServer(context, transport);
      const cases = [
        ['/write', LINE, 400, 'database is required'],
        ['/write?db=plant&precision=weeks', LINE, 400, 'invalid precision'],
        ['/write?db=a%01', LINE, 400, 'a'],
        ['/write?db=plant', 'x'.repeat(2 ** 20 + 1), 413, 'larger than'],
      ] as const;
      for (const [path, body, status, part] of cases) {
        const answer = await write(server, path, body);
        assert.equal(answer.status, status, answer.text);
        assert.ok(answer.json<{ error: string }>().error.includes(part), answer.text);
      }
      const bomb = gzipSync(Buffer.alloc(GIB / 64, 'x'));
      const inflated = await write(server, '/api/v2/write?bucket=plant', bomb, { 'content-encoding': 'gzip' });
      assert.equal(inflated.status, 413);
      assert.equal(inflated.json<{ code: string }>().code, 'request too large');
      const nothing = await server.http.get('/api/v2/buckets');
      assert.equal(nothing.status, 404);
      assert.equal(nothing.json<{ code: string }>().code, 'not found');
    });

    it('answers what clients ask before they write', async (context) => {
      const { server, writer, reader } = await withTokens(context, transport);
      const ping = await server.http.get('/ping');
      assert.equal(ping.status, 204);
      assert.match(ping.header('x-influxdb-version') ?? '', /^1\.8/);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const ask = (statement: string, token: string) =>
        write(server, '/query', new URLSearchParams({ q: statement }).toString(), { ...type, ...bearer(token) });
      const created = await ask('CREATE DATABASE "new one"', writer);
      assert.deepEqual(created.json(), { results: [{ statement_id: 0 }] });
      assert.equal(server.engine.hasDataset('new one'), false);
      assert.equal((await ask('CREATE DATABASE plant', reader)).status, 403);
      for (const rest of [' ; ', ' WITH DURATION 3d REPLICATION 1 ;', ' WITH ;', '\nWITH NAME a\n']) {
        assert.equal((await ask(`  create  database plant${rest}`, writer)).status, 200, rest);
      }
      for (const rest of [' WITH', ' WITH NAME "a"', ' x', ';;', ' WITH a; b']) {
        assert.equal((await ask(`CREATE DATABASE plant${rest}`, writer)).status, 400, rest);
      }
      const startMs = performance.now();
      for (const start of ['CREATE DATABASE a WITH ', 'CREATE DATABASE a', 'SHOW DATABASES']) {
        assert.equal((await ask(`${start}${' '.repeat(3500)}"`, writer)).status, 400);
      }
      assert.ok(performance.now() - startMs < 2000, 'such statements are read in linear time');
      assert.equal((await ask('DROP DATABASE plant', writer)).status, 400);
      await write(server, '/write?db=plant', LINE, bearer(writer));
      await write(server, '/write?db=new', LINE, bearer(writer));
      const names = async (token: string) => {
        const answer = await server.http.get('/query?q=SHOW+DATABASES', bearer(token));
        return answer.json<{ results: { series: { values: string[][] }[] }[] }>().results[0]?.series[0]?.values;
      };
      assert.deepEqual(await names(writer), [['new'], ['plant']]);
      assert.deepEqual(await names(reader), [['plant']]);
    });

    it('makes a dataset again once CREATE DATABASE has said so, and not before', async (context) => {
      const server = await startAccessServer(context, transport);
      await write(server, '/write?db=plant', LINE);
      assert.equal((await server.http.send('DELETE', '/api/datasets/plant', {})).status, 200);
      assert.equal((await write(server, '/write?db=plant', LINE)).status, 404);
      assert.equal((await server.http.post('/query?q=CREATE+DATABASE+other', '')).status, 200);
      assert.equal((await write(server, '/write?db=plant', LINE)).status, 404);
      assert.equal((await server.http.post('/query?q=CREATE+DATABASE+plant', '')).status, 200);
      assert.equal((await write(server, '/write?db=plant', LINE)).status, 204);
    });

    it('takes the database out of a bucket with a policy, unless a dataset has the whole name', async (context) => {
      const server = await startAccessServer(context, transport);
      for (const bucket of ['plant/autogen', 'plant/', 'plant']) {
        const answer = await write(server, `/api/v2/write?bucket=${encodeURIComponent(bucket)}`, LINE);
        assert.equal(answer.status, 204, answer.text);
      }
      await server.http.post('/api/datasets', { n: 'Line/1', pa: 0, ps: 0 });
      await write(server, '/api/v2/write?bucket=Line%2F1', LINE);
      await write(server, '/write?db=Line%2F2', LINE);
      const names = server.engine.datasets().map(({ name }) => name);
      assert.deepEqual(names, ['Line/1', 'Line/2', 'plant']);
      assert.equal((await read(server, 'Line/1', 'cpu.host=h1.usage')).d.length, 1);
    });

    it('is written by the client of InfluxDB', async (context) => {
      const { server, writer } = await withTokens(context, transport);
      const client = new InfluxDB({ url: server.url, token: writer });
      for (const gzipThreshold of [0, 1_000_000]) {
        const api = client.getWriteApi('org', 'plant', 'ms', {
          gzipThreshold,
          maxRetries: 0,
          defaultTags: { line: 'L 1' },
        });
        const base = 1_700_000_000_000 + gzipThreshold;
        for (let i = 0; i < 100; i++) {
          const point = new Point('pump')
            .tag('unit', `u,${i % 2}`)
            .floatField('flow', i / 4)
            .intField('count', i);
          api.writePoint(
            point
              .booleanField('on', i % 3 === 0)
              .stringField('note', `say "${i}"`)
              .timestamp(base + i),
          );
        }
        await api.close();
      }
      const tag = (field: string) => read(server, 'plant', `pump.line=L 1,unit=u\\,1.${field}`, bearer(writer));
      const flow = await tag('flow');
      assert.equal(flow.t.t, 'System.Double');
      assert.deepEqual(flow.d.slice(0, 2), [
        { t: '2023-11-14T22:13:20.001Z', v: 0.25, q: 192 },
        { t: '2023-11-14T22:13:20.003Z', v: 0.75, q: 192 },
      ]);
      assert.equal(flow.d.length, 100);
      assert.equal((await tag('note')).d.at(-1)?.v, 'say "99"');
      const bad = client.getWriteApi('org', 'plant', 'ms', { maxRetries: 0 });
      bad.writeRecords(['pump flow=1 1', 'pump flow=']);
      await assert.rejects(bad.close(), (error: { statusCode: number; code: string; message: string }) => {
        assert.equal(error.statusCode, 400);
        assert.equal(error.code, 'invalid');
        assert.match(
          error.message,
          /^partial write: unable to parse 'pump flow=': invalid field value, line 2 dropped=1$/,
        );
        return true;
      });
    });
  });
}
