// What is asked of very many tags: to make them, to list them, to read and follow them, to delete them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { RawClient } from '../http/support/raw-client.ts';
import { type ExpensiveRequest, type FairnessContext, inSlice, sized, take, takeAll } from './expensive-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Tags with a point each that fit the 16 MiB of a body. */
const TAGS_A_BODY = 300_000;
/** Names that fit the 16 MiB of a body that is no points. */
const NAMES_A_BODY = 250_000;
const LIVE_LIMIT_MS = 120_000;

export function tagCount(context: FairnessContext): number {
  return sized(context, 50_000, 500_000);
}

/** Tags of one write. */
function writtenCount(context: FairnessContext): number {
  return Math.min(TAGS_A_BODY, tagCount(context));
}

export function tagName(i: number): string {
  return `Plant/Area ${i % 97}/Unit ${i % 1009}/Tag ${i}`;
}

/** One point for each of so many tags. */
function onePointEach(count: number, from = 0): string {
  return `{${Array.from({ length: count }, (_, i) => `"${tagName(from + i)}":[{"v":${i % 1000}}]`).join(',')}}`;
}

async function post(context: FairnessContext, path: string, body: string): Promise<void> {
  const { status } = await take(context, 'POST', path, { headers: JSON_TYPE, body });
  assert.equal(status, 200, path);
}

function dataset(key: string): string {
  return `/api/datasets/FairTags${key}`;
}

async function makeTags(context: FairnessContext, path: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += TAGS_A_BODY) {
    await post(context, `${path}/data`, onePointEach(Math.min(TAGS_A_BODY, count - from), from));
  }
}

/** Very many tags with a point each, which stay. */
export function keptTags(context: FairnessContext): Promise<void> {
  return context.once('kept tags', () => makeTags(context, dataset('Kept'), tagCount(context)));
}

async function remove(context: FairnessContext, path: string): Promise<void> {
  const { status } = await take(context, 'DELETE', path);
  assert.equal(status, 200, path);
}

let made = 0;

const newTagsByWrite: ExpensiveRequest = {
  name: 'a write of very many new tags',
  send: (context) => post(context, `${dataset(`Made${made++}`)}/data`, onePointEach(writtenCount(context))),
};

const knownTagsByWrite: ExpensiveRequest = {
  name: 'a write of very many known tags',
  setUp: keptTags,
  send: (context) => post(context, `${dataset('Kept')}/data`, onePointEach(writtenCount(context))),
};

const knownTagsWithReceipt: ExpensiveRequest = {
  name: 'a write of very many known tags, with its receipt',
  setUp: keptTags,
  async send(context) {
    const headers = { ...JSON_TYPE, prefer: 'return=representation' };
    const body = onePointEach(writtenCount(context));
    const { status, sizeBytes } = await take(context, 'POST', `${dataset('Kept')}/data`, { headers, body });
    assert.equal(status, 200);
    assert.ok(sizeBytes > writtenCount(context) * 60, `got ${sizeBytes} bytes`);
  },
};

const manyPointsOfManyTags: ExpensiveRequest = {
  name: 'a write of 50 points of each of many tags',
  send: (context) => {
    const points = Array.from({ length: 50 }, (_, i) => 1_704_067_200_000 + i * 1000);
    const columns = JSON.stringify({ t: points, v: points.map((_, i) => i / 10) });
    const count = sized(context, 5000, 15_000);
    const body = `{${Array.from({ length: count }, (_, i) => `"${tagName(i)}":${columns}`).join(',')}}`;
    return post(context, `${dataset('Columns')}/data`, body);
  },
};

const manyPointsOfOneTag: ExpensiveRequest = {
  name: 'a write of very many points of one tag',
  async send(context) {
    const count = sized(context, 200_000, 850_000);
    const t = Array.from({ length: count }, (_, i) => 1_704_067_200_000 + i * 1000);
    const body = JSON.stringify({ t, v: t.map((_, i) => (i % 1000) / 10) });
    await post(context, `${dataset(`Long${made++}`)}/data/Long`, body);
  },
};

const definitions: ExpensiveRequest = {
  name: 'definitions of very many tags',
  async send(context) {
    const count = sized(context, 20_000, 100_000);
    const body = JSON.stringify(
      Array.from({ length: count }, (_, i) => ({
        n: tagName(i),
        t: 'System.Double',
        d: 'A tag among many',
        u: { 0: 'bar' },
      })),
    );
    await post(context, `${dataset(`Defined${made++}`)}/tags`, body);
  },
};

function list(title: string, query: string): ExpensiveRequest {
  return {
    name: `the list of very many tags, ${title}`,
    setUp: keptTags,
    send: (context) => takeAll(context, `${dataset('Kept')}/tags${query}`),
  };
}

const latest: ExpensiveRequest = {
  name: 'the newest points of very many tags',
  setUp: keptTags,
  send(context) {
    const tagname = Array.from({ length: Math.min(tagCount(context), NAMES_A_BODY) }, (_, i) => tagName(i));
    return takeAll(context, `${dataset('Kept')}/read`, { headers: JSON_TYPE, body: JSON.stringify({ tagname }) });
  },
};

