// `varve serve --opcua-server` read by the client of node-opcua, and compared with what the server answers over HTTP.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import * as opcua from 'node-opcua-client';
import { qualityOfStatusCode } from '../../../../client/foreign-quality.ts';
import { until } from '../../../collect/support/collector-process.ts';
import { projectFolder, ServerProcess } from '../../../support/server-process.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const START_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
const COUNT = 25_000;
const QUALITIES = [192, 216, 64, 68, 80, 88, 0, 8, 16, 24, 28, 32];

/** Keys are dear to make. */
const keys = makeTempFolder({ after });
let varve: ServerProcess;
let endpoint = '';

interface Tvq {
  readonly t: string;
  readonly v: unknown;
  readonly q: number;
}

before(async () => {
  varve = await ServerProcess.start({ flags: ['--opcua-server', writeExample(join(keys, 'own'), {})] });
  endpoint = await endpointOf(varve);
  const points = (values: readonly unknown[], qualityOf = (_: number) => 192) =>
    values.map((v, index) => ({ t: new Date(START_MS + index * 1000).toISOString(), v, q: qualityOf(index) }));
  await write(varve, {
    'Line1/Speed': points(Array.from({ length: COUNT }, (_, index) => Math.sin(index / 50) * 100)),
    'Line1/Motor/State': points(
      QUALITIES.map((_, index) => index),
      (index) => QUALITIES[index] ?? 192,
    ),
    'Line1/Name': points(['one', null, 'three']),
    'Line1/On': points([true, false, true]),
    Plain: [{ t: '2025-01-01T00:00:00.1234567Z', v: 7.5, q: 192 }],
  });
  await untilShown(endpoint);
});
after(() => varve.kill());

