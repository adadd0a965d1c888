// Write loads: what is sent, by how many connections, in which requests. Made before anything is timed, from a seed.

import { requestBytes } from '../client/request-bytes.ts';
import { BODY_HEADERS, type BodyFormat, encodeBody, type ValueKind } from './bodies.ts';
import { W1Data } from './w1-data.ts';

export const DATASET = 'plant';
export const START_MS = Date.UTC(2026, 0, 1);
export const STEP_MS = 1000;

export interface LoadShape {
  readonly format: BodyFormat;
  readonly kind: ValueKind;
  readonly tagCount: number;
  readonly pointsATag: number;
  /** Points of each tag in a request. */
  readonly pointsARequest: number;
  /** Tags in a request; all tags of its connection when absent. */
  readonly tagsARequest?: number;
  /** The tags are shared out evenly over so many connections. */
  readonly connections: number;
  /** Time of the first point; `START_MS` when absent. */
  readonly startMs?: number;
  /** Between two points of a tag; `STEP_MS` when absent. */
  readonly stepMs?: number;
}

/** What one request holds: points `[n, n + count)` of the tags `[fromTag, toTag)`. */
export interface LoadPart {
  readonly fromTag: number;
  readonly toTag: number;
  readonly n: number;
  readonly count: number;
}

export interface LoadRequest {
  readonly bytes: Buffer;
  /** The body alone: a part of `bytes`. */
  readonly body: Buffer;
  readonly points: number;
}

export interface WriteLoad {
  readonly shape: LoadShape;
  readonly names: readonly string[];
  /** By connection, in the order of sending. */
  readonly requests: readonly (readonly LoadRequest[])[];
  readonly points: number;
  readonly bodyBytes: number;
}

/** W1: 1,000 tags a second apart with jitter, two decimals, ten seconds of all tags in a request, two connections. */
export const W1: LoadShape = {
  format: 'json',
  kind: 'decimal',
  tagCount: 1000,
  pointsATag: 10_000,
  pointsARequest: 10,
  connections: 2,
};

export function dataOf({ tagCount, startMs = START_MS, stepMs = STEP_MS }: LoadShape, seed: number): W1Data {
  return new W1Data(tagCount, startMs, seed, stepMs);
}

export function buildLoad(shape: LoadShape, seed: number): WriteLoad {
  const data = dataOf(shape, seed);
  const requests: LoadRequest[][] = Array.from({ length: shape.connections }, () => []);
  const share = shape.tagCount / shape.connections;
  for (let n = 0; n < shape.pointsATag; n += shape.pointsARequest) {
    const count = Math.min(shape.pointsARequest, shape.pointsATag - n);
    for (const [i, own] of requests.entries()) {
      const from = Math.round(i * share);
      const to = Math.round((i + 1) * share);
      const step = shape.tagsARequest ?? to - from;
      for (let tag = from; tag < to; tag += step) {
        own.push(buildRequest(shape, data, { fromTag: tag, toTag: Math.min(to, tag + step), n, count }));
      }
    }
  }
  const all = requests.flat();
  return {
    shape,
    names: data.names,
    requests,
    points: all.reduce((sum, { points }) => sum + points, 0),
    bodyBytes: all.reduce((sum, { body }) => sum + body.length, 0),
  };
}

export function buildRequest({ format, kind }: LoadShape, data: W1Data, part: LoadPart): LoadRequest {
  const { fromTag, toTag, n, count } = part;
  const points = (toTag - fromTag) * count;
  const timesMs = new Float64Array(points);
  const numbers = new Float64Array(points);
  for (let tag = fromTag; tag < toTag; tag++) {
    const at = (tag - fromTag) * count;
    data.fill(tag, n, count, timesMs.subarray(at, at + count), numbers.subarray(at, at + count));
  }
  if (kind === 'mixed') mixPrecision(numbers, data);
  else if (kind === 'full') usePrecision(numbers, data);
  else if (kind === 'counter') countUp(numbers, data, part);
  const names = data.names.slice(fromTag, toTag);
  const body = encodeBody(format, { names, count, timesMs, numbers, kind });
  const bytes = requestBytes({ method: 'POST', path: `/api/datasets/${DATASET}/data`, ...BODY_HEADERS[format], body });
  return { bytes, body: bytes.subarray(bytes.length - body.length), points };
}

/** Half of the values keep two decimals, the others get from none to all digits. */
function mixPrecision(numbers: Float64Array, data: W1Data): void {
  for (let i = 0; i < numbers.length; i++) {
    const value = (numbers[i] as number) / 100;
    const choice = Math.floor(data.random() * 8);
    if (choice < 4) numbers[i] = value;
    else if (choice === 7) numbers[i] = value * (1 + data.random() / 100);
    else numbers[i] = Number(value.toFixed(choice - 4)) + (choice === 6 ? Math.round(data.random() * 1e4) / 1e6 : 0);
  }
}

/** Each value with all digits that a double has. */
function usePrecision(numbers: Float64Array, data: W1Data): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = ((numbers[i] as number) + data.random()) / 100;
}

/** Gives each tag whole numbers that grow by up to 20 a point. */
function countUp(numbers: Float64Array, data: W1Data, { n, count }: LoadPart): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = 20 * (n + (i % count)) + Math.floor(20 * data.random());
}
