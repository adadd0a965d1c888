// The door for language models: the official client runs every tool, resource and prompt, on both transports; a token sees
// nothing of other datasets; what is asked wrongly is told in words.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  type CallToolResult,
  Client,
  ResourceNotFoundError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Role } from '../../../server/auth/rules/role.ts';
import { type AccessServer, type MadeToken, makeToken, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const RANGE = { start: at(0), end: at(60) };
const JSON_HEADERS = { 'content-type': 'application/json' };

function at(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

interface Door {
  readonly server: AccessServer;
  connect(token?: MadeToken): Promise<Client>;
}

async function openDoor(
  context: TestContext,
  transport: 'uws' | 'node',
  tokens: readonly MadeToken[] = [],
): Promise<Door> {
  const entries = tokens.length > 0 ? tokens.map(({ entry }) => entry) : undefined;
  const server = await startAccessServer(context, transport, entries);
  const admin = tokens.find(({ entry }) => entry.role === 'admin');
  const headers = { ...JSON_HEADERS, ...(admin && { authorization: `Bearer ${admin.token}` }) };
  for (const dataset of ['Mill', 'Secret']) {
    const body = JSON.stringify({
      Flow: [0, 10, 20, 30].map((s) => ({ t: at(s), v: s, q: s === 20 ? 0 : 192 })),
      Pump: [0, 15].map((s) => ({ t: at(s), v: s > 0 })),
    });
    const answer = await server.http.send('POST', `/api/datasets/${dataset}/data`, { headers, body });
    assert.equal(answer.status, 200, answer.text);
  }
  const tag = JSON.stringify({ n: 'Flow', d: 'Flow of line 1', u: { 1: 'm³/h' } });
  const defined = await server.http.send('POST', '/api/datasets/Mill/tags/Flow', { headers, body: tag });
  assert.equal(defined.status, 200, defined.text);
  return {
    server,
    async connect(token) {
      const client = new Client({ name: 'test', version: '1' });
      const requestInit = token ? { headers: { authorization: `Bearer ${token.token}` } } : {};
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
      context.after(() => client.close());
      return client;
    },
  };
}

async function run(client: Client, name: string, given: Record<string, unknown>): Promise<string> {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  const [content] = result.content;
  assert.equal(content?.type, 'text');
  const { text } = content as { text: string };
  return result.isError ? `FAULT ${text}` : text;
}

async function answer<T = Record<string, unknown>>(client: Client, name: string, given: object = {}): Promise<T> {
  const text = await run(client, name, given as Record<string, unknown>);
  assert.doesNotMatch(text, /^FAULT/);
  return JSON.parse(text) as T;
}

interface Entries {
  readonly tl: readonly {
    readonly t: { readonly n: string };
    readonly a?: string;
    readonly d: readonly { v: unknown }[];
    readonly next?: string;
  }[];
}

function valuesOf({ tl }: Entries): unknown[][] {
  return tl.map(({ d }) => d.map(({ v }) => v));
}

describe('the door for language models', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`answers every tool of the official client, over ${transport}`, async (context) => {
      const client = await (await openDoor(context, transport)).connect();
      assert.equal(client.getServerVersion()?.name, 'varve');
      const { tools } = await client.listTools();
      const called = new Set<string>();
      const ask = <T>(name: string, given: object = {}): Promise<T> => {
        called.add(name);
        return answer<T>(client, name, given);
      };
      const of = { dataset: 'Mill', tags: ['Flow'] };
      const { datasets } = await ask<{ datasets: { n: string }[] }>('list_datasets');
      assert.deepEqual(
        datasets.map(({ n }) => n),
        ['Mill', 'Secret'],
      );
      const first = await ask<{ tags: { n: string; d?: string }[]; total: number; next: string }>('list_tags', {
        dataset: 'Mill',
        limit: 1,
      });
      assert.deepEqual(
        [first.tags[0]?.n, first.tags[0]?.d, first.total, first.next],
        ['Flow', 'Flow of line 1', 2, 'Flow'],
      );
      const second = await ask<{ tags: { n: string }[]; next?: string }>('list_tags', {
        dataset: 'Mill',
        after: first.next,
      });
      assert.deepEqual([second.tags.map(({ n }) => n), second.next], [['Pump'], undefined]);
      assert.deepEqual(valuesOf(await ask<Entries>('read_latest', of)), [[30]]);
      assert.deepEqual(valuesOf(await ask<Entries>('read_latest', { ...of, at: at(12) })), [[10]]);
      const page = await ask<Entries>('read_points', { ...of, ...RANGE, limit: 3 });
      assert.deepEqual(valuesOf(page), [[0, 10, 20]]);
      const rest = await ask<Entries>('read_points', { ...of, ...RANGE, limit: 3, after: [page.tl[0]?.next] });
      assert.deepEqual(valuesOf(rest), [[30]]);
      assert.deepEqual(valuesOf(await ask<Entries>('read_plot', { ...of, ...RANGE, intervals: 2 })), [[0, 10, 20, 30]]);
      const means = await ask<Entries>('read_aggregates', {
        ...of,
        ...RANGE,
        interval: '30s',
        functions: ['Maximum', 'Count'],
      });
      assert.deepEqual(valuesOf(means), [
        [10, 30],
        [2, 1],
      ]);
      const { tl } = await ask<{ tl: { points: number; good: number }[] }>('read_statistics', { ...of, ...RANGE });
      assert.deepEqual([tl[0]?.points, tl[0]?.good], [4, 3]);
      const states = await ask<Entries>('read_states', { dataset: 'Mill', tags: ['Pump'], start: at(0), end: at(60) });
      assert.deepEqual(states.tl.map(({ a }) => a).sort(), [
        'StateCount',
        'StateCount',
        'StateDuration',
        'StateDuration',
        'StatePercent',
        'StatePercent',
      ]);
      const history = await ask<{ spans: object[] }>('read_quality_history', {
        dataset: 'Mill',
        tag: 'Flow',
        ...RANGE,
      });
      assert.deepEqual(history.spans, [
        { start: at(0), quality: 192, kind: 'good', points: 2 },
        { start: at(20), quality: 0, kind: 'bad', points: 1 },
        { start: at(30), quality: 192, kind: 'good', points: 1 },
      ]);
      const written = await ask<object>('write_points', { dataset: 'Mill', points: { Flow: [{ t: at(40), v: 40 }] } });
      assert.equal((written as { written: number }).written, 1);
      assert.deepEqual([...called].sort(), tools.map(({ name }) => name).sort(), 'every tool was called');
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        ['varve://datasets/Mill', 'varve://datasets/Secret'],
      );
      const { contents } = await client.readResource({ uri: 'varve://datasets/Mill' });
      assert.equal(JSON.parse((contents[0] as { text: string }).text).total, 2);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['varve://datasets/{dataset}', 'varve://datasets/{dataset}/tags/{tag}'],
      );
      const ofTag = await client.readResource({ uri: 'varve://datasets/Mill/tags/Flow' });
      const { tag, latest } = JSON.parse((ofTag.contents[0] as { text: string }).text);
      assert.deepEqual([tag.n, tag.d, latest], ['Flow', 'Flow of line 1', { t: at(40), v: 40, q: 192 }]);
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['what_happened', 'compare_days', 'bad_tags'],
      );
      for (const { name, arguments: wanted = [] } of prompts) {
        const given = Object.fromEntries(wanted.map((argument) => [argument.name, `<${argument.name}>`]));
        const { messages } = await client.getPrompt({ name, arguments: given });
        for (const text of Object.values(given)) assert.ok(JSON.stringify(messages).includes(text), `${name}: ${text}`);
      }
    });

    it(`writes numbers that a double does not hold as they were sent, over ${transport}`, async (context) => {
      const { server } = await openDoor(context, transport);
      const body = JSON.stringify([{ n: 'Wide', t: 'System.Int64' }]);
      await server.http.send('POST', '/api/datasets/Mill/tags', { headers: JSON_HEADERS, body });
      const points = `{"Wide":[{"t":"${at(0)}","v":9007199254740993}]}`;
      const given = `{"name":"write_points","arguments":{"dataset":"Mill","points":${points}}}`;
      const { text } = await server.http.send('POST', '/mcp', {
        headers: { ...JSON_HEADERS, accept: 'application/json, text/event-stream' },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${given}}`,
      });
      assert.match(text, /written/, text);
      const read = await server.http.get('/api/datasets/Mill/data?tagname=Wide&exact=string');
      assert.match(read.text, /"v":"9007199254740993"/);
    });

    it(`shows a token nothing of other datasets, over ${transport}`, async (context) => {
      const of = (role: Role): MadeToken => makeToken(role, role === 'admin' ? ['*'] : ['Mill']);
      const [reader, writer, admin] = [of('read'), of('write'), of('admin')];
      const { server, connect } = await openDoor(context, transport, [reader, writer, admin]);
      await assert.rejects(connect(), /needs a token/);
      const client = await connect(reader);
      const seen: string[] = [JSON.stringify(await client.listResources())];
      const { tools } = await client.listTools();
      assert.ok(!tools.some(({ name }) => name === 'write_points'), 'a reader sees no tool that writes');
      const names = ['Secret', 'Missing'];
      for (const { name } of tools) {
        const given = { tag: 'Flow', tags: ['Flow'], ...RANGE, functions: ['Count'] };
        const wanted = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
        const known = Object.fromEntries(Object.entries(given).filter(([key]) => key in wanted));
        if (!('dataset' in wanted)) seen.push(await run(client, name, {}));
        else {
          const [secret, missing] = await Promise.all(names.map((dataset) => run(client, name, { dataset, ...known })));
          assert.match(secret as string, /^FAULT/, name);
          // What is there is told of exactly as what is not.
          assert.equal(secret?.replaceAll('Secret', 'Missing'), missing, name);
        }
      }
      for (const text of seen) assert.doesNotMatch(text, /Secret/);
      const reading = async (uri: string): Promise<unknown> => {
        const error = await client.readResource({ uri }).then(
          () => assert.fail(`${uri} was read`),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof ResourceNotFoundError, String(error));
        return error.message;
      };
      for (const uri of ['varve://datasets/Secret', 'varve://datasets/Secret/tags/Flow']) {
        const message = String(await reading(uri));
        assert.doesNotMatch(message, /Flow|tags/);
        assert.equal(message.replaceAll('Secret', 'Missing'), await reading(uri.replace('Secret', 'Missing')));
      }
      await assert.rejects(
        client.callTool({ name: 'write_points', arguments: { dataset: 'Mill', points: {} } }),
        /no tool/,
      );
      const points = { Flow: [{ t: at(50), v: 1 }] };
      const writing = await connect(writer);
      assert.match(await run(writing, 'write_points', { dataset: 'Secret', points }), /^FAULT/);
      assert.match(await run(writing, 'write_points', { dataset: 'Mill', points }), /"written":1/);
      assert.ok(server.auditLines.some(({ action }) => action === 'refused'));
    });
  }

  it('tells in words what was asked wrongly', async (context) => {
    const client = await (await openDoor(context, 'uws')).connect();
    const of = { dataset: 'Mill', tags: ['Flow'] };
    const faults: [string, object, RegExp][] = [
      ['list_tags', {}, /dataset/],
      ['list_tags', { dataset: 'None' }, /Dataset 'None' could not be found/],
      ['read_latest', { ...of, tags: ['Nope'] }, /Tag 'Nope' could not be found/],
      ['read_latest', { ...of, tags: [] }, /tags/],
      ['read_latest', { ...of, tags: Array(51).fill('Flow') }, /50/],
      ['read_points', { ...of, start: 'yesterday' }, /'relativeStart' is 'yesterday'/],
      ['read_points', { ...of, ...RANGE, limit: 1e9 }, /5000/],
      ['read_points', { ...of, ...RANGE, tags: Array(11).fill('Flow') }, /5500 points; 5000/],
      ['read_aggregates', { ...of, ...RANGE, functions: ['Guess'] }, /Guess/],
      ['read_aggregates', { ...of, ...RANGE, functions: ['Count'], interval: '0s' }, /interval/],
      ['read_aggregates', { ...of, ...RANGE, functions: ['Count'], interval: '1ms' }, /longer than 256 KiB/],
      ['read_quality_history', { dataset: 'Mill', tag: 'Flow', start: at(9), end: at(1) }, /after its end/],
      ['write_points', { dataset: 'Mill', points: { Flow: [{ t: 'never', v: 1 }] } }, /never|ISO/],
      ['write_points', { dataset: 'Mill', points: { Flow: [{ v: { a: 1 } }] } }, /FAULT/],
    ];
    for (const [name, given, words] of faults) {
      const text = await run(client, name, given as Record<string, unknown>);
      assert.match(text, /^FAULT/, name);
      assert.match(text, words, name);
    }
    await assert.rejects(client.callTool({ name: 'format_disk', arguments: {} }), /no tool 'format_disk'/);
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /no resource/);
    await assert.rejects(client.getPrompt({ name: 'what_happened', arguments: {} }), /wants 'dataset'/);
  });

  it('lists as many tags as an answer holds, and of one with too much text its name', async (context) => {
    const { server, connect } = await openDoor(context, 'uws');
    const d = 'long '.repeat(12_000);
    const long = { n: 'Long', fl: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}`, d])) };
    const tags = [...Array.from({ length: 6 }, (_, i) => ({ n: `A${i}`, d })), long];
    const headers = JSON_HEADERS;
    const defined = await server.http.send('POST', '/api/datasets/Long/tags', { headers, body: JSON.stringify(tags) });
    assert.equal(defined.status, 200, defined.text);
    const client = await connect();
    const names: string[] = [];
    let after: string | undefined;
    do {
      const text = await run(client, 'list_tags', { dataset: 'Long', ...(after !== undefined && { after }) });
      assert.ok(text.length <= 262_144, `got ${text.length} characters`);
      const page = JSON.parse(text) as { tags: { n: string; d?: string; fl?: object }[]; next?: string };
      for (const { n, d: given, fl } of page.tags) {
        names.push(n);
        assert.deepEqual([given, fl], [n === 'Long' ? undefined : d, undefined]);
      }
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(names, ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'Long']);
  });

  it('answers what is no message with an error of the protocol', async (context) => {
    const { server } = await openDoor(context, 'uws');
    const post = (body: string, headers = {}) =>
      server.http.send('POST', '/mcp', { headers: { ...JSON_HEADERS, ...headers }, body });
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    for (const [body, headers, status, code] of [
      ['{', {}, 400, -32_700],
      ['{}', {}, 400, -32_600],
      ['[]', {}, 400, -32_600],
      [`[${Array(21).fill(ping).join()}]`, {}, 400, -32_600],
      [`[${ping},${ping}]`, {}, 400, -32_600],
      [ping, { 'mcp-protocol-version': '1999-01-01' }, 400, -32_600],
      [`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(2 ** 20)}"}`, {}, 413, -32_600],
    ] as const) {
      const refused = await post(body, headers);
      assert.equal(refused.status, status, refused.text);
      const { error, id } = refused.json<{ error: { code: number }; id: unknown }>();
      assert.deepEqual([error.code, id], [code, null], refused.text);
    }
    assert.deepEqual((await post(ping)).json<unknown>(), { jsonrpc: '2.0', id: 1, result: {} });
    assert.equal((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status, 202);
    const unknown = await post('{"jsonrpc":"2.0","id":7,"method":"no/such"}');
    assert.equal(unknown.json<{ error: { code: number } }>().error.code, -32_601);
    const ask = async (method: string, params?: string) => {
      const answered = await post(
        `{"jsonrpc":"2.0","id":7,"method":"${method}"${params === undefined ? '' : `,"params":${params}`}}`,
      );
      assert.equal(answered.status, 200, answered.text);
      return answered.json<{ error?: { code: number; message: string }; result?: { isError?: boolean } }>();
    };
    for (const [method, params, code, words] of [
      ['initialize', '{}', -32_602, /^Wrong parameters of 'initialize'. params.protocolVersion: /],
      ['tools/call', undefined, -32_602, /^Wrong parameters of 'tools\/call'. params: /],
      ['tools/call', '{"name":5}', -32_602, /params.name: /],
      ['tools/call', '{"name":"nope"}', -32_602, /^There is no tool 'nope'\.$/],
      ['prompts/get', '{"name":"nope"}', -32_602, /^There is no prompt 'nope'\.$/],
      ['resources/read', '{}', -32_602, /params.uri: /],
      ['resources/read', '{"uri":"varve://datasets/nope"}', -32_002, /^Dataset 'nope' could not be found/],
      ['resources/read', '{"uri":"varve://datasets/Mill/tags/nope"}', -32_002, /^Tag 'nope' could not be found/],
      ['resources/read', '{"uri":"varve://datasets/Mill/tags"}', -32_002, /^There is no resource /],
      ['resources/read', '{"uri":"varve://datasets/\\ud800"}', -32_002, /./],
      ['resources/read', '{"uri":"varve://datasets/%ED%A0%80"}', -32_002, /^There is no resource /],
    ] as const) {
      const { error } = await ask(method, params);
      assert.equal(error?.code, code, `${method} ${params}: ${error?.message}`);
      assert.match(error.message, words);
    }
    for (const given of [
      '{"dataset":"Mill","tags":["\\ud800"]}',
      '{"dataset":"\\udc00","tags":["Flow"]}',
      '{"dataset":"Mill","tags":["Flow"],"at":"\\ud800"}',
    ]) {
      const { result, error } = await ask('tools/call', `{"name":"read_latest","arguments":${given}}`);
      assert.equal(result?.isError, true, `${given}: ${error?.message}`);
    }
    for (const points of ['{"\\ud800":[{"v":1}]}', '{"Text":[{"v":"\\ud800"}]}']) {
      const { result } = await ask(
        'tools/call',
        `{"name":"write_points","arguments":{"dataset":"Mill","points":${points}}}`,
      );
      assert.equal(result?.isError, true, points);
    }
    const get = await server.http.get('/mcp', { accept: 'text/event-stream' });
    assert.equal(get.status, 405);
  });
});
