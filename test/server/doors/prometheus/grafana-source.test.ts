// The requests of Grafana's built-in Prometheus source, as it sends them, and the answers that it takes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { HttpAnswer } from '../../../support/http-client.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../../auth/support/access-server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const API = '/prometheus/api/v1';
const START_S = Date.UTC(2026, 0, 1) / 1000;
const at = (seconds: number): string => new Date((START_S + seconds) * 1000).toISOString();

const PLANT = {
  'Pump.Flow': [0, 10, 20, 30].map((s) => ({ t: at(s), v: s * 1.5 })),
  'Pump.On': [
    { t: at(0), v: true },
    { t: at(15), v: false },
  ],
  'Pump.Name': [{ t: at(0), v: 'north' }],
};

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  for (const dataset of ['P', 'Q']) {
    const answer = await server.http.post(`/api/datasets/${dataset}/data`, PLANT);
    assert.equal(answer.status, 200, answer.text);
  }
  return server;
}

function form({ http }: AccessServer, path: string, fields: Record<string, string>): Promise<HttpAnswer> {
  return http.send('POST', `${API}/${path}`, { headers: FORM, body: new URLSearchParams(fields).toString() });
}

async function dataOf(answer: HttpAnswer): Promise<unknown> {
  assert.equal(answer.status, 200, answer.text);
  const body = answer.json<{ status: string; data: unknown }>();
  assert.equal(body.status, 'success');
  return body.data;
}

