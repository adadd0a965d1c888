// docs/grafana.md: its commands give what stands below them; and the dashboards of its sources get what they ask for, sent as
// these sources send it.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { OVER_FUNCTIONS } from '../../server/doors/prometheus/promql/promql.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const SERVER_ON_PAGE = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 60_000;
const HOUR_MS = 3_600_000;

const page = readFileSync(join(projectFolder, 'docs/grafana.md'), 'utf8');
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

interface Target {
  readonly refId: string;
  readonly expr?: string;
  readonly instant?: boolean;
  readonly target?: string;
  readonly payload?: { readonly tags: readonly string[]; readonly show: string };
  readonly datasource: { readonly type: string; readonly uid: string };
}

interface Dashboard {
  readonly annotations?: { readonly list: readonly { readonly target: Target }[] };
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: { readonly query: string } }[];
  };
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[];
}

function readDashboard(name: string): Dashboard {
  return JSON.parse(readFileSync(join(projectFolder, 'examples/grafana', name), 'utf8')) as Dashboard;
}

describe('docs/grafana.md', () => {
  it('has commands that give the answers that stand below them', { skip }, async () => {
    const commands = [...page.matchAll(/```sh\n(.*?)```(?:\n+```json\n(.*?)```)?/gs)];
    assert.ok(commands.length >= 5, `${commands.length} commands`);
    const server = await ServerProcess.start();
    try {
      for (const [, command, answer] of commands) {
        const script = (command as string).replaceAll(SERVER_ON_PAGE, server.url);
        const { stdout } = await promisify(execFile)('sh', ['-c', `NO_PROXY=127.0.0.1; export NO_PROXY; ${script}`], {
          timeout: COMMAND_LIMIT_MS,
        });
        if (answer === undefined) assert.equal(stdout, '', command);
        else assert.deepEqual(JSON.parse(stdout), JSON.parse(answer), command);
      }
    } finally {
      await server.stop();
    }
  });

  it('names every function of queries', () => {
    for (const name of OVER_FUNCTIONS) assert.ok(page.includes(`\`${name}`), name);
  });
});

const TAGS = ['PA01.Temperature.In', 'PA01.State'] as const;

