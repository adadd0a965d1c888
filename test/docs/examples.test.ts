// The examples work: scripts are run as they stand against a real server, and the requests of the Grafana dashboard and of
// the Node-RED flow are sent as these products send them.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type InfinityQuery, runInfinityQuery } from '../support/infinity-query.ts';
import { type FlowNode, runFlow } from '../support/node-red-flow.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';

const SERVER_IN_EXAMPLES = 'http://127.0.0.1:4511';
const COMMAND_LIMIT_MS = 120_000;
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(\\d{4})?Z';

const folder = join(projectFolder, 'examples');
const skipCurl = isInstalled('curl') ? false : 'curl is not installed';
const skipPython = isInstalled('python3') ? false : 'Python is not installed';

let server: ServerProcess;
before(async () => {
  server = await ServerProcess.start();
});
after(() => server.stop());

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

function readExample(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** No proxy stands between an example and the server. */
function exampleEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/_proxy$/i.test(name) && !name.startsWith('VARVE_') && name !== 'NODE_TEST_CONTEXT',
  );
  return { ...Object.fromEntries(entries), VARVE_URL: server.url };
}

/** Runs an example and gives what it prints. Throws when it fails. */
async function runExample(command: string, path: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: exampleEnvironment(), timeout: COMMAND_LIMIT_MS };
  return (await promisify(execFile)(command, [path, ...args], options)).stdout;
}

/** Runs an example until it ends or `isEnough` of its lines; `afterFirst` is called once it has printed a line. */
async function followExample(
  [command, ...args]: readonly [string, ...string[]],
  afterFirst: () => Promise<unknown>,
  isEnough: (lines: readonly string[]) => boolean = () => false,
): Promise<{ lines: string[]; code: number | null }> {
  const child = spawn(command, args, { cwd: folder, env: exampleEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_LIMIT_MS);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === 1) await afterFirst();
    if (isEnough(lines)) child.kill();
  }
  const [code] = await ended;
  clearTimeout(timer);
  return { lines, code };
}

async function post(dataset: string, points: object): Promise<void> {
  const answer = await fetch(`${server.url}/api/datasets/${dataset}/data`, {
    method: 'POST',
    body: JSON.stringify(points),
  });
  assert.equal(answer.status, 200, await answer.text());
}

test('the curl scripts write, read, and reduce for a chart', { skip: skipCurl }, async () => {
  const receipt = JSON.parse(await runExample('sh', 'curl/write.sh'));
  assert.equal(receipt.written, 2);
  const columns = JSON.parse(await runExample('sh', 'curl/columns.sh'));
  assert.deepEqual(columns.tags['Boiler/Pressure'], { written: 3, ignored: 0, repeated: 0, rejected: 0, expired: 0 });

  for (const script of ['curl/read.sh', 'curl/latest.sh']) {
    const { tl } = JSON.parse(await runExample('sh', script));
    assert.deepEqual(
      tl.map(({ t, d }: { t: { n: string }; d: { v: unknown; q: number }[] }) => [t.n, d.map(({ v, q }) => [v, q])]),
      [
        ['Boiler/Temperature', [[71.5, 192]]],
        ['Boiler/Running', [[true, 192]]],
      ],
      script,
    );
  }
  const { tl } = JSON.parse(await runExample('sh', 'curl/plot.sh'));
  assert.equal(tl[0].reducedFrom, 1);
  assert.deepEqual(tl[0].d.v, [71.5]);
});

test('the curl script of live data prints the newest point and then a new one', { skip: skipCurl }, async () => {
  await runExample('sh', 'curl/write.sh');
  const { lines } = await followExample(
    ['sh', 'curl/live.sh'],
    () => runExample('sh', 'curl/write.sh'),
    (printed) => printed.filter((line) => line.startsWith('data: ')).length === 2,
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith('event: ')),
    ['event: current', 'event: points'],
  );
});

test('a curl script passes on what follows it', { skip: skipCurl }, async () => {
  assert.match(await runExample('sh', 'curl/write.sh', '-i'), /^HTTP\/1\.1 200 OK\r\n/);
});

