// Answers to reads over hand-made results, where the engine's part has to be just so: damage, waiting, changes on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpack } from 'msgpackr';
import {
  type PointChunk,
  PointColumns,
  type ReadGap,
  type ReadMarker,
  type ReadRange,
  type ReadResult,
  type TagCursor,
  ValueType,
} from '../../../../engine/index.ts';
import { DEFAULT_STYLE } from '../../../../server/codec/write-json/value-style.ts';
import type { HttpRequest, HttpResponse, HttpStream } from '../../../../server/http/contract/http-server.ts';
import { UNCHARGED } from '../../../../server/http/memory/answer-memory.ts';
import { createPacer } from '../../../../server/process/pacer.ts';
import { AnswerSink } from '../../../../server/routes/answer/answer-sink.ts';
import { ColumnsReadRenderer } from '../../../../server/routes/read/columns-read-renderer.ts';
import { MAX_HELD_POINTS } from '../../../../server/routes/read/held-points.ts';
import { MsgpackColumnsRenderer } from '../../../../server/routes/read/msgpack-columns-renderer.ts';
import { MsgpackReadRenderer } from '../../../../server/routes/read/msgpack-read-renderer.ts';
import { type AnswerShape, JsonReadRenderer } from '../../../../server/routes/read/read-renderer.ts';
import { answerRead } from '../../../../server/routes/read/render-read.ts';

const NOW = { ms: Date.UTC(2024, 0, 2), ticks: 0 };
const RANGE: ReadRange = { kind: 'range', start: { ms: Date.UTC(2024, 0, 1), ticks: 0 }, end: NOW };

/** What a tag's cursor gives, call by call. */
interface Script {
  readonly name: string;
  readonly chunks: readonly (PointChunk | Error)[];
  readonly gaps?: readonly ReadGap[];
  readonly marker?: ReadMarker;
}

class Answer implements HttpResponse {
  status = 0;
  bytes = Buffer.alloc(0);
  state: 'none' | 'sent' | 'streaming' | 'ended' | 'destroyed' = 'none';
  /** Waits that the client made us wait. */
  waits = 0;

  send(): void {
    throw new Error('reads lend their bytes');
  }

  openSocket(): never {
    throw new Error('no read opens a WebSocket');
  }

  lend(status: number, _headers: unknown, body: Uint8Array): boolean {
    this.status = status;
    this.bytes = Buffer.from(body);
    this.state = 'sent';
    return true;
  }

  stream(status: number): HttpStream {
    this.status = status;
    this.state = 'streaming';
    return {
      write: async (chunk) => {
        this.bytes = Buffer.concat([this.bytes, chunk]);
        this.waits++;
        await new Promise((resolve) => setImmediate(resolve));
      },
      end: () => {
        this.state = 'ended';
      },
      destroy: () => {
        this.state = 'destroyed';
      },
    };
  }
}

/** Answer to a client that never lets us wait. */
class EagerAnswer extends Answer {
  takenBytes = 0;

  override stream(status: number): HttpStream {
    const stream = super.stream(status);
    const write = (chunk: Uint8Array): undefined => {
      this.takenBytes += chunk.length;
    };
    return { ...stream, write };
  }
}

function chunkOf(count: number, firstMs = Date.UTC(2024, 0, 1)): PointChunk {
  const points = new PointColumns(count);
  points.count = count;
  for (let i = 0; i < count; i++) {
    points.timesMs[i] = firstMs + i * 1000;
    points.numbers[i] = i;
    points.qualities[i] = 192;
  }
  return { type: ValueType.Double, points, start: 0, end: count };
}

function resultOf(scripts: readonly Script[], later: readonly Script[] = scripts): ReadResult & { openCount: number } {
  const opened = new Map<number, number>();
  const result = {
    openCount: 0,
    tagCount: scripts.length,
    bounds: undefined,
    open(index: number): TagCursor {
      const times = opened.get(index) ?? 0;
      opened.set(index, times + 1);
      result.openCount++;
      const script = (times === 0 ? scripts : later)[index] as Script;
      return cursorOf(script, () => result.openCount--);
    },
  };
  return result;
}