/** Takes a stream of events as it comes, without keeping it. */
class StreamReader {
  sizeBytes = 0;
  /** Kinds of events that have come. */
  readonly events = new Set<string>();
  readonly #socket: Socket;
  /** The end of what came last: the name of an event may come in two pieces. */
  #tail = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      this.sizeBytes += chunk.length;
      this.#note(chunk);
    });
  }

  #note(chunk: Buffer): void {
    for (const event of ['heartbeat', 'skipped']) {
      const line = `event: ${event}\n`;
      const border = this.#tail + chunk.toString('latin1', 0, line.length);
      if (chunk.includes(line) || border.includes(line)) this.events.add(event);
    }
    this.#tail = chunk.toString('latin1', Math.max(0, chunk.length - 32));
  }

  /** Resolves when points go through as they are stored: a heartbeat is sent only to clients that miss nothing. */
  async isLive(): Promise<void> {
    const signal = AbortSignal.timeout(LIVE_LIMIT_MS);
    while (!this.events.has('heartbeat')) await once(this.#socket, 'data', { signal });
  }

  /** Resolves when so many bytes have come in all. */
  async took(wantedBytes: number): Promise<void> {
    const signal = AbortSignal.timeout(LIVE_LIMIT_MS);
    while (this.sizeBytes < wantedBytes) {
      await once(this.#socket, 'data', { signal }).catch((error: unknown) => {
        throw new Error(`the stream gave ${this.sizeBytes} bytes only`, { cause: error });
      });
    }
  }
}

/** Opens a stream on all tags of the dataset, and takes it until what is there has come. */
const follow: ExpensiveRequest = {
  name: 'a stream on very many tags, from its opening on',
  setUp: keptTags,
  async send(context) {
    const client = await RawClient.open(context.port);
    const stream = new StreamReader(client.socket);
    try {
      client.send(`GET ${dataset('Kept')}/live HTTP/1.1\r\nHost: 127.0.0.1:${context.port}\r\n\r\n`);
      await stream.took(writtenCount(context) * 60);
      await post(context, `${dataset('Kept')}/data`, onePointEach(writtenCount(context)));
    } finally {
      client.destroy();
    }
  },
};

/** Opens a stream on all tags, and once it is live takes nothing while they are written, more than the kernel holds; then what comes. */
const followSlowly: ExpensiveRequest = {
  name: 'a stream on very many tags whose client pauses',
  setUp: keptTags,
  async send(context) {
    const client = await RawClient.open(context.port);
    const stream = new StreamReader(client.socket);
    try {
      client.send(`GET ${dataset('Kept')}/live HTTP/1.1\r\nHost: 127.0.0.1:${context.port}\r\n\r\n`);
      // One that pauses earlier is sent what it misses as it takes it, and nothing is skipped.
      await stream.isLive();
      client.socket.pause();
      const writes = sized(context, 8, 2);
      for (let i = 0; i < writes; i++)
        await post(context, `${dataset('Kept')}/data`, onePointEach(writtenCount(context)));
      client.socket.resume();
      await stream.took(stream.sizeBytes + writtenCount(context) * 60);
      assert.ok(stream.events.has('skipped'), 'the client was slow, and nothing was skipped');
    } finally {
      client.destroy();
    }
  },
};

const deletionByList: ExpensiveRequest = {
  name: 'the deletion of very many tags by list',
  setUp: (context) => makeTags(context, dataset('Deleted'), tagCount(context)),
  async send(context) {
    const names = Array.from({ length: tagCount(context) }, (_, i) => tagName(i));
    for (let from = 0; from < names.length; from += NAMES_A_BODY) {
      const body = JSON.stringify(names.slice(from, from + NAMES_A_BODY));
      const { status } = await take(context, 'DELETE', `${dataset('Deleted')}/tags`, { headers: JSON_TYPE, body });
      assert.equal(status, 200);
    }
  },
};

const CUT_TAGS = Array.from({ length: 1000 }, (_, i) => `C${i}`);

const cuts: ExpensiveRequest = {
  name: 'the removal of points of a thousand tags',
  async setUp(context) {
    const points = Array.from(
      { length: 200 },
      (_, i) => `{"t":"${new Date(1.7e12 + i * 1000).toISOString()}","v":${i}}`,
    ).join(',');
    await post(context, `${dataset('Cut')}/data`, `{${CUT_TAGS.map((tag) => `"${tag}":[${points}]`).join(',')}}`);
  },
  async send(context) {
    const path = `${dataset('Cut')}/data?start=2020-01-01&${CUT_TAGS.map((tag) => `tagname=${tag}`).join('&')}`;
    const { status } = await take(context, 'DELETE', path);
    assert.equal(status, 200);
  },
};

const datasetDeletion: ExpensiveRequest = {
  name: 'the deletion of a dataset of very many tags',
  setUp: (context) => makeTags(context, dataset(`Gone${++made}`), 2 * tagCount(context)),
  send: (context) => remove(context, dataset(`Gone${made}`)),
};

const writesAtOnce: ExpensiveRequest = {
  name: 'ten writes of many tags at once',
  setUp: keptTags,
  async send(context) {
    const body = onePointEach(sized(context, 10_000, 50_000));
    await Promise.all(Array.from({ length: 10 }, () => post(context, `${dataset('Kept')}/data`, body)));
  },
};

const listsAtOnce: ExpensiveRequest = {
  name: 'twenty lists of very many tags at once, filtered',
  setUp: keptTags,
  async send(context) {
    const path = `${dataset('Kept')}/tags?contains=none%20of%20them`;
    await Promise.all(Array.from({ length: 20 }, () => takeAll(context, path)));
  },
};

export const tagRequests: readonly ExpensiveRequest[] = [
  inSlice(newTagsByWrite),
  knownTagsByWrite,
  knownTagsWithReceipt,
  manyPointsOfManyTags,
  manyPointsOfOneTag,
  writesAtOnce,
  inSlice(definitions),
  list('whole', ''),
  list('filtered', '?contains=tag%2099'),
  inSlice(listsAtOnce),
  latest,
  follow,
  followSlowly,
  inSlice(deletionByList),
  cuts,
  datasetDeletion,
];
