// i3X over a large dataset: all 100,000 objects, and 10,000 monitored ones with a client that is slow; how long, and how much
// memory the server takes. `node --import tsx bench/server/i3x.ts`

import { readFileSync } from 'node:fs';
import { ServerProcess } from '../../test/support/server-process.ts';

const TAGS = 100_000;
const MONITORED = 10_000;
const ROUNDS = 20;
const WAIT_MS = 50;

/** The value that was written last. */
let round = 0;

const server = await ServerProcess.start();
try {
  await write(0, TAGS, 0);
  report('before');
  const startMs = performance.now();
  const answer = await fetch(`${server.url}/i3x/v1/objects?includeMetadata=true`);
  const text = await answer.text();
  const { result } = JSON.parse(text) as { result: unknown[] };
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2);
  console.log(`${result.length} objects, ${(text.length / 1e6).toFixed(1)} MB, ${seconds} s`);
  report('after all objects');
  await compare('sync', readBySync);
  await compare('stream', readByStream);
} finally {
  await server.stop();
}

interface Update {
  readonly elementId: string;
  readonly value: number;
}
type Its = { readonly clientId: string; readonly subscriptionId: string };
type Read = (its: Its, isEnough: (updates: readonly Update[]) => boolean) => Promise<void>;

/** All values of each tag must come, once and in order. */
async function compare(name: string, read: Read): Promise<void> {
  const made = await post('subscriptions', { clientId: 'bench' });
  const its = { clientId: 'bench', subscriptionId: (made.result as { subscriptionId: string }).subscriptionId };
  const elementIds = Array.from({ length: MONITORED }, (_, i) => `Large:${tagName(i)}`);
  await post('subscriptions/register', { ...its, elementIds });
  const seen = new Map<string, number[]>();
  let count = 0;
  const reading = read(its, (updates) => {
    count += updates.length;
    for (const { elementId, value } of updates) seen.set(elementId, [...(seen.get(elementId) ?? []), value]);
    return count >= MONITORED * (ROUNDS + 1);
  });
  const first = round;
  for (let i = 0; i < ROUNDS; i++) {
    await write(0, MONITORED, ++round);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await reading;
  const wanted = Array.from({ length: ROUNDS + 1 }, (_, i) => first + i).join();
  const wrong = elementIds.filter((id) => seen.get(id)?.join() !== wanted).length;
  console.log(`${name}: ${count} updates of ${seen.size} objects; ${wrong} objects with missing or repeated ones`);
  report(`after ${name}`);
  await post('subscriptions/delete', { clientId: 'bench', subscriptionIds: [its.subscriptionId] });
}

async function readBySync(its: Its, isEnough: (updates: readonly Update[]) => boolean): Promise<void> {
  let lastSequenceNumber = 0;
  for (let i = 0; i < 1000; i++) {
    const answer = await post('subscriptions/sync', { ...its, lastSequenceNumber });
    for (const { sequenceNumber, updates } of answer.result as { sequenceNumber: number; updates: Update[] }[]) {
      lastSequenceNumber = sequenceNumber;
      if (isEnough(updates)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10 * WAIT_MS));
  }
}

async function readByStream(its: Its, isEnough: (updates: readonly Update[]) => boolean): Promise<void> {
  const body = JSON.stringify(its);
  const init = { method: 'POST', body };
  const answer = await fetch(`${server.url}/i3x/v1/subscriptions/stream`, init);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    const events = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event.startsWith('data: ') && isEnough(JSON.parse(event.slice(6)) as Update[])) return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS / 5));
  }
}

function tagName(i: number): string {
  return `area${Math.floor(i / 1000)}/unit${Math.floor(i / 10) % 100}/T${i}`;
}

async function write(from: number, to: number, value: number): Promise<void> {
  const body: Record<string, unknown> = {};
  for (let i = from; i < to; i++) body[tagName(i)] = [{ v: value }];
  const answer = await fetch(`${server.url}/api/datasets/Large/data`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

async function post(path: string, body: unknown): Promise<{ result?: unknown }> {
  const answer = await fetch(`${server.url}/i3x/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { result?: unknown };
}

function report(when: string): void {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  console.log(`${when}: ${/VmRSS:\s+(.*)/.exec(status)?.[1]}, most ${/VmHWM:\s+(.*)/.exec(status)?.[1]}`);
}
