// Reads that make much work: many points, many tags, many readers.

import assert from 'node:assert/strict';
import {
  assertStatus,
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  odd,
  sized,
  takeAll,
  takeFast,
} from './expensive-request.ts';

const DATASET = '/api/datasets/FairReads';
const RANGE = 'start=2024-01-01T00:00:00Z&end=2025-01-01T00:00:00Z';
const FIRST_MS = Date.UTC(2024, 0, 1);
const TAG_COUNT = 4;
const MSGPACK = { accept: 'application/msgpack' };
const POINTS_A_WRITE = 250_000;

/** Four tags of many points, one a second. */
export function writeLongTags(context: FairnessContext): Promise<void> {
  return context.once('long tags', async () => {
    const pointCount = longCount(context);
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      for (let from = 0; from < pointCount; from += POINTS_A_WRITE) {
        const count = Math.min(POINTS_A_WRITE, pointCount - from);
        const t = Array.from({ length: count }, (_, i) => FIRST_MS + (from + i) * 1000);
        const v = Array.from({ length: count }, (_, i) => (((from + i) * 7919) % 10_000) / 100);
        assertStatus(await context.http.post(`${DATASET}/data`, { [`Long${tag}`]: { t, v } }), 200, 'writing');
      }
    }
  });
}

export function longCount(context: FairnessContext): number {
  return sized(context, 125_000, 500_000);
}

const TWELVE =
  'aggregate=TimeAverage,TimeAverage2,Average,Minimum,Maximum,Minimum2,Maximum2,Count,Start,End,PercentGood,StandardDeviationSample';
const CENTURIES = 'start=0200-01-01T00:00:00Z&end=2200-01-01T00:00:00Z&tz=Europe/Berlin';
const LONG_TAGS = Array.from({ length: TAG_COUNT }, (_, i) => `tagname=Long${i}`).join('&');
const SUM = `expr=${encodeURIComponent(Array.from({ length: TAG_COUNT }, (_, i) => `Long${i}`).join(' + '))}`;

function readOfLongTags(title: string, query: string, bytesAPoint: number, headers = {}): ExpensiveRequest {
  return {
    name: `a read of 4 tags of many points, ${title}`,
    setUp: writeLongTags,
    send: (context) =>
      takeAll(context, `${DATASET}/data?${LONG_TAGS}&${RANGE}${query}`, {
        headers,
        minBytes: TAG_COUNT * longCount(context) * bytesAPoint,
      }),
  };
}

const fastReader: ExpensiveRequest = {
  name: 'a read of 4 tags of many points, by a fast reader',
  setUp: writeLongTags,
  async send(context) {
    const sizeBytes = await takeFast(context, `${DATASET}/data?${LONG_TAGS}&${RANGE}`);
    assert.ok(sizeBytes > TAG_COUNT * longCount(context) * 40, `got ${sizeBytes} bytes`);
  },
};

function atOnce(name: string, count: number, path: string, headers = {}): ExpensiveRequest {
  return {
    name,
    setUp: writeLongTags,
    async send(context) {
      await Promise.all(Array.from({ length: count }, () => takeAll(context, `${DATASET}${path}`, { headers })));
    },
  };
}

function namedRead(title: string, member: (context: FairnessContext) => object): ExpensiveRequest {
  return odd({
    name: `a read of very many names, ${title}`,
    setUp: writeLongTags,
    send: (context) =>
      takeAll(context, `${DATASET}/read`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(member(context)),
      }),
  });
}

function repeated(context: FairnessContext): string[] {
  return Array.from({ length: sized(context, 10_000, 100_000) }, (_, i) => `Long${i % TAG_COUNT}`);
}

/** What is the transport's work, too: long answers. */
export const streamedReads: readonly ExpensiveRequest[] = [
  inSlice(fastReader),
  readOfLongTags('JSON', '', 40),
  readOfLongTags('JSON columns', '&form=columns', 10),
  readOfLongTags('msgpack', '', 10, MSGPACK),
  readOfLongTags('msgpack columns', '&form=columns', 8, MSGPACK),
  readOfLongTags('packed', '', 1, { 'accept-encoding': 'gzip' }),
  inSlice(atOnce('ten reads of 4 tags of many points at once', 10, `/data?${LONG_TAGS}&${RANGE}`)),
  atOnce('ten msgpack reads of 4 tags of many points at once', 10, `/data?${LONG_TAGS}&${RANGE}`, MSGPACK),
  inSlice(atOnce('a million results of a tag', 1, `/data?tagname=Long0&${RANGE}&interval=32s&aggregate=TimeAverage`)),
  odd(atOnce('ten times a million results', 10, `/data?tagname=Long0&${RANGE}&interval=32s&aggregate=TimeAverage`)),
];

export const readRequests: readonly ExpensiveRequest[] = [
  ...streamedReads,
  inSlice(atOnce('ten reads of 4 tags, points=8000', 10, `/data?${LONG_TAGS}&${RANGE}&points=8000`)),
  atOnce('forty reads of one tag, points=8000', 40, `/data?tagname=Long0&${RANGE}&points=8000`),
  inSlice(atOnce('aggregates of 4 tags, twelve functions', 1, `/data?${LONG_TAGS}&${RANGE}&interval=1h&${TWELVE}`)),
  inSlice(atOnce('statistics of 4 tags', 1, `/statistics?${LONG_TAGS}&${RANGE}`)),
  inSlice(atOnce('an expression of 4 tags', 1, `/data?${SUM}&${RANGE}`)),
  odd(atOnce('the days of 2,000 years in Berlin', 1, `/data?tagname=Long0&${CENTURIES}&interval=1d&aggregate=Count`)),
  namedRead('with aggregates', (context) => ({
    tagname: repeated(context),
    start: '2024-01-01T12:00:00Z',
    end: '2024-01-01T13:00:00Z',
    aggregate: ['TimeAverage', 'Maximum'],
  })),
  namedRead('newest', (context) => ({ tagname: repeated(context) })),
  namedRead('at a time', (context) => ({ tagname: repeated(context), end: '2024-01-01T12:00:00Z' })),
  namedRead('with a range and carry-in', (context) => ({
    tagname: repeated(context),
    start: '2024-01-01T12:00:00Z',
    end: '2024-01-01T12:00:00Z',
    boundary: 'carry',
  })),
  inSlice(
    namedRead('unknown, left out', (context) => ({
      tagname: repeated(context).map((name, i) => `${name}.${i}`),
      missing: 'skip',
    })),
  ),
];