function cursorOf(script: Script, onClose: () => void): TagCursor {
  let place = 0;
  return {
    tag: { name: script.name, type: ValueType.Double },
    next() {
      const chunk = script.chunks[place++];
      if (chunk instanceof Error) throw chunk;
      return place % 2 === 0 ? Promise.resolve(chunk) : chunk;
    },
    outcome: () => ({ gaps: script.gaps ?? [], marker: script.marker }),
    close: onClose,
  };
}

const RENDERERS = {
  json: JsonReadRenderer,
  msgpack: MsgpackReadRenderer,
  columns: ColumnsReadRenderer,
  'msgpack columns': MsgpackColumnsRenderer,
};

async function run(
  result: ReadResult,
  options: {
    shape?: AnswerShape;
    format?: keyof typeof RENDERERS;
    range?: ReadRange;
    request?: Partial<HttpRequest>;
  } = {},
  answer = new Answer(),
): Promise<Answer> {
  const sink = new AnswerSink(answer, []);
  const renderer = new RENDERERS[options.format ?? 'json'](sink.out, options.shape ?? 'multi', DEFAULT_STYLE);
  const request = { memory: UNCHARGED, ...(options.request ?? { aborted: false }) } as HttpRequest;
  try {
    const pacer = createPacer();
    await answerRead(result, { request, sink, renderer, pacer, range: options.range ?? RANGE, now: NOW });
  } catch (error) {
    throw Object.assign(error as Error, { answer });
  }
  return answer;
}

const GAP: ReadGap = { start: { ms: 0, ticks: 0 }, end: { ms: 1000, ticks: 5 }, points: 7 };

interface Entry {
  t: { n: string };
  s: string;
  e: string;
  d: { t: string; v: number; q: number }[];
  gaps?: unknown;
  next?: string;
}

test('a small answer is sent whole, entries in order, gaps and marker behind the points', async () => {
  const result = resultOf([
    {
      name: 'a',
      chunks: [chunkOf(2), chunkOf(1, Date.UTC(2024, 0, 1, 1))],
      gaps: [GAP],
      marker: { tagId: 64, ordinal: 3 },
    },
    { name: 'b', chunks: [] },
  ]);
  const answer = await run(result);
  assert.equal(answer.state, 'sent');
  const body = JSON.parse(answer.bytes.toString()) as { s: string; e: string; tl: Entry[] };
  assert.deepEqual(Object.keys(body), ['s', 'e', 'tl']);
  assert.deepEqual([body.s, body.e], ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z']);
  assert.deepEqual(Object.keys(body.tl[0] ?? {}), ['t', 's', 'e', 'd', 'gaps', 'next']);
  assert.deepEqual(
    body.tl[0]?.d.map(({ v }) => v),
    [0, 1, 0],
  );
  assert.deepEqual(body.tl[0]?.gaps, [{ s: '1970-01-01T00:00:00.000Z', e: '1970-01-01T00:00:01.0000005Z', points: 7 }]);
  assert.equal(body.tl[0]?.next, Buffer.from('64.3').toString('base64url'));
  assert.deepEqual(body.tl[1]?.d, []);
  assert.equal(result.openCount, 0);
});

test('a large answer is streamed, waiting for the client, and ended', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => chunkOf(2000, Date.UTC(2024, 0, 1) + i * 2_000_000));
  const answer = await run(resultOf([{ name: 'a', chunks }]), { shape: 'single' });
  assert.equal(answer.state, 'ended');
  assert.ok(answer.waits >= 10, `${answer.waits} waits`);
  assert.equal((JSON.parse(answer.bytes.toString()) as Entry).d.length, 40_000);
});

test('an answer that the client takes at once lets others have their turn, too', async () => {
  const chunks = Array.from({ length: 1000 }, () => chunkOf(4096));
  let isOver = false;
  let turns = 0;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answer = new EagerAnswer();
  await run(resultOf([{ name: 'A', chunks }]), {}, answer);
  isOver = true;
  assert.equal(answer.state, 'ended');
  assert.ok(turns > 5, `others had ${turns} turns in an answer of ${answer.takenBytes} bytes`);
});

