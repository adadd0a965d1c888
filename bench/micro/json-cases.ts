// The parser of bodies and the writers of answers, without HTTP.

import { type PointChunk, PointColumns, ValueType } from '../../engine/index.ts';
import { Tag } from '../../engine/tag/tag.ts';
import { TagNames } from '../../engine/tag/tag-names.ts';
import { MsgpackParser } from '../../server/codec/msgpack/msgpack-body.ts';
import { MsgpackWriter } from '../../server/codec/msgpack/msgpack-writer.ts';
import { TvqParser } from '../../server/codec/read-json/tvq-parser.ts';
import { OutputBytes } from '../../server/codec/write-json/output-bytes.ts';
import { TvqWriter } from '../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../server/codec/write-json/value-style.ts';
import { NotSupportedError } from '../client/raw-connection.ts';
import { measured } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { BODY_HEADERS } from '../workloads/bodies.ts';
import { VALUE_TYPES } from '../workloads/value-types.ts';
import { W1Data } from '../workloads/w1-data.ts';
import { buildRequest, type LoadShape, START_MS, W1 } from '../workloads/write-load.ts';
import { perPoint, type TimingLimits, timeWork } from './time-work.ts';

const FIRST_TAG_ID = 64;
const ANSWER_POINTS = 3600;

const HALF_W1: LoadShape = { ...W1, tagCount: 500, connections: 1 };

const BODIES: readonly (readonly [name: string, shape: LoadShape])[] = [
  ['W1, JSON', HALF_W1],
  ['W1, JSON in any key order, spaces, mixed precision', { ...HALF_W1, format: 'untidy-json', kind: 'mixed' }],
  ['W1, JSON columns', { ...HALF_W1, format: 'json-columns' }],
  ['W1, msgpack', { ...HALF_W1, format: 'msgpack' }],
  ['W1, msgpack columns', { ...HALF_W1, format: 'msgpack-columns' }],
  ['W1 with texts, JSON', { ...HALF_W1, kind: 'text' }],
  ['W1 with booleans, JSON', { ...HALF_W1, kind: 'boolean' }],
  ['10,000 tags x 1 point, JSON', { ...HALF_W1, tagCount: 10_000, pointsARequest: 1 }],
];

export async function measureParser(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  for (const [name, shape] of BODIES) {
    await suite.measure({ table: 'parse a body', name: `parse ${name}` }, async () => {
      const data = new W1Data(shape.tagCount, START_MS, suite.options.seed);
      const part = { fromTag: 0, toTag: shape.tagCount, n: 0, count: shape.pointsARequest };
      const { body, points } = buildRequest(shape, data, part);
      const parse = parserOf(shape, data.names);
      if (parse(body) !== points) throw new NotSupportedError('the parser does not know such bodies');
      const timing = await timeWork(() => parse(body), limits);
      return [...perPoint(timing, points), measured('body', 'B/pt', 'none', body.length / points)];
    });
  }
}

/** Gives the points of a body. */
function parserOf({ format, kind }: LoadShape, names: readonly string[]): (body: Uint8Array) => number {
  const lookup = new TagNames();
  for (const [i, name] of names.entries())
    lookup.add(name, new Tag(FIRST_TAG_ID + i, { name, type: VALUE_TYPES[kind] }));
  const isMsgpack = BODY_HEADERS[format].contentType === 'application/msgpack';
  const parser = isMsgpack ? new MsgpackParser() : new TvqParser();
  const options = { shape: { kind: 'tags' }, lookup, handling: 'strict', arrivalMs: 0, maxTextBytes: 65_536 } as const;
  return (body) => {
    const { batch } = parser.parse(body, options);
    const { count } = batch.points;
    parser.release(batch);
    return count;
  };
}

export async function measureSerialiser(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  const out = new OutputBytes(2_000_000);
  const json = new TvqWriter();
  const msgpack = new MsgpackWriter();
  for (const [kind, chunk] of answerChunks(suite.options.seed)) {
    const writers = [
      ['JSON', () => json.writePoints(out, chunk, DEFAULT_STYLE, 'first')],
      ['msgpack', () => msgpack.points(out, chunk, DEFAULT_STYLE)],
    ] as const;
    for (const [format, write] of writers) {
      await suite.measure({ table: 'write an answer', name: `write ${kind}, ${format}` }, async () => {
        const timing = await timeWork(() => {
          out.clear();
          write();
        }, limits);
        return [...perPoint(timing, ANSWER_POINTS), measured('answer', 'B/pt', 'none', out.length / ANSWER_POINTS)];
      });
    }
  }
}

function answerChunks(seed: number): [string, PointChunk][] {
  const decimals = new PointColumns(ANSWER_POINTS);
  new W1Data(1, START_MS, seed).fill(0, 0, ANSWER_POINTS, decimals.timesMs, decimals.numbers);
  const doubles = new PointColumns(ANSWER_POINTS);
  doubles.timesMs.set(decimals.timesMs);
  for (let i = 0; i < ANSWER_POINTS; i++) {
    decimals.numbers[i] = (decimals.numbers[i] as number) / 100;
    doubles.numbers[i] = Math.sqrt(decimals.numbers[i] as number);
    decimals.qualities[i] = 192;
    doubles.qualities[i] = 192;
  }
  return [
    ['two decimals', chunkOf(decimals)],
    ['full precision', chunkOf(doubles)],
  ];
}

function chunkOf(points: PointColumns): PointChunk {
  points.count = ANSWER_POINTS;
  return { type: ValueType.Double, points, start: 0, end: ANSWER_POINTS };
}