const PROGRAMS = [
  { command: 'python3', skip: skipPython, path: 'python', ending: 'py', tag: 'Pump/Flow', count: 10 },
  { command: process.execPath, skip: false, path: 'javascript', ending: 'mjs', tag: 'Fan/Vibration', count: 60 },
] as const;

for (const { command, skip, path, ending, tag, count } of PROGRAMS) {
  test(`the programs in ${path}/ write, read and follow`, { skip }, async () => {
    const written = await runExample(command, `${path}/write.${ending}`);
    assert.match(written, new RegExp(`^written: ${count},? ignored: 0\\n$`));

    const lines = (await runExample(command, `${path}/read.${ending}`)).trimEnd().split('\n');
    assert.equal(lines.length, count);
    for (const line of lines) assert.match(line, new RegExp(`^${tag} ${TIME} -?[\\d.]+ 192$`));

    const live = await followExample([command, `${path}/live.${ending}`, '2'], () =>
      post('Examples', { [tag]: [{ v: 12.25 }] }),
    );
    assert.equal(live.code, 0);
    assert.equal(live.lines.length, 2);
    assert.match(live.lines[0] ?? '', new RegExp(`^current ${tag} ${TIME} -?[\\d.]+ 192$`));
    assert.match(live.lines[1] ?? '', new RegExp(`^points ${tag} ${TIME} 12\\.25 192$`));
  });

  test(`the programs in ${path}/ say why a request is refused`, { skip }, async () => {
    const text = readExample(`${path}/read.${ending}`).replace(tag, 'Missing');
    const flags = path === 'python' ? ['-c', text] : ['--input-type=module', '--eval', text];
    const failed = await promisify(execFile)(command, flags, { env: exampleEnvironment() }).catch((error) => error);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /Tag 'Missing' could not be found\./);
  });
}

test('the addresses that the C# program reads are answered', async () => {
  await post('Examples', { 'Mixer/Speed': [{ t: new Date().toISOString(), v: 42.5, q: 192 }] });
  const program = readExample('csharp/Program.cs');
  const addresses = [...program.matchAll(/"(\/api\/[^"]+\?[^"]+)"/g)].map(([, address = '']) => address);
  assert.equal(addresses.length, 2);
  for (const address of addresses) {
    const answer = await fetch(server.url + address);
    assert.equal(answer.status, 200, address);
    await answer.body?.cancel();
  }
});

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly query: { readonly infinityQuery: InfinityQuery } }[] };
  readonly panels: readonly { readonly targets: readonly InfinityQuery[] }[];
}

test('the Grafana dashboard gets its tags, a chart without a lost spike, and the values now', async () => {
  const dashboard = JSON.parse(readExample('grafana/dashboard.json')) as Dashboard;
  const [variable] = dashboard.templating.list;
  const [chart, table] = dashboard.panels.map((panel) => panel.targets[0]);
  assert.ok(variable !== undefined && chart !== undefined && table !== undefined);

  const toMs = Date.now();
  const fromMs = toMs - 6 * 3_600_000;
  const times = Array.from({ length: 20_000 }, (_, index) => fromMs - 500 + index * 1000);
  const values = times.map((_, index) => (index === 12_345 ? 99 : 20 + (index % 10) / 10));
  await post('Demo', {
    'PA01.Temperature.In': { t: times, v: values },
    'PA01.Flow': [{ t: new Date(toMs - 1000).toISOString(), v: 165.5, q: 64 }],
    'PA01.State': [
      { t: new Date(toMs - 1000).toISOString(), v: 2 },
      { t: new Date(toMs + 3_600_000).toISOString(), v: 3 },
    ],
  });

  const tags = (await runInfinityQuery(server.url, variable.query.infinityQuery)).map(({ n }) => n);
  assert.deepEqual(tags, ['PA01.Flow', 'PA01.State', 'PA01.Temperature.In']);

  const range = { __from: String(fromMs), __to: String(toMs), tag: 'PA01.Temperature.In' };
  const rows = await runInfinityQuery(server.url, chart, range);
  assert.deepEqual(rows[0], { Time: times[0], Value: values[0] }, 'the value in force at the left edge');
  assert.deepEqual(
    rows.filter(({ Value }) => Value === 99),
    [{ Time: times[12_345], Value: 99 }],
  );
  assert.deepEqual(rows.at(-1), { Time: times.at(-1), Value: values.at(-1) });
  assert.ok(rows.length > 500 && rows.length <= 2001, `${rows.length} rows`);
  assert.ok(rows.every((row, index) => index === 0 || Number(row.Time) > Number(rows[index - 1]?.Time)));

  assert.deepEqual(await runInfinityQuery(server.url, table), [
    { Tag: 'PA01.Temperature.In', Value: values.at(-1), Quality: 192, Time: times.at(-1) },
    { Tag: 'PA01.Flow', Value: 165.5, Quality: 64, Time: toMs - 1000 },
    { Tag: 'PA01.State', Value: 2, Quality: 192, Time: toMs - 1000 },
  ]);
});