/** The example of the page, for a port that is free. */
function writeExample(folder: string, change: object): string {
  const page = readFileSync(join(projectFolder, 'docs/opcua.md'), 'utf8');
  const [, text = ''] = /```json opcua-server\.json\n([\s\S]*?)```/.exec(page) ?? [];
  const path = join(folder, 'opcua-server.json');
  mkdirSync(folder, { recursive: true });
  const config = { ...(JSON.parse(text) as object), port: 0, certificates: join(keys, 'certificates'), ...change };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

async function endpointOf(server: ServerProcess): Promise<string> {
  await server.findLog(/OPC UA: listening/);
  const line = server.logLines.find((each) => each.includes('OPC UA: listening')) ?? '';
  return /opc\.tcp:[^"]+/.exec(line)?.[0] ?? '';
}

async function write(server: ServerProcess, body: Readonly<Record<string, readonly Tvq[]>>): Promise<void> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}/api/datasets/plant/data`, options);
  assert.equal(answer.status, 200, await answer.text());
}

/** Tags come in the order of their names. */
async function untilShown(url: string): Promise<void> {
  const client = opcua.OPCUAClient.create({ endpointMustExist: false });
  await client.connect(url);
  const session = await client.createSession();
  await until('the tags', async () => {
    const { statusCode } = await session.read({ nodeId: idOf('Plain'), attributeId: opcua.AttributeIds.Value });
    return statusCode.isGood() || undefined;
  });
  await session.close();
  await client.disconnect();
}

async function get(query: string): Promise<Tvq[]> {
  const answer = await fetch(`${varve.url}/api/datasets/plant/data?${query}`);
  assert.equal(answer.status, 200);
  const { tl } = (await answer.json()) as { tl: { d: Tvq[] }[] };
  return tl[0]?.d ?? [];
}

async function connect(context: TestContext, url = endpoint, options: opcua.OPCUAClientOptions = {}) {
  const client = opcua.OPCUAClient.create({
    endpointMustExist: false,
    connectionStrategy: { maxRetry: 0 },
    ...options,
  });
  context.after(() => client.disconnect());
  await client.connect(url);
  return client;
}

async function openSession(context: TestContext): Promise<opcua.ClientSession> {
  const client = await connect(context);
  const session = await client.createSession();
  context.after(() => session.close().catch(() => undefined));
  return session;
}

function idOf(tag: string): string {
  return `ns=1;s=plant/${tag}`;
}

/** Reads until nothing more comes; gives the number of pages, too. */
async function readHistory(session: opcua.ClientSession, tag: string, details: opcua.HistoryReadDetails) {
  const values: opcua.DataValue[] = [];
  let continuationPoint: Buffer | undefined;
  let pages = 0;
  let statusCode: opcua.StatusCode;
  do {
    const nodesToRead = [{ nodeId: opcua.resolveNodeId(idOf(tag)), ...(continuationPoint && { continuationPoint }) }];
    const request = new opcua.HistoryReadRequest({
      historyReadDetails: details,
      nodesToRead,
      timestampsToReturn: opcua.TimestampsToReturn.Both,
    });
    const { results } = await session.historyRead(request);
    const result = results?.[0] as opcua.HistoryReadResult;
    statusCode = result.statusCode;
    values.push(...((result.historyData as opcua.HistoryData | null)?.dataValues ?? []));
    continuationPoint = result.continuationPoint?.length ? result.continuationPoint : undefined;
    pages++;
  } while (continuationPoint !== undefined && pages < 100);
  return { values, pages, statusCode };
}

function asTvq({ sourceTimestamp, sourcePicoseconds, value, statusCode }: opcua.DataValue): Tvq {
  const iso = sourceTimestamp?.toISOString() ?? '';
  const ticks = Math.floor((sourcePicoseconds ?? 0) / 100_000);
  const t = ticks === 0 ? iso : `${iso.slice(0, -1)}${String(ticks).padStart(4, '0')}Z`;
  return { t, v: value?.value ?? null, q: qualityOfStatusCode(statusCode.value) };
}

/** Times of answers over HTTP have as many digits as they need. */
function ofHttp({ t, v, q }: Tvq): Tvq {
  const [, upToMs = '', ticks = ''] =
    /^(.*?\.\d{3})(\d{4})?Z$/.exec(t.includes('.') ? t : t.replace('Z', '.000Z')) ?? [];
  return { t: `${upToMs}${ticks === '0000' ? '' : ticks}Z`, v, q };
}

function raw(
  startMs: number | undefined,
  endMs: number | undefined,
  options: object = {},
): opcua.ReadRawModifiedDetails {
  return new opcua.ReadRawModifiedDetails({
    ...(startMs !== undefined && { startTime: new Date(startMs) }),
    ...(endMs !== undefined && { endTime: new Date(endMs) }),
    ...options,
  });
}

test('raw history is what GET gives, page after page, in either direction', async (context) => {
  const session = await openSession(context);
  const endMs = START_MS + COUNT * 1000;
  const wanted = (await get(`tagname=Line1/Speed&start=${iso(START_MS)}&end=${iso(endMs)}`)).map(ofHttp);
  assert.equal(wanted.length, COUNT);
  const all = await readHistory(session, 'Line1/Speed', raw(START_MS, endMs));
  assert.deepEqual(all.values.map(asTvq), wanted);
  assert.equal(all.pages, 3);
  const smaller = await readHistory(session, 'Line1/Speed', raw(START_MS, endMs, { numValuesPerNode: 4000 }));
  assert.deepEqual(smaller.values.map(asTvq), wanted);
  const backwards = await readHistory(session, 'Line1/Speed', raw(endMs, START_MS - 1, { numValuesPerNode: 9000 }));
  assert.deepEqual(backwards.values.map(asTvq), wanted.toReversed());
  for (const tag of ['Line1/Name', 'Line1/On', 'Line1/Motor/State', 'Plain']) {
    const few = await readHistory(session, tag, raw(START_MS, endMs));
    assert.deepEqual(
      few.values.map(asTvq),
      (await get(`tagname=${tag}&start=${iso(START_MS)}&end=${iso(endMs)}`)).map(ofHttp),
    );
  }
});

test('the end of a range is not in it, bounds are given when asked for, and a number without an end or a start is enough', async (context) => {
  const session = await openSession(context);
  const valuesOf = async (details: opcua.ReadRawModifiedDetails) =>
    (await readHistory(session, 'Line1/Speed', details)).values.map(({ sourceTimestamp, statusCode }) =>
      statusCode.isGood() ? (Number(sourceTimestamp) - START_MS) / 1000 : statusCode.name,
    );
  assert.deepEqual(await valuesOf(raw(START_MS + 1000, START_MS + 4000)), [1, 2, 3]);
  assert.deepEqual(await valuesOf(raw(START_MS + 2000, START_MS + 2000)), [2]);
  assert.deepEqual(await valuesOf(raw(START_MS + 1500, START_MS + 3500, { returnBounds: true })), [1, 2, 3, 4]);
  assert.deepEqual(await valuesOf(raw(START_MS - 500, START_MS + 500, { returnBounds: true })), [
    'BadBoundNotFound',
    0,
    1,
  ]);
  assert.deepEqual(await valuesOf(raw(START_MS + 5000, undefined, { numValuesPerNode: 2 })), [5, 6]);
  assert.deepEqual(await valuesOf(raw(undefined, START_MS + 5000, { numValuesPerNode: 2 })), [5, 4]);
  assert.deepEqual(await valuesOf(raw(START_MS + 5000, START_MS + 2000)), [5, 4, 3]);
  const nothing = await readHistory(session, 'Line1/Speed', raw(START_MS - 5000, START_MS - 1000));
  assert.equal(nothing.statusCode, opcua.StatusCodes.GoodNoData);
});

test('aggregates are those of GET', async (context) => {
  const session = await openSession(context);
  const names = [
    'Average',
    'TimeAverage',
    'Minimum',
    'MaximumActualTime',
    'Count',
    'Interpolative',
    'StandardDeviationSample',
  ] as const;
  for (const tag of ['Line1/Speed', 'Line1/Motor/State'])
    for (const name of [...names, 'DurationGood', 'WorstQuality'] as const) {
      const endMs = START_MS + 10 * MINUTE_MS;
      const details = new opcua.ReadProcessedDetails({
        startTime: new Date(START_MS),
        endTime: new Date(endMs),
        processingInterval: 7000,
        aggregateType: [opcua.resolveNodeId(opcua.AggregateFunction[name])],
        aggregateConfiguration: { useServerCapabilitiesDefaults: true },
      });
      const { values, statusCode } = await readHistory(session, tag, details);
      assert.equal(statusCode, opcua.StatusCodes.Good);
      const wanted = await get(`tagname=${tag}&start=${iso(START_MS)}&end=${iso(endMs)}&aggregate=${name}&interval=7s`);
      assert.deepEqual(values.map(asTvq), wanted.map(ofHttp).map(underTable), `${name} of ${tag}`);
      assert.equal(values.length, 86);
    }
});

/** Qualities that have no status code of their own become those of their severity. */
function underTable({ t, v, q }: Tvq): Tvq {
  const known = QUALITIES.includes(q) || [4, 12, 84].includes(q);
  if (known) return { t, v, q };
  if (q >= 192) return { t, v, q: 192 };
  return { t, v, q: q >= 64 ? 64 : 0 };
}

test('other rules than the usual ones count, many intervals come in pages, and what is not known is refused', async (context) => {
  const session = await openSession(context);
  const ask = (change: object) =>
    readHistory(
      session,
      'Line1/Motor/State',
      new opcua.ReadProcessedDetails({
        startTime: new Date(START_MS),
        endTime: new Date(START_MS + 20_500),
        processingInterval: 5000,
        aggregateType: [opcua.resolveNodeId(opcua.AggregateFunction.Average)],
        aggregateConfiguration: {
          useServerCapabilitiesDefaults: false,
          treatUncertainAsBad: false,
          percentDataGood: 50,
          percentDataBad: 50,
        },
        ...change,
      }),
    );
  const query = `tagname=Line1/Motor/State&start=${iso(START_MS)}&end=${iso(START_MS + 20_500)}&aggregate=Average`;
  const wanted = await get(`${query}&interval=5s&treatUncertainAsBad=false&percentGood=50&percentBad=50`);
  assert.deepEqual((await ask({})).values.map(asTvq), wanted.map(ofHttp).map(underTable));
  const many = await ask({ processingInterval: 1 });
  assert.equal(many.values.length, 20_500);
  assert.equal(many.pages, 3);
  const unknown = [opcua.resolveNodeId(opcua.AggregateFunction.AnnotationCount)];
  assert.equal((await ask({ aggregateType: unknown })).statusCode, opcua.StatusCodes.BadAggregateNotSupported);
});

test('values at times are points, or what lies between them as GET interpolates', async (context) => {
  const session = await openSession(context);
  const times = [0, 1000, 1500, 61_234].map((ms) => START_MS + ms);
  const details = new opcua.ReadAtTimeDetails({ reqTimes: times.map((ms) => new Date(ms)), useSimpleBounds: true });
  const { values } = await readHistory(session, 'Line1/Speed', details);
  const wanted: Tvq[] = [];
  for (const ms of times) {
    const query = `tagname=Line1/Speed&start=${iso(ms)}&end=${iso(ms + 1)}&aggregate=Interpolative`;
    wanted.push(...(await get(query)));
  }
  assert.deepEqual(values.map(asTvq), wanted.map(ofHttp).map(underTable));
  assert.equal(values[0]?.value.value, 0);
});

test('datasets are folders, slashes make folders, current values are the newest, and tags come and go', async (context) => {
  const session = await openSession(context);
  const namesIn = async (nodeId: string) => {
    const { references } = await session.browse({
      nodeId,
      referenceTypeId: 'Organizes',
      browseDirection: 0,
      resultMask: 63,
    });
    return (references ?? []).map(({ browseName }) => browseName.name).sort();
  };
  await until('the tags', async () => ((await namesIn('ns=1;s=plant:Line1')).length === 4 ? true : undefined));
  assert.deepEqual(await namesIn('ns=1;s=plant'), ['Line1', 'Plain']);
  assert.deepEqual(await namesIn('ns=1;s=plant:Line1'), ['Motor', 'Name', 'On', 'Speed']);
  assert.deepEqual(await namesIn('ns=1;s=plant:Line1/Motor'), ['State']);
  for (const tag of ['Plain', 'Line1/Speed', 'Line1/On', 'Line1/Motor/State']) {
    const value = await session.read({ nodeId: idOf(tag), attributeId: opcua.AttributeIds.Value });
    assert.deepEqual([asTvq(value)], (await get(`tagname=${tag}`)).map(ofHttp));
  }
  const dataType = await session.read({ nodeId: idOf('Line1/On'), attributeId: opcua.AttributeIds.DataType });
  assert.equal(String(dataType.value.value), 'ns=0;i=1');
  await write(varve, { 'Line9/New': [{ t: iso(START_MS), v: 1, q: 192 }] });
  await until('the new tag', async () => ((await namesIn('ns=1;s=plant')).includes('Line9') ? true : undefined));
  const options = { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '["Line9/New"]' };
  await fetch(`${varve.url}/api/datasets/plant/tags`, options);
  await until('the tag to go', async () => ((await namesIn('ns=1;s=plant')).includes('Line9') ? undefined : true));
});

test('nothing is written and nothing is called', async (context) => {
  const session = await openSession(context);
  const written = await session.write({
    nodeId: idOf('Plain'),
    attributeId: opcua.AttributeIds.Value,
    value: { value: { dataType: opcua.DataType.Double, value: 1 } },
  });
  assert.ok(!written.isGood(), written.name);
  const called = await session.call({
    objectId: 'ns=0;i=2253',
    methodId: 'ns=0;i=11492',
    inputArguments: [{ dataType: opcua.DataType.UInt32, value: 1 }],
  });
  assert.ok(!called.statusCode.isGood(), called.statusCode.name);
  assert.deepEqual(
    (await get('tagname=Plain')).map(({ v }) => v),
    [7.5],
  );
});

test('users are tokens of the server, see what these let them read, and nobody else is let in', async (context) => {
  const dataFolder = makeTempFolder(context);
  const run = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['bin/varve.mjs', 'token', ...words, '--data', dataFolder],
      { cwd: projectFolder },
    );
    return /varve_[0-9a-f]{8}_[\w-]{43}/.exec(stdout)?.[0] ?? '';
  };
  const all = await run('create', '--role', 'write', '--dataset', '*');
  const other = await run('create', '--role', 'read', '--dataset', 'other*');
  const path = writeExample(join(keys, 'users'), { anonymous: false, securityPolicies: ['Basic256Sha256'] });
  const server = await ServerProcess.start({ dataFolder, flags: ['--opcua-server', path] });
  context.after(() => server.kill().catch(() => undefined));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${all}` };
  await fetch(`${server.url}/api/datasets/plant/data`, {
    method: 'POST',
    headers,
    body: '{"A":[{"t":"2025-01-01T00:00:00Z","v":1,"q":192}]}',
  });
  const url = await endpointOf(server);
  const secured = {
    securityMode: opcua.MessageSecurityMode.SignAndEncrypt,
    securityPolicy: opcua.SecurityPolicy.Basic256Sha256,
  };
  await assert.rejects(
    connect(context, url).then((client) => client.createSession()),
    'without security',
  );
  // The client's certificate is to be trusted first.
  await assert.rejects(
    connect(context, url, secured).then((client) => client.createSession()),
    'without trust',
  );
  const open = async (password?: string) => {
    const client = await connect(context, url, secured);
    if (password === undefined) return client.createSession();
    return client.createSession({ type: opcua.UserTokenType.UserName, userName: 'plant', password });
  };
  // The folder is looked at now and then.
  const reader = await until('a session', () => {
    trustWhatIsRejected();
    return open(all).catch(() => undefined);
  });
  await assert.rejects(open(), /ANONYMOUS/);
  await assert.rejects(open('varve_00000000_no'), /BadUserAccessDenied/);
  const read = (session: opcua.ClientSession) =>
    session.read({ nodeId: idOf('A'), attributeId: opcua.AttributeIds.Value });
  await until('the value', async () => ((await read(reader)).statusCode.isGood() ? true : undefined));
  const stranger = await open(other);
  assert.equal((await read(stranger)).statusCode.isGood(), false);
  const { references } = await stranger.browse({
    nodeId: 'ns=0;i=85',
    referenceTypeId: 'Organizes',
    browseDirection: 0,
    resultMask: 63,
  });
  assert.ok(!(references ?? []).some(({ browseName }) => browseName.name === 'plant'), 'its name is not shown');
  const refused = await readHistory(stranger, 'A', raw(START_MS, START_MS + 1000));
  assert.ok(!refused.statusCode.isGood(), refused.statusCode.name);
  await run('revoke', /varve_([0-9a-f]{8})/.exec(all)?.[1] ?? '');
  await until('the end of the token', async () => ((await read(reader)).statusCode.isGood() ? undefined : true));
  assert.doesNotMatch(server.logLines.join('\n'), /varve_[0-9a-f]{8}_[\w-]{20}/);
  await server.stop();
});

/** What a user does who finds a client's certificate in order. */
function trustWhatIsRejected(): void {
  const folder = join(keys, 'certificates');
  for (const name of readdirSync(join(folder, 'rejected')))
    renameSync(join(folder, 'rejected', name), join(folder, 'trusted/certs', name));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