describe('the dashboards of the doors', () => {
  let server: ServerProcess;
  const toMs = Math.floor(Date.now() / 1000) * 1000 - 60_000;
  const fromMs = toMs - HOUR_MS;

  before(async () => {
    server = await ServerProcess.start();
    const times = Array.from({ length: 3600 }, (_, i) => fromMs - 10_000 + i * 1000);
    const body = {
      'PA01.Temperature.In': { t: times, v: times.map((_, i) => (i === 1234 ? 99 : 20 + (i % 10) / 10)) },
      'PA01.State': { t: [fromMs, fromMs + 60_000], v: [1, 2] },
    };
    await post('/api/datasets/Demo/tags', [{ n: 'PA01.State', u: { 1: 'Idle', 2: 'Running' } }]);
    await post('/api/datasets/Demo/data', body);
    await post('/api/datasets/Demo/status', [{ t: new Date(fromMs + 5000).toISOString(), q: 192 }]);
  });
  after(() => server.stop());

  async function post(path: string, body: unknown, type = 'application/json'): Promise<string> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(server.url + path, { method: 'POST', headers: { 'content-type': type }, body: text });
    assert.equal(answer.status, 200, `${path} ${text.slice(0, 300)}: ${await answer.clone().text()}`);
    return answer.text();
  }

  /** The values of a variable as Grafana puts them into a pattern of a query. */
  function inQuery(text: string, tags: readonly string[]): string {
    const escaped = tags.map((tag) => tag.replace(/[$^*{}[\]'+?.()|]/g, '\\\\$&'));
    return text
      .replaceAll('$dataset', 'Demo')
      .replaceAll('$tag', escaped.length === 1 ? (escaped[0] as string) : `(${escaped.join('|')})`)
      .replaceAll('$__interval', '15s');
  }

  it('get variables and series from the door prometheus', async () => {
    const dashboard = readDashboard('dashboard-prometheus.json');
    const found = new Map<string, string[]>();
    for (const { name, query } of dashboard.templating.list) {
      const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(query.query) ?? [];
      const search = new URLSearchParams({
        start: `${fromMs / 1000}`,
        end: `${toMs / 1000}`,
        'match[]': inQuery(selector, []),
      });
      const answer = await fetch(`${server.url}/prometheus/api/v1/label/${label}/values?${search}`);
      found.set(name, ((await answer.json()) as { data: string[] }).data);
    }
    assert.deepEqual(
      [...found],
      [
        ['dataset', ['Demo']],
        ['tag', [...TAGS].sort()],
      ],
    );

    let count = 0;
    for (const { title, targets } of dashboard.panels) {
      for (const { expr = '', instant = false } of targets) {
        const query = inQuery(expr, TAGS);
        const fields = instant
          ? { query, time: `${toMs / 1000}` }
          : { query, start: `${fromMs / 1000}`, end: `${toMs / 1000}`, step: '15' };
        const path = `/prometheus/api/v1/${instant ? 'query' : 'query_range'}`;
        const text = await post(path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
        const { data } = JSON.parse(text) as { data: { result: { metric: { tag: string }; values?: unknown[] }[] } };
        assert.deepEqual(data.result.map(({ metric }) => metric.tag).sort(), [...TAGS].sort(), title);
        if (!instant)
          for (const { values = [] } of data.result) assert.ok(values.length >= 240, `${title}: ${values.length}`);
        if (expr.startsWith('max_over_time')) assert.ok(text.includes('"99"'), 'the peak is lost');
        count++;
      }
    }
    assert.equal(count, 6);
  });

  it('get variables, series, tables and annotations from the door grafana', async () => {
    const dashboard = readDashboard('dashboard-json.json');
    const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    for (const { query } of dashboard.templating.list) {
      const names = JSON.parse(await post('/grafana/variable', { payload: { target: query.query }, range }));
      assert.deepEqual(
        names,
        [...TAGS].sort().map((name) => ({ __text: name, __value: name })),
      );
    }
    const asked = [
      ...dashboard.panels.flatMap(({ targets }) => targets),
      ...(dashboard.annotations?.list ?? []).map(({ target }) => target),
    ];
    assert.equal(asked.length, 5);
    const answers = [];
    for (const { payload, ...target } of asked) {
      const tags = payload?.tags.map((text) => text.replaceAll('$tag', `(${TAGS.map(escaped).join('|')})`));
      const body = {
        range,
        intervalMs: 15_000,
        maxDataPoints: 500,
        targets: [{ ...target, payload: { ...payload, tags } }],
      };
      answers.push(JSON.parse(await post('/grafana/query', body)));
    }
    const [points, means, table, states, statuses] = answers;
    assert.deepEqual(
      points.map(({ target }: { target: string }) => target),
      TAGS,
    );
    const peaks = points[0].datapoints.filter(([value]: [number]) => value === 99);
    assert.deepEqual(peaks, [[99, fromMs - 10_000 + 1_234_000]]);
    assert.ok(points[0].datapoints.length <= 2001);
    assert.match(points[0].meta.notices[0].text, /^Reduced: \d+ of 3590 points are shown/);
    assert.equal(means[0].target, 'PA01.Temperature.In TimeAverage');
    assert.equal(means[0].datapoints.length, Math.ceil(toMs / 15_000) - Math.floor(fromMs / 15_000));
    assert.deepEqual(table[0].rows, [
      [fromMs, 'PA01.State', 1, 192],
      [fromMs + 60_000, 'PA01.State', 2, 192],
    ]);
    assert.deepEqual(states[0].rows, [
      [fromMs, fromMs + 60_000, 'Idle', 'Demo/PA01.State', 'state,Demo'],
      [fromMs + 60_000, toMs, 'Running', 'Demo/PA01.State', 'state,Demo'],
    ]);
    assert.deepEqual(statuses[0].rows, [[fromMs + 5000, toMs, 'Good (192)', 'Demo', 'status,Demo']]);
  });

  it('have the sources that datasource.yaml makes', () => {
    const sources = readFileSync(join(projectFolder, 'examples/grafana/datasource.yaml'), 'utf8');
    for (const name of ['dashboard-prometheus.json', 'dashboard-json.json']) {
      const text = readFileSync(join(projectFolder, 'examples/grafana', name), 'utf8');
      const used = new Set(
        [...text.matchAll(/"type": "([\w-]+)",\s*"uid": "([\w-]+)"/g)].map(([, type, uid]) => `${type} ${uid}`),
      );
      assert.equal(used.size, 1, name);
      const [type, uid] = [...used][0]?.split(' ') ?? [];
      assert.match(sources, new RegExp(`uid: ${uid}\\n {4}type: ${type}\\n`), name);
    }
  });
});

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