for (const transport of ['uws', 'node'] as const) {
  describe(`Grafana's Prometheus source over ${transport}`, () => {
    it('is saved and tested', async (context) => {
      const server = await start(context, transport);
      const body = 'query=1%2B1&time=4&timeout=60s';
      const answer = await server.http.send('POST', `${API}/query`, { headers: FORM, body });
      assert.equal(answer.text, '{"status":"success","data":{"resultType":"scalar","result":[4,"2"]}}');
      for (const method of ['GET', 'POST'] as const) {
        const build = (await dataOf(await server.http.send(method, `${API}/status/buildinfo`, {}))) as object;
        assert.deepEqual(Object.keys(build), ['version', 'revision', 'branch', 'buildUser', 'buildDate', 'goVersion']);
        assert.deepEqual(await dataOf(await server.http.send(method, `${API}/rules`, {})), { groups: [] });
      }
      assert.deepEqual(await dataOf(await server.http.get(`${API}/query_exemplars?query=test`)), []);
      const metadata = (await dataOf(await server.http.get(`${API}/metadata`))) as Record<string, { type: string }[]>;
      assert.deepEqual(Object.keys(metadata), ['varve_value', 'varve_quality']);
      assert.equal(metadata.varve_value?.[0]?.type, 'gauge');
    });

    it('gets names, labels and series for its editor, of numbers and Booleans', async (context) => {
      const server = await start(context, transport);
      const { http } = server;
      assert.deepEqual(await dataOf(await http.get(`${API}/label/__name__/values`)), ['varve_quality', 'varve_value']);
      const range = { start: String(START_S), end: String(START_S + 60), limit: '40000' };
      const labels = ['__name__', 'dataset', 'tag'];
      assert.deepEqual(await dataOf(await form(server, 'labels', { ...range, 'match[]': 'varve_value' })), labels);
      assert.deepEqual(await dataOf(await http.get(`${API}/labels?start=${range.start}&end=${range.end}`)), labels);
      assert.deepEqual(await dataOf(await form(server, 'labels', { 'match[]': 'varve_value{tag="none"}' })), []);
      const match = encodeURIComponent('varve_value{dataset="P"}');
      const values = (label: string): Promise<HttpAnswer> =>
        http.get(`${API}/label/${label}/values?start=${range.start}&end=${range.end}&limit=40000&match%5B%5D=${match}`);
      assert.deepEqual(await dataOf(await values('dataset')), ['P']);
      assert.deepEqual(await dataOf(await values('tag')), ['Pump.Flow', 'Pump.On']);
      assert.deepEqual(await dataOf(await values('U__my_20_lovely__http_2e_status:sum')), []);
      assert.deepEqual(await dataOf(await http.get(`${API}/label/dataset/values`)), ['P', 'Q']);
      const series = await dataOf(await form(server, 'series', { ...range, 'match[]': '{__name__!=""}' }));
      assert.equal((series as unknown[]).length, 8);
      assert.deepEqual((series as unknown[])[0], { __name__: 'varve_value', dataset: 'P', tag: 'Pump.Flow' });
      const cut = (await form(server, 'series', { 'match[]': '{__name__!=""}', limit: '3' })).json<{
        data: unknown[];
        warnings: string[];
      }>();
      assert.equal(cut.data.length, 3);
      assert.match(cut.warnings[0] ?? '', /There are more/);
    });

    it('fills a panel with the value in force at each step, by both methods', async (context) => {
      const server = await start(context, transport);
      const query = 'varve_value{dataset="P",tag=~"Pump.*"}';
      const fields = { query, start: `${START_S - 5}.5`, end: String(START_S + 20), step: '5', timeout: '60s' };
      const byForm = await form(server, 'query_range', fields);
      const labels = { __name__: 'varve_value', dataset: 'P' };
      const values = (all: readonly (readonly [number, string])[]): unknown =>
        all.map(([s, v]) => [START_S + s - 4.5, v]);
      assert.deepEqual(await dataOf(byForm), {
        resultType: 'matrix',
        result: [
          {
            metric: { ...labels, tag: 'Pump.Flow' },
            values: values([
              [5, '0'],
              [10, '0'],
              [15, '15'],
              [20, '15'],
            ]),
          },
          {
            metric: { ...labels, tag: 'Pump.On' },
            values: values([
              [5, '1'],
              [10, '1'],
              [15, '1'],
              [20, '0'],
            ]),
          },
        ],
      });
      assert.match(byForm.text, /^\{"status":"success","data":\{"resultType":"matrix","result":/);
      const byQuery = await server.http.get(`${API}/query_range?${new URLSearchParams(fields)}`);
      assert.equal(byQuery.text, byForm.text);
      // Resource calls mix both.
      const { query: _, ...others } = fields;
      const mixed = await server.http.send('POST', `${API}/query_range?query=${encodeURIComponent(query)}`, {
        headers: FORM,
        body: new URLSearchParams(others).toString(),
      });
      assert.equal(mixed.text, byForm.text);
    });

    it('fills a table with the values of one time', async (context) => {
      const server = await start(context, transport);
      const answer = await form(server, 'query', { query: 'varve_value{dataset="Q"}', time: `${START_S + 12}` });
      assert.deepEqual(await dataOf(answer), {
        resultType: 'vector',
        result: [
          { metric: { __name__: 'varve_value', dataset: 'Q', tag: 'Pump.Flow' }, value: [START_S + 12, '15'] },
          { metric: { __name__: 'varve_value', dataset: 'Q', tag: 'Pump.On' }, value: [START_S + 12, '1'] },
        ],
      });
      const before = await form(server, 'query', { query: 'varve_value', time: `${START_S - 1}` });
      assert.deepEqual(await dataOf(before), { resultType: 'vector', result: [] });
    });
  });
}

describe('the door prometheus', () => {
  it('says what is reduced and what is not good', async (context) => {
    const server = await start(context);
    await server.http.post('/api/datasets/P/data', {
      'Bad.Tag': [
        { t: at(0), v: 1 },
        { t: at(10), v: 2, q: 64 },
        { t: at(20), v: 3, q: 24 },
        { t: at(30), v: 4 },
      ],
    });
    const ask = async (
      query: string,
      step: number,
    ): Promise<{ data: { result: { values: unknown[] }[] }; warnings?: string[] }> => {
      const fields = { query, start: String(START_S), end: String(START_S + 40), step: String(step) };
      return (await form(server, 'query_range', fields)).json();
    };
    const bad = await ask('varve_value{tag="Bad.Tag"}', 10);
    assert.deepEqual(bad.data.result[0]?.values, [
      [START_S, '1'],
      [START_S + 10, '2'],
      [START_S + 30, '4'],
      [START_S + 40, '4'],
    ]);
    assert.deepEqual(bad.warnings, ['Good for less than 100 % of the time: P/Bad.Tag 50 %.']);
    const reduced = await ask('varve_value{dataset="P",tag="Pump.Flow"}', 40);
    assert.match(reduced.warnings?.join() ?? '', /^Reduced: 2 points of 1 series lie between the steps/);
    assert.equal((await ask('varve_value{dataset="P",tag="Pump.Flow"}', 10)).warnings, undefined);
    const quality = await ask('varve_quality{tag="Bad.Tag"}', 10);
    assert.deepEqual(
      quality.data.result[0]?.values.map((value) => (value as string[])[1]),
      ['192', '64', '24', '192', '192'],
    );
    assert.equal(quality.warnings, undefined);
  });

  it('puts series together, and holds a value no longer than it is asked to', async (context) => {
    const server = await start(context);
    const ask = async (query: string): Promise<unknown> => {
      const data = (await dataOf(await form(server, 'query', { query, time: `${START_S + 100}` }))) as {
        result: { metric: object; value: [number, string] }[];
      };
      return data.result.map(({ metric, value }) => [metric, value[1]]);
    };
    assert.deepEqual(await ask('sum by (dataset) (varve_value) * 2 + 1'), [
      [{ dataset: 'P' }, '91'],
      [{ dataset: 'Q' }, '91'],
    ]);
    assert.deepEqual(await ask('count(varve_value{tag!~".*On"})'), [[{}, '2']]);
    assert.deepEqual(await ask('last_over_time(varve_value{dataset="P"}[80s])'), [
      [{ __name__: 'varve_value', dataset: 'P', tag: 'Pump.Flow' }, '45'],
    ]);
    assert.deepEqual(await ask('avg_over_time(varve_value{dataset="P",tag="Pump.Flow"}[90s])'), [
      [{ dataset: 'P', tag: 'Pump.Flow' }, String((15 * 10 + 30 * 10 + 45 * 70) / 90)],
    ]);
    assert.deepEqual(await ask('1 / varve_value{dataset="P",tag="Pump.On"}'), [
      [{ dataset: 'P', tag: 'Pump.On' }, '+Inf'],
    ]);
    assert.deepEqual(await ask(`varve_value{dataset="../x",tag="${'y'.repeat(2000)}"}`), []);
    assert.deepEqual(await ask(`varve_value{dataset="P",tag="${'y'.repeat(2000)}"}`), []);
  });

  it('counts NaN as a value, as Prometheus does', async (context) => {
    const server = await start(context);
    const points = { Zero: [{ t: at(0), v: 0 }], One: [{ t: at(0), v: 1 }], Huge: [{ t: at(0), v: 1.7e308 }] };
    assert.equal((await server.http.post('/api/datasets/N/data', points)).status, 200);
    const of = (tag: string): string => `varve_value{dataset="N",tag=~"${tag}"}`;
    for (const [query, values] of [
      [`${of('Zero')} / 0`, ['NaN']],
      [`sum(${of('Zero|One')} / 0)`, ['NaN']],
      [`count(${of('Zero|One')} / 0)`, ['2']],
      [`min(${of('Zero|One')} / 0)`, ['+Inf']],
      [`max(${of('Zero')} / 0)`, ['NaN']],
      [`(-1 - ${of('Zero')}) ^ 0.5`, ['NaN']],
      [`avg(${of('Huge|One')} * 1e308)`, ['+Inf']],
      [`avg(${of('Huge|One')})`, ['8.5e+307']],
    ] as const) {
      const data = (await dataOf(await form(server, 'query', { query, time: `${START_S + 60}` }))) as {
        result: { value: [number, string] }[];
      };
      assert.deepEqual(
        data.result.map(({ value }) => value[1]),
        values,
        query,
      );
    }
    const range = { query: `${of('Zero')} / 0`, start: `${START_S - 1}`, end: `${START_S + 1}`, step: '1' };
    const { result } = (await dataOf(await form(server, 'query_range', range))) as { result: { values: unknown[] }[] };
    assert.deepEqual(result[0]?.values, [
      [START_S, 'NaN'],
      [START_S + 1, 'NaN'],
    ]);
  });

  it('looks at the parameters of the read API', async (context) => {
    const server = await start(context);
    const get = (path: string): Promise<HttpAnswer> => server.http.get(encodeURI(`${API}/${path}`));
    assert.deepEqual(await dataOf(await get('metadata?metric=nope')), {});
    const one = (await dataOf(await get('metadata?metric=varve_quality'))) as object;
    assert.deepEqual(Object.keys(one), ['varve_quality']);
    assert.equal(Object.keys((await dataOf(await get('metadata?limit=1'))) as object).length, 1);
    for (const path of ['labels', 'label/tag/values', 'series?match[]=varve_value']) {
      const sign = path.includes('?') ? '&' : '?';
      assert.equal((await get(`${path}${sign}start=${START_S}&end=${START_S + 1}`)).status, 200, path);
      for (const wrong of ['start=garbage', 'end=garbage', `start=${START_S}&end=${START_S - 1}`]) {
        assert.equal((await get(`${path}${sign}${wrong}`)).status, 400, `${path} ${wrong}`);
      }
    }
    const query = `query?query=varve_value{dataset="P"}&time=${START_S + 3600}`;
    assert.equal((await get(`${query}&timeout=soon`)).status, 400);
    assert.equal((await get(`${query}&lookback_delta=soon`)).status, 400);
    const late = await get(`${query}&timeout=0.000001`);
    assert.deepEqual([late.status, late.json<{ errorType: string }>().errorType], [503, 'timeout']);
    const seen = async (lookBack: string): Promise<number> =>
      ((await dataOf(await get(`${query}&lookback_delta=${lookBack}`))) as { result: unknown[] }).result.length;
    assert.deepEqual([await seen('5m'), await seen('2h')], [0, 2]);
  });

  it('refuses both metrics of a tag where they would have the same labels', async (context) => {
    const server = await start(context);
    for (const [query, status] of [
      ['{dataset="P"} * 2', 422],
      ['delta({dataset="P"}[5m])', 422],
      ['sum({dataset="P"}) * 2', 200],
      ['last_over_time({dataset="P"}[5m])', 200],
      ['varve_quality * 2', 200],
    ] as const) {
      const answer = await form(server, 'query', { query, time: `${START_S + 5}` });
      assert.equal(answer.status, status, query);
      if (status === 422) assert.equal(answer.json<{ errorType: string }>().errorType, 'execution');
    }
  });

  it('has no value beyond now, unless a point lies there', async (context) => {
    const server = await start(context);
    const nowS = Math.floor(Date.now() / 1000);
    const data = { Ahead: [{ t: new Date((nowS + 3600) * 1000).toISOString(), v: 5 }] };
    assert.equal((await server.http.post('/api/datasets/P/data', data)).status, 200);
    const fields = { query: 'varve_value{dataset="P"}', start: `${nowS - 60}`, end: `${nowS + 7200}`, step: '1800' };
    const { result } = (await dataOf(await form(server, 'query_range', fields))) as {
      result: { metric: { tag: string }; values: [number, string][] }[];
    };
    assert.deepEqual(
      result.map(({ metric, values }) => [metric.tag, values.map(([time]) => time - nowS + 60)]),
      [
        ['Pump.Flow', [0]],
        ['Pump.On', [0]],
      ],
    );
    const hour = { ...fields, start: `${nowS}` };
    const exact = (await dataOf(await form(server, 'query_range', hour))) as {
      result: { values: [number, string][] }[];
    };
    assert.deepEqual(exact.result[0]?.values, [[nowS + 3600, '5']]);
  });

  it('answers an instant query of a browser whose clock is ahead', async (context) => {
    const server = await start(context);
    const nowMs = Date.now();
    const data = { Near: [10, 20, 30].map((s) => ({ t: new Date(nowMs - s * 1000).toISOString(), v: s })) };
    assert.equal((await server.http.post('/api/datasets/P/data', data)).status, 200);
    const selector = 'varve_value{dataset="P",tag="Near"}';
    const ask = async (query: string, aheadMs: number): Promise<string | undefined> => {
      const time = ((Date.now() + aheadMs) / 1000).toFixed(3);
      const { result } = (await dataOf(await form(server, 'query', { query, time }))) as {
        result: { value: [number, string] }[];
      };
      return result[0]?.value[1];
    };
    for (const aheadMs of [50, 2000, 12 * 3_600_000]) assert.equal(await ask(selector, aheadMs), '10', `${aheadMs}`);
    for (const [query, value] of [
      [`last_over_time(${selector}[5m])`, '10'],
      [`count_over_time(${selector}[5m])`, '3'],
      [`min_over_time(${selector}[5s])`, '10'],
      [`avg_over_time(${selector}[5s])`, '10'],
      [`delta(${selector}[5s])`, '0'],
      [`sum(${selector})`, '10'],
    ] as const) {
      assert.equal(await ask(query, 2000), value, query);
    }
    assert.equal(await ask(`last_over_time(${selector}[5m])`, 3_600_000), undefined);
  });

  it('refuses what it cannot answer in the form of Prometheus, and says what is possible', async (context) => {
    const server = await start(context);
    for (const [fields, status, message] of [
      [
        { query: 'histogram_quantile(0.9, x)' },
        400,
        /The function 'histogram_quantile' is not possible here\. Possible are/,
      ],
      [{ query: 'varve_value{tag=~"(a"}' }, 400, /The pattern '\(a' is not possible: missing closing \): `\(a`/],
      [
        { query: `varve_value{tag=~"${'a{1000}'.repeat(400)}"}` },
        400,
        /is not possible: it comes to far more than 1500/,
      ],
      [
        { query: `varve_value{${'tag=~"a.{800}",'.repeat(4)}}` },
        400,
        /The patterns of the selector come to more than 3000 steps together; want fewer or shorter ones/,
      ],
      [{ query: 'varve_value + varve_value' }, 400, /'\+' between two selections is not possible/],
      [{ query: 'varve_value > 5' }, 400, /'>' at character 13 is not possible there/],
      [{ query: '{}' }, 400, /nothing to select by/],
      [{ query: '{tag=~".*"}' }, 400, /takes an empty text, too/],
      [{ query: 'varve_value{tag="a\nb"}' }, 400, /has no end in its line/],
      [{ query: `${'('.repeat(100)}1` }, 400, /nested deeper than 50/],
      [{ query: 'rate(varve_value)' }, 400, /'rate' needs a stretch/],
      [{ query: '' }, 400, /'query' is missing/],
      [{ query: '1', time: 'yesterday' }, 400, /'time' is 'yesterday'; want an ISO 8601 time/],
      [{ query: `"${'x'.repeat(70_000)}"` }, 413, /larger than 65536 bytes/],
    ] as const) {
      const answer = await form(server, 'query', fields);
      const { status: word, errorType, error } = answer.json<Record<string, string>>();
      assert.deepEqual([answer.status, word, errorType], [status, 'error', 'bad_data'], answer.text);
      assert.match(error ?? '', message);
    }
    for (const path of ['series', 'labels', 'label/tag/values']) {
      const answer = await form(server, path, { 'match[]': 'varve_value{tag=~"(a"}' });
      assert.deepEqual([answer.status, answer.text.includes('missing closing )')], [400, true], answer.text);
    }
    const many = await form(server, 'query_range', { query: '1', start: '0', end: '100000', step: '1' });
    assert.match(many.text, /The range has 100001 steps; 11000 are possible/);
    const path = await server.http.get(`${API}/nothing`);
    assert.deepEqual([path.status, path.json<{ errorType: string }>().errorType], [404, 'not_found']);
    const json = await server.http.post(`${API}/query`, { query: '1' });
    assert.equal(json.status, 415);
  });

  it('shows a token nothing of datasets that are not for it', async (context) => {
    const own = makeToken('read', ['P']);
    const admin = makeToken('admin', ['*']);
    const server = await startAccessServer(context, 'uws', [own.entry, admin.entry]);
    for (const dataset of ['P', 'Secret']) {
      const data = { [`Tag.${dataset}`]: [{ t: at(0), v: 1 }] };
      const answer = await server.http.post(`/api/datasets/${dataset}/data`, data, bearer(admin.token));
      assert.equal(answer.status, 200, answer.text);
    }
    const paths = [
      'label/dataset/values',
      'label/tag/values',
      'label/tag/values?match[]=varve_value{dataset="Secret"}',
      'series?match[]={__name__!=""}',
      'series?match[]={dataset=~"S.*"}',
      'series?match[]={dataset="Secret"}&match[]={tag="Tag.Secret"}',
      `query?query=varve_value&time=${START_S}`,
      `query?query=varve_value{dataset="Secret"}&time=${START_S}`,
      `query?query=varve_value{dataset="Missing"}&time=${START_S}`,
      `query_range?query=count(varve_value)&start=${START_S}&end=${START_S}&step=1`,
    ];
    for (const path of paths) {
      const answer = await server.http.get(encodeURI(`${API}/${path}`), bearer(own.token));
      assert.equal(answer.status, 200, answer.text);
      assert.ok(!answer.text.includes('Secret'), path);
      const everything = await server.http.get(encodeURI(`${API}/${path}`), bearer(admin.token));
      if (!path.includes('count') && !path.includes('Missing')) assert.ok(everything.text.includes('Secret'), path);
    }
    const count = await server.http.get(encodeURI(`${API}/${paths.at(-1)}`), bearer(own.token));
    assert.match(count.text, /\[\d+,"1"\]/);
    const refused = await server.http.get(`${API}/labels`);
    assert.deepEqual([refused.status, refused.json<{ errorType: string }>().errorType], [401, 'unauthorized']);
  });
});
