// Very many long texts of one tag: written while a client listens, sent to one that goes on before them, and read.

import assert from 'node:assert/strict';
import { get } from 'node:http';
import {
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  listen,
  odd,
  sized,
  take,
  takeAll,
} from './expensive-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LISTENED = 'FairTextsLive';
const KEPT = 'FairTexts';
const QUOTED = 'FairQuotes';
const CHARS = 40_000;
const RECIPE = 'a recipe '.repeat(CHARS / 9);
/** Half as many characters, of which CSV makes more. */
const QUOTES = '\\n\\"'.repeat(CHARS / 3);
const SPAN = 'start=2039-01-01T00:00:00Z&end=2041-01-01T00:00:00Z';
/** For what a live stream has missed to come: the stream itself has no end. */
const TAKE_LIMIT_MS = 120_000;

/** Texts of one write: three quarters of what a body may have, or nearly all of it as quotes. */
const COUNT = 300;
/** Writes of the kept ones. */
const writesOf = (context: FairnessContext): number => sized(context, 2, 6);
/** What reads of the kept ones take, at least. */
const keptBytes = (context: FairnessContext): number => writesOf(context) * COUNT * CHARS * 0.9;

let writtenMs = Date.UTC(2040, 0, 1);
/** The marker of a stream that has had the first of the kept points. */
let behindFirst = '';

async function write(context: FairnessContext, dataset: string, count: number, text = RECIPE): Promise<void> {
  const times = Array.from({ length: count }, () => (writtenMs += 10));
  const values = times.map((time) => `"${time} ${text}"`);
  const body = `{"Recipe":{"t":[${times}],"v":[${values}]}}`;
  const { status } = await take(context, 'POST', `/api/datasets/${dataset}/data`, { body, headers: JSON_TYPE });
  assert.equal(status, 200);
}

function keptTexts(context: FairnessContext): Promise<void> {
  return context.once('long texts', async () => {
    await write(context, KEPT, 1);
    behindFirst = await newestMarker(context);
    for (let i = 0; i < writesOf(context); i++) await write(context, KEPT, COUNT);
  });
}

function keptQuotes(context: FairnessContext): Promise<void> {
  return context.once('long texts of quotes', () => write(context, QUOTED, COUNT, QUOTES));
}

/** The id of the first event of a new stream. */
async function newestMarker({ port }: FairnessContext): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/datasets/${KEPT}/live?tagname=Recipe`;
  const { body } = await fetch(url, { signal: AbortSignal.timeout(TAKE_LIMIT_MS) });
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('latin1');
    const id = /^id: ?(\S+)\r?\n/m.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  throw new Error(`no event with an id came: ${text.slice(0, 200)}`);
}

/** Goes on behind the first point. */
function takeMissed(context: FairnessContext): Promise<void> {
  const { port } = context;
  const wantedBytes = keptBytes(context);
  return new Promise((resolve, reject) => {
    const path = `/api/datasets/${KEPT}/live?tagname=Recipe&since=${behindFirst}`;
    const signal = AbortSignal.timeout(TAKE_LIMIT_MS);
    const asked = get({ host: '127.0.0.1', port, path, agent: false, signal }, (answer) => {
      let sizeBytes = 0;
      answer.on('error', () => {});
      answer.on('end', () => reject(new Error(`got ${sizeBytes} bytes; want ${wantedBytes}`)));
      answer.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes < wantedBytes) return;
        asked.destroy();
        resolve();
      });
    });
    asked.on('error', reject);
  });
}

function read(title: string, query: string, headers = {}): ExpensiveRequest {
  return {
    name: `a read of very many long texts, ${title}`,
    setUp: keptTexts,
    send: (context) =>
      takeAll(context, `/api/datasets/${KEPT}/data?tagname=Recipe&${SPAN}${query}`, {
        headers,
        minBytes: keptBytes(context),
      }),
  };
}

export const textRequests: readonly ExpensiveRequest[] = [
  odd({
    name: 'a write of very many long texts that a client listens to',
    setUp: (context) =>
      context.once('live client of texts', async () => {
        await write(context, LISTENED, 1);
        await listen(context, LISTENED);
      }),
    send: (context) => write(context, LISTENED, COUNT),
  }),
  inSlice({ name: 'a stream that goes on before very many long texts', setUp: keptTexts, send: takeMissed }),
  inSlice(read('as JSON', '')),
  read('as columns', '&format=columns'),
  read('as rows of CSV', '&format=rows&as=csv'),
  inSlice({
    name: 'a read of very many long texts of quotes as rows of CSV',
    setUp: keptQuotes,
    send: (context) =>
      takeAll(context, `/api/datasets/${QUOTED}/data?tagname=Recipe&${SPAN}&format=rows&as=csv`, {
        minBytes: COUNT * CHARS,
      }),
  }),
  read('as msgpack', '', { accept: 'application/msgpack' }),
];
