// The requests of the JSON data source of simPod, as it sends them, and the answers that it takes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
const RANGE = { from: at(0), to: at(60), raw: { from: 'now-6h', to: 'now' } };

const PLANT = {
  'Pump.Flow': [
    { t: at(-10), v: 1 },
    { t: at(10), v: 2.5 },
    { t: at(20), v: 3, q: 24 },
    { t: at(50), v: 4 },
  ],
  'Pump.On': [
    { t: at(0), v: true },
    { t: at(15), v: false },
  ],
  'Pump.Name': [{ t: at(5), v: 'no "1"' }],
};

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  for (const dataset of ['Plant', 'Other']) {
    const answer = await server.http.post(`/api/datasets/${dataset}/data`, PLANT);
    assert.equal(answer.status, 200, answer.text);
  }
  return server;
}

async function ask<T>({ http }: AccessServer, path: string, body: object): Promise<T> {
  const answer = await http.post(`/grafana/${path}`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<T>();
}

const query = (payload: object, target = 'Plant'): object => ({
  panelId: 1,
  range: RANGE,
  rangeRaw: RANGE.raw,
  interval: '30s',
  intervalMs: 30_000,
  maxDataPoints: 550,
  targets: [{ target, refId: 'A', payload }],
  adhocFilters: [],
});

for (const transport of ['uws', 'node'] as const) {
  describe(`the JSON data source over ${transport}`, () => {
    it('is tested, and fills its menus', async (context) => {
      const server = await start(context, transport);
      assert.equal((await server.http.get('/grafana/')).status, 200);
      assert.equal((await server.http.get('/grafana')).status, 200);
      const metrics = await ask<{ value: string; payloads: { name: string; type: string; options?: object[] }[] }[]>(
        server,
        'metrics',
        {},
      );
      assert.deepEqual(
        metrics.map(({ value }) => value),
        ['Other', 'Plant'],
      );
      assert.deepEqual(
        metrics[1]?.payloads.map(({ name, type }) => [name, type]),
        [
          ['tags', 'multi-select'],
          ['show', 'select'],
        ],
      );
      const options = (name: string): Promise<{ value: string }[]> =>
        ask(server, 'metric-payload-options', { metric: 'Plant', payload: { show: 'points' }, name });
      assert.deepEqual(
        (await options('tags')).map(({ value }) => value),
        ['Pump.Flow', 'Pump.Name', 'Pump.On'],
      );
      assert.ok((await options('show')).some(({ value }) => value === 'TimeAverage'));
      const named = (target: string): Promise<unknown> =>
        ask(server, 'variable', { payload: { target }, range: RANGE });
      assert.deepEqual(
        await named(''),
        ['Other', 'Plant'].map((name) => ({ __text: name, __value: name })),
      );
      assert.deepEqual(await named('Plant/Pump\\.O.*'), [{ __text: 'Pump.On', __value: 'Pump.On' }]);
      assert.deepEqual(await ask(server, 'tag-keys', {}), [{ type: 'string', text: 'tag' }]);
      assert.deepEqual(await ask(server, 'tag-values', { key: 'tag' }), [
        { text: 'Pump.Flow' },
        { text: 'Pump.Name' },
        { text: 'Pump.On' },
      ]);
    });

    it('gets series with a hole where a point is bad, from the point in force at the left edge', async (context) => {
      const server = await start(context, transport);
      const answer = await ask(server, 'query', query({ tags: ['Pump.Flow', 'Pump.On'] }));
      const ms = (s: number): number => START_MS + s * 1000;
      assert.deepEqual(answer, [
        {
          target: 'Pump.Flow',
          refId: 'A',
          datapoints: [
            [1, ms(-10)],
            [2.5, ms(10)],
            [null, ms(20)],
            [4, ms(50)],
          ],
        },
        {
          target: 'Pump.On',
          refId: 'A',
          datapoints: [
            [1, ms(0)],
            [0, ms(15)],
          ],
        },
      ]);
    });

    it('gets tables, functions, and states as annotations', async (context) => {
      const server = await start(context, transport);
      const [table] = await ask<{ type: string; columns: { type: string }[]; rows: unknown[] }[]>(
        server,
        'query',
        query({ tags: 'Pump\\.Name', show: 'table' }),
      );
      assert.equal(table?.type, 'table');
      assert.deepEqual(
        table?.columns.map(({ type }) => type),
        ['time', 'string', 'string', 'number'],
      );
      assert.deepEqual(table?.rows, [[START_MS + 5000, 'Pump.Name', 'no "1"', 192]]);
      const [counts] = await ask<{ target: string; datapoints: unknown[] }[]>(
        server,
        'query',
        query({ tags: ['Pump.Flow'], show: 'Count' }),
      );
      assert.equal(counts?.target, 'Pump.Flow Count');
      assert.equal(counts?.datapoints.length, 2);
      const [states] = await ask<{ rows: unknown[] }[]>(server, 'query', query({ tags: ['Pump.On'], show: 'states' }));
      assert.deepEqual(states?.rows, [
        [START_MS, START_MS + 15_000, 'true', 'Plant/Pump.On', 'state,Plant'],
        [START_MS + 15_000, START_MS + 60_000, 'false', 'Plant/Pump.On', 'state,Plant'],
      ]);
    });
  });
}

describe('the door grafana', () => {
  it('answers several targets, of which some have nothing, as one list', async (context) => {
    const server = await start(context);
    const targets = [
      { target: 'Plant', refId: 'A', payload: { tags: ['Pump.On'], show: 'states' } },
      { target: 'Plant', refId: 'B', payload: '' },
      { target: 'Other', refId: 'C', payload: { tags: ['(Pump\\.Flow|Pump\\.On)'], show: 'points' } },
      { target: 'Other', refId: 'D', payload: { tags: ['Pump.On'], show: 'table' } },
      { target: 'Other', refId: 'E', payload: { show: 'statuses' } },
    ];
    const answer = await ask<{ refId: string }[]>(server, 'query', { ...query({}), targets });
    assert.deepEqual(
      answer.map(({ refId }) => refId),
      ['A', 'C', 'C', 'D', 'E'],
    );
    const filters = [{ key: 'tag', operator: '!~', value: '.*Flow' }];
    const left = await ask<{ target: string }[]>(server, 'query', {
      ...query({ tags: ['Pump\\..*'] }),
      adhocFilters: filters,
    });
    assert.deepEqual(
      left.map(({ target }) => target),
      ['Pump.Name', 'Pump.On'],
    );
  });

  it('says when there are more annotations than it gives', async (context) => {
    const server = await start(context);
    const points = Array.from({ length: 1500 }, (_, i) => ({
      t: new Date(START_MS + i * 10).toISOString(),
      v: i % 2 === 0,
    }));
    await server.http.post('/api/datasets/Plant/data', { Quick: points });
    const [table] = await ask<{ rows: unknown[]; meta: { notices: { text: string }[] } }[]>(
      server,
      'query',
      query({ tags: ['Quick'], show: 'states' }),
    );
    assert.equal(table?.rows.length, 1000);
    assert.match(table?.meta.notices[0]?.text ?? '', /Only the first 1000/);
  });

  it('cuts a title that is far too long, and tells states apart by all of their texts', async (context) => {
    const server = await start(context);
    const points = Array.from({ length: 12 }, (_, i) => ({ t: at(i), v: `${'x'.repeat(50_000)}${i >> 1}` }));
    const written = await server.http.post('/api/datasets/Plant/data', { Long: points });
    assert.equal(written.status, 200, written.text);
    const [table] = await ask<{ rows: [number, number, string][] }[]>(
      server,
      'query',
      query({ tags: ['Long'], show: 'states' }),
    );
    assert.equal(table?.rows.length, 6);
    for (const [i, [startMs, , title]] of table.rows.entries()) {
      assert.equal(startMs, START_MS + 2000 * i);
      assert.equal(title, `${'x'.repeat(1000)}…`);
    }
  });

  it('refuses what it cannot read, with the place and what would be right', async (context) => {
    const { http } = await start(context);
    for (const [path, body, status, message] of [
      ['query', {}, 400, /"path":"\/range"/],
      ['query', { range: { from: 'x', to: at(0) } }, 400, /'range.from' is 'x'/],
      ['query', { range: { from: at(60), to: at(0) } }, 400, /want a start before the end/],
      ['query', query({ tags: [5] }), 400, /\/targets\/0\/payload\/tags/],
      ['query', query({ tags: ['Nothing'] }), 404, /no tag 'Nothing' in dataset 'Plant'/],
      ['query', query({ tags: ['(a'] }), 400, /neither a name nor a pattern/],
      ['query', query({ tags: ['Pump.On'], show: 'magic' }), 400, /'show' is 'magic'; want one of points/],
      ['query', query({}, 'Missing'), 404, /no dataset 'Missing'/],
      ['query', query({}, '.*'), 400, /names several datasets/],
      ['query', { ...query({}), targets: Array(101).fill({}) }, 400, /want 100 at most/],
      [
        'query',
        { ...query({}), adhocFilters: Array(16).fill({ key: 'tag', operator: '=~', value: 'a.{1000}.*.{400}b' }) },
        400,
        /patterns come to more than 20000 steps together/,
      ],
      [
        'query',
        { ...query({}), adhocFilters: [{ key: 'tag', operator: '=~', value: 'a{1000}'.repeat(400) }] },
        400,
        /it comes to far more than 1500 steps/,
      ],
      ['metrics', [], 400, /want an object/],
    ] as const) {
      const answer = await http.post(`/grafana/${path}`, body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, message);
    }
  });

  it('shows a token nothing of datasets that are not for it', async (context) => {
    const own = makeToken('read', ['Plant']);
    const admin = makeToken('admin', ['*']);
    const server = await startAccessServer(context, 'uws', [own.entry, admin.entry]);
    for (const dataset of ['Plant', 'Secret']) {
      const data = { [`Tag.${dataset}`]: [{ t: at(0), v: 1 }] };
      const answer = await server.http.post(`/api/datasets/${dataset}/data`, data, bearer(admin.token));
      assert.equal(answer.status, 200, answer.text);
    }
    const requests = [
      ['metrics', {}],
      ['variable', { payload: { target: '' } }],
      ['tag-values', { key: 'tag' }],
      ['query', query({ tags: ['.*'] }, 'Plant')],
    ] as const;
    for (const [path, body] of requests) {
      const answer = await server.http.post(`/grafana/${path}`, body, bearer(own.token));
      assert.equal(answer.status, 200, answer.text);
      assert.ok(answer.text.includes('Plant') && !answer.text.includes('Secret'), `${path}: ${answer.text}`);
    }
    // What is there and what is not are refused alike.
    for (const name of ['Secret', 'Missing']) {
      for (const [path, body] of [
        ['variable', { payload: { target: name } }],
        ['variable', { payload: { target: `${name}/.*` } }],
        ['metric-payload-options', { metric: name, name: 'tags' }],
        ['query', query({ tags: ['.*'] }, name)],
        ['query', query({ tags: [], show: 'statuses' }, name)],
      ] as const) {
        const answer = await server.http.post(`/grafana/${path}`, body, bearer(own.token));
        assert.equal(answer.status, 403, answer.text);
      }
    }
  });
});