test('an error before the first byte has gone out is thrown, and nothing is sent', async () => {
  const result = resultOf([{ name: 'a', chunks: [new Error('unreadable')] }]);
  await assert.rejects(run(result), (error: Error & { answer: Answer }) => {
    assert.equal(error.message, 'unreadable');
    assert.equal(error.answer.state, 'none');
    return true;
  });
  assert.equal(result.openCount, 0);
});

test('an error after the first byte cuts the answer off', async () => {
  const result = resultOf([{ name: 'a', chunks: [chunkOf(5000), chunkOf(5000), new Error('unreadable')] }]);
  await assert.rejects(run(result), (error: Error & { answer: Answer }) => {
    assert.equal(error.answer.state, 'destroyed');
    assert.ok(error.answer.bytes.length > 0);
    return true;
  });
  assert.equal(result.openCount, 0);
});

test('when the client has gone reading stops and the cursor is closed', async () => {
  const chunks = Array.from({ length: 100 }, () => chunkOf(10));
  const result = resultOf([
    { name: 'a', chunks },
    { name: 'b', chunks: [new Error('read on')] },
  ]);
  const answer = await run(result, { request: { aborted: true } });
  assert.equal(answer.state, 'none');
  assert.equal(result.openCount, 0);
});

test('the bounds of newest and at reads are the times of the points, and now or the end where there is none', async () => {
  const at: ReadRange = { kind: 'at', end: { ms: Date.UTC(2024, 0, 1, 12), ticks: 0 } };
  const entry = async (range: ReadRange, chunks: PointChunk[]): Promise<string[]> => {
    const answer = await run(resultOf([{ name: 'a', chunks }]), { shape: 'single', range });
    const { s, e } = JSON.parse(answer.bytes.toString()) as Entry;
    return [s, e];
  };
  const first = '2024-01-01T00:00:00.000Z';
  assert.deepEqual(await entry({ kind: 'newest' }, [chunkOf(1)]), [first, first]);
  assert.deepEqual(await entry({ kind: 'newest' }, []), ['2024-01-02T00:00:00.000Z', '2024-01-02T00:00:00.000Z']);
  assert.deepEqual(await entry(at, [chunkOf(1)]), [first, '2024-01-01T12:00:00.000Z']);
  assert.deepEqual(await entry(at, []), ['2024-01-01T12:00:00.000Z', '2024-01-01T12:00:00.000Z']);
});

test('msgpack holds what JSON holds', async () => {
  const scripts: Script[] = [
    { name: 'a', chunks: [chunkOf(3), chunkOf(2)], gaps: [GAP], marker: { tagId: 64, ordinal: 3 } },
    { name: 'b', chunks: [] },
    { name: 'c', chunks: [chunkOf(20_000)] },
  ];
  for (const shape of ['multi', 'single'] as const) {
    const given = shape === 'single' ? scripts.slice(0, 1) : scripts;
    const json = await run(resultOf(given), { shape });
    const msgpack = await run(resultOf(given), { shape, format: 'msgpack' });
    assert.deepEqual(unpack(msgpack.bytes), JSON.parse(json.bytes.toString()));
  }
});

interface ColumnsEntry {
  d: { t: Iterable<number | string>; v: Iterable<unknown>; q: number | Iterable<number> };
}

/** Typed arrays as ordinary ones. */
function plainColumns({ d }: ColumnsEntry): unknown {
  return { t: [...d.t], v: [...d.v], q: typeof d.q === 'number' ? d.q : [...d.q] };
}

test('columns hold what objects hold, in JSON and msgpack, held or read again', async () => {
  const mixed = chunkOf(3);
  mixed.points.qualities[1] = 0;
  mixed.points.nulls[2] = 1;
  const many = MAX_HELD_POINTS / 2;
  for (const chunks of [[], [chunkOf(2)], [chunkOf(2), mixed], [chunkOf(many), mixed, chunkOf(many)]]) {
    const scripts = [{ name: 'a', chunks, gaps: [GAP], marker: { tagId: 64, ordinal: 3 } }];
    const objects = JSON.parse((await run(resultOf(scripts), { shape: 'single' })).bytes.toString()) as Entry;
    const columns = await run(resultOf(scripts), { shape: 'single', format: 'columns' });
    const packed = await run(resultOf(scripts), { shape: 'single', format: 'msgpack columns' });
    const qualities = objects.d.map(({ q }) => q);
    const expected = {
      t: objects.d.map(({ t }) => Date.parse(t)),
      v: objects.d.map(({ v }) => v),
      q: qualities.includes(0) ? qualities : 192,
    };
    for (const entry of [JSON.parse(columns.bytes.toString()), unpack(packed.bytes)] as (Entry & ColumnsEntry)[]) {
      assert.deepEqual(Object.keys(entry), Object.keys(objects));
      assert.deepEqual(
        [entry.t, entry.s, entry.e, entry.gaps, entry.next],
        [objects.t, objects.s, objects.e, objects.gaps, objects.next],
      );
      assert.deepEqual(plainColumns(entry), expected);
    }
  }
});

