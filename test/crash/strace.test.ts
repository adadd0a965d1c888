// The system calls of the real server: at level `group` the journal is on stable storage before an answer goes out, and
// requests that come together share a sync.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Durability } from '../../engine/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const CALLS = 'openat,fdatasync,fsync,pwrite64,pwritev,write,writev,read,recvfrom,recvmsg,sendto,sendmsg';
const CONNECTIONS = 16;
const REQUESTS_PER_CONNECTION = 25;
const ATTACH_LIMIT_MS = 60_000;

/** The reason to leave these tests out, or false. */
function whyNot(): string | false {
  if (process.platform !== 'linux') return 'strace is Linux only';
  const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
  return works ? false : 'strace is not installed, or may not trace here';
}

interface Traced {
  readonly client: HttpClient;
  /** Ends the trace and gives its lines. */
  finish(): Promise<string[]>;
}

async function startTraced(context: TestContext, durability: Durability): Promise<Traced> {
  const path = join(makeTempFolder(context), 'trace');
  const server = await ServerProcess.start({ flags: ['--durability', durability] });
  context.after(() => server.kill());
  const args = ['-f', '-y', '-s', '64', '-e', `trace=${CALLS}`, '-o', path, '-p', String(server.pid)];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  context.after(() => tracer.kill('SIGKILL'));
  await waitForAttachment(tracer);
  const client = new HttpClient(server.url);
  return {
    client,
    async finish() {
      client.close();
      const exited = once(tracer, 'exit');
      tracer.kill('SIGINT');
      await exited;
      return readFileSync(path, 'utf8').split('\n');
    },
  };
}

async function waitForAttachment(tracer: ChildProcess): Promise<void> {
  const { stderr } = tracer;
  assert.ok(stderr);
  const [chunk] = (await once(stderr, 'data', { signal: AbortSignal.timeout(ATTACH_LIMIT_MS) })) as [Buffer];
  assert.match(chunk.toString(), /attached/);
}

interface Call {
  readonly name: string;
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Puts the calls together that strace shows in two parts because another thread came between. */
function parseCalls(lines: readonly string[]): Call[] {
  const calls: Call[] = [];
  const open = new Map<string, { text: string; startLine: number }>();
  lines.forEach((line, i) => {
    const [, thread, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (thread === undefined || rest === undefined) return;
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const begun = resumed && open.get(thread);
    if (rest.endsWith('<unfinished ...>')) {
      open.set(thread, { text: rest.replace(/\s*<unfinished \.\.\.>$/, ''), startLine: i });
    } else if (begun) {
      open.delete(thread);
      calls.push({ name: nameOf(begun.text), text: begun.text + resumed[1], startLine: begun.startLine, endLine: i });
    } else if (!resumed) calls.push({ name: nameOf(rest), text: rest, startLine: i, endLine: i });
  });
  return calls;
}

function nameOf(text: string): string {
  return text.slice(0, text.indexOf('('));
}

/** Calls that put bytes of a journal on stable storage: a sync, or a write to a file that was opened O_DSYNC. */
function journalSyncs(calls: readonly Call[]): Call[] {
  const writeThrough = new Set<string>();
  return calls.filter((call) => {
    const path = /<([^<>]*\/journal\/[^<>]*)>/.exec(call.text)?.[1];
    if (path === undefined || / = -1 /.test(call.text)) return false;
    if (call.name === 'openat' && call.text.includes('O_DSYNC')) writeThrough.add(path);
    if (call.name === 'fdatasync' || call.name === 'fsync') return true;
    return /^p?writev?(64)?$/.test(call.name) && writeThrough.has(path);
  });
}

function isRequest(call: Call): boolean {
  return /^(read|recv)/.test(call.name) && call.text.includes('"POST /api/datasets/plant/data');
}

function isAnswer(call: Call): boolean {
  return /^(write|send)/.test(call.name) && call.text.includes('HTTP/1.1 200');
}

function body(serial: number): unknown {
  return { [`Tag ${serial % 7}`]: [{ t: new Date(Date.UTC(2026, 0, 1) + serial * 1000).toISOString(), v: serial }] };
}

async function write(client: HttpClient, serial: number): Promise<void> {
  const answer = await client.post('/api/datasets/plant/data', body(serial));
  assert.equal(answer.status, 200, answer.text);
}

const skip = whyNot();

test('D1: at level group a sync of the journal ends between a request and its answer', {
  skip,
}, async (context) => {
  const { client, finish } = await startTraced(context, 'group');
  for (let serial = 0; serial < 5; serial++) await write(client, serial);
  const calls = parseCalls(await finish());
  const syncs = journalSyncs(calls);
  const requests = calls.filter(isRequest);
  const answers = calls.filter(isAnswer);
  assert.equal(requests.length, 5);
  assert.equal(answers.length, 5);
  requests.forEach((request, i) => {
    const answer = answers[i] as Call;
    const between = syncs.filter((sync) => sync.startLine > request.startLine && sync.endLine < answer.startLine);
    assert.ok(between.length > 0, `request ${i} was answered without a sync`);
  });
});

test('negative control: at level os the same look at the calls finds no sync of the journal', {
  skip,
}, async (context) => {
  const { client, finish } = await startTraced(context, 'os');
  for (let serial = 0; serial < 5; serial++) await write(client, serial);
  const calls = parseCalls(await finish());
  assert.equal(calls.filter(isAnswer).length, 5);
  const answers = calls.filter(isAnswer);
  const afterFirst = journalSyncs(calls).filter((sync) => sync.startLine > (answers[0] as Call).endLine);
  assert.deepEqual(
    afterFirst.map((sync) => sync.text),
    [],
  );
});

test('group commit: under load there are fewer syncs of the journal than requests', { skip }, async (context) => {
  const { client, finish } = await startTraced(context, 'group');
  await write(client, 0);
  const connections = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let i = 0; i < REQUESTS_PER_CONNECTION; i++) await write(client, 1 + connection * REQUESTS_PER_CONNECTION + i);
  });
  await Promise.all(connections);
  const calls = parseCalls(await finish());
  const requestCount = CONNECTIONS * REQUESTS_PER_CONNECTION;
  const syncCount = journalSyncs(calls).length;
  context.diagnostic(`${syncCount} syncs for ${requestCount} requests`);
  assert.ok(syncCount > 0 && syncCount < requestCount, `${syncCount} syncs for ${requestCount} requests`);
});