test('the Grafana files belong together, and name tags that the demo plant has', () => {
  const dashboard = readExample('grafana/dashboard.json');
  const source = readExample('grafana/datasource.yaml');
  assert.match(source, new RegExp(`^ {4}url: ${SERVER_IN_EXAMPLES}$`, 'm'));
  const [, uid = ''] = /^ {4}uid: (\w+)$/m.exec(source) ?? [];
  const [, type = ''] = /^ {4}type: ([\w-]+)$/m.exec(source) ?? [];
  const sources = [...dashboard.matchAll(/"datasource": (\{[^}]*\})/g)].map(([, text = '']) => JSON.parse(text));
  assert.ok(sources.length >= 5, `${sources.length} references`);
  for (const reference of sources) assert.deepEqual(reference, { type, uid });

  const plant = readFileSync(join(projectFolder, 'demo/plant.json'), 'utf8');
  const names = new Set([...dashboard.matchAll(/"PA01(\.[\w.]+)"/g)].map(([, rest = '']) => rest));
  assert.equal(names.size, 3);
  for (const name of names) assert.ok(plant.includes(`"PA[No, 00]${name}"`), name);
});

test('the Node-RED flow writes a point, and reads a mean', async () => {
  const flow = JSON.parse(readExample('node-red/flow.json')) as FlowNode[];
  const redirect = (url: string): string => {
    assert.ok(url.startsWith(SERVER_IN_EXAMPLES), url);
    return url.replace(SERVER_IN_EXAMPLES, server.url);
  };
  const written = await runFlow(flow, 'varve-write-every', redirect);
  assert.equal((written.get('receipt') as { written: number }).written, 1);

  await post('Examples', { 'Room/Temperature': [{ v: null, q: 24 }] });
  const latest = await fetch(`${server.url}/api/datasets/Examples/data?tagname=Room/Temperature&relativeStart=-1m`);
  const stored = ((await latest.json()) as { tl: { d: { v: number | null }[] }[] }).tl[0]?.d[0]?.v;
  const read = await runFlow(flow, 'varve-read-every', redirect);
  assert.equal(read.get('mean'), stored);
  assert.ok(typeof stored === 'number' && stored >= 15 && stored <= 25, `${stored}`);
});

test('each link of the pages in examples/ to a file leads to one, and each example is in the index', () => {
  for (const page of ['README.md', 'grafana/README.md', 'node-red/README.md']) {
    const links = [...readExample(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    assert.ok(links.length > 0);
    for (const path of links) assert.ok(existsSync(join(folder, page, '..', path)), `${page}: ${path}`);
  }
  const index = readExample('README.md');
  const names = readdirSync(folder).filter((name) => name !== 'README.md');
  const scripts = readdirSync(join(folder, 'curl')).map((name) => `curl/${name}`);
  assert.ok(names.length >= 6 && scripts.length >= 6);
  for (const name of [...names, ...scripts]) assert.ok(index.includes(`](${name}`), name);
});