test('times of columns are texts as soon as one of them has a part below the millisecond', async () => {
  const chunk = chunkOf(2);
  chunk.points.ticks[1] = 7;
  const expected = ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:01.0000007Z'];
  const result = resultOf([{ name: 'a', chunks: [chunk] }]);
  const columns = await run(result, { shape: 'single', format: 'columns' });
  assert.deepEqual((JSON.parse(columns.bytes.toString()) as ColumnsEntry).d.t, expected);
  const packed = await run(result, { shape: 'single', format: 'msgpack columns' });
  assert.deepEqual((unpack(packed.bytes) as ColumnsEntry).d.t, expected);
});

const TOO_MANY = MAX_HELD_POINTS + 1;

test('points that come between the counting and the writing are left for the next read', async () => {
  const first: Script[] = [{ name: 'a', chunks: [chunkOf(TOO_MANY)] }];
  const later: Script[] = [{ name: 'a', chunks: [chunkOf(TOO_MANY + 5), chunkOf(2)] }];
  const packed = await run(resultOf(first, later), { shape: 'single', format: 'msgpack' });
  assert.equal((unpack(packed.bytes) as Entry).d.length, TOO_MANY);
  const columns = await run(resultOf(first, later), { shape: 'single', format: 'columns' });
  assert.equal([...(JSON.parse(columns.bytes.toString()) as ColumnsEntry).d.v].length, TOO_MANY);
});

test('D14: an answer whose points are gone on the second look is not given, or cut off', async () => {
  const first: Script[] = [{ name: 'a', chunks: [chunkOf(TOO_MANY)] }];
  const later: Script[] = [{ name: 'a', chunks: [chunkOf(2)] }];
  for (const format of ['msgpack', 'columns', 'msgpack columns'] as const) {
    await assert.rejects(run(resultOf(first, later), { shape: 'single', format }), /fewer points/);
  }
});

/** Texts of these lengths, each of its own. */
function textChunk(lengths: readonly number[]): PointChunk {
  const chunk = chunkOf(lengths.length);
  const { points } = chunk;
  lengths.forEach((length, i) => {
    points.numbers[i] = points.texts.push(`${i} `.padEnd(length, 'x'));
  });
  return { ...chunk, type: ValueType.String };
}

test('long texts are written in parts, whatever the format, and others have turns between them', async () => {
  const long = textChunk([...Array.from({ length: 40 }, () => 60_000), 3, 300_000, 3, ...Array(70).fill(20_000)]);
  const chunks = [textChunk([3, 5]), long, { ...long, start: 30, end: 45 }, textChunk([3])];
  const wanted = chunks.flatMap(({ points, start, end }) =>
    Array.from({ length: end - start }, (_, i) => points.texts.at(points.numbers[start + i] as number)),
  );
  for (const format of ['json', 'msgpack', 'columns', 'msgpack columns'] as const) {
    const answer = await run(resultOf([{ name: 'a', chunks }]), { shape: 'single', format });
    const isPacked = format.startsWith('msgpack');
    const { d } = (isPacked ? unpack(answer.bytes) : JSON.parse(answer.bytes.toString())) as Entry & ColumnsEntry;
    const values = format.endsWith('columns') ? [...d.v] : (d as unknown as Entry['d']).map(({ v }) => v);
    assert.deepEqual(values, wanted, format);
    assert.ok(answer.waits >= 15, `${format}: the client was waited for ${answer.waits} times`);
  }
});
