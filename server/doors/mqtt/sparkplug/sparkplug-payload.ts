// Payloads of Sparkplug B: what a host needs of them, and the one that it sends.

import { PayloadFault } from '../mapping/faults.ts';
import type { Steps } from '../mapping/steps.ts';
import { ALGORITHM, PACKED_UUID, unpackBody } from './packed-body.ts';
import { ProtobufReader, WireType } from './protobuf-reader.ts';

export interface SparkplugPayload {
  readonly timeMs: number | undefined;
  readonly seq: number | undefined;
  readonly metrics: readonly SparkplugMetric[];
}

/** Values are as they are on the wire; the type of the metric says what they mean. */
export type WireValue = number | bigint | boolean | string;

export interface SparkplugMetric {
  name?: string;
  alias?: bigint;
  timeMs?: number;
  /** 0 when absent. */
  dataType: number;
  isHistorical: boolean;
  isNull: boolean;
  value?: WireValue;
  description?: string;
  properties: ReadonlyMap<string, WireValue>;
}

export const MOST_METRICS = 20_000;
const MOST_PROPERTIES = 100;

/** Fields that are read in one step. */
const FIELDS_A_STEP = 32;

type Read<T> = (target: T, reader: ProtobufReader) => void;
type ReadSteps<T> = (target: T, bytes: Uint8Array) => Steps<unknown>;
/** By field number: the wire type that it must have, and what becomes of it; of a message in it, in steps. */
type Fields<T> = Readonly<
  Record<
    number,
    | readonly [wireType: number, read: Read<T>]
    | readonly [wireType: typeof WireType.Bytes, read: undefined, steps: ReadSteps<T>]
  >
>;

/** A step for each message, and for some fields: a payload of damaged or odd form may have very many of either. */
function* readMessage<T>(bytes: Uint8Array, target: T, fields: Fields<T>): Steps<T> {
  const reader = new ProtobufReader(bytes);
  for (let count = 1; reader.next(); count++) {
    if (count % FIELDS_A_STEP === 0) yield;
    const field = fields[reader.field];
    if (field === undefined) reader.skip();
    else if (field[0] !== reader.wireType)
      throw new PayloadFault(`the payload is not Sparkplug B: field ${reader.field} has another form`);
    else if (field[1] !== undefined) field[1](target, reader);
    else yield* field[2](target, reader.bytes());
  }
  yield;
  return target;
}

const { Varint, Fixed32, Fixed64, Bytes } = WireType;
const NO_PROPERTIES: ReadonlyMap<string, WireValue> = new Map();

const METRIC: Fields<SparkplugMetric> = {
  1: [Bytes, (metric, reader) => (metric.name = reader.text())],
  2: [Varint, (metric, reader) => (metric.alias = reader.long())],
  3: [Varint, (metric, reader) => (metric.timeMs = reader.number())],
  4: [Varint, (metric, reader) => (metric.dataType = reader.number())],
  5: [Varint, (metric, reader) => (metric.isHistorical = reader.number() !== 0)],
  7: [Varint, (metric, reader) => (metric.isNull = reader.number() !== 0)],
  8: [Bytes, undefined, (metric, bytes) => readMessage(bytes, metric, METADATA)],
  9: [Bytes, undefined, readProperties],
  10: [Varint, (metric, reader) => (metric.value = reader.int())],
  11: [Varint, (metric, reader) => (metric.value = reader.long())],
  12: [Fixed32, (metric, reader) => (metric.value = reader.float())],
  13: [Fixed64, (metric, reader) => (metric.value = reader.double())],
  14: [Varint, (metric, reader) => (metric.value = reader.number() !== 0)],
  15: [Bytes, (metric, reader) => (metric.value = reader.text())],
};

const METADATA: Fields<SparkplugMetric> = {
  8: [Bytes, (metric, reader) => (metric.description = reader.text())],
};

interface Properties {
  readonly keys: string[];
  readonly values: { value?: WireValue }[];
}

const PROPERTIES: Fields<Properties> = {
  1: [Bytes, ({ keys }, reader) => keys.push(reader.text())],
  2: [Bytes, undefined, readPropertyValue],
};

const PROPERTY_VALUE: Fields<{ value?: WireValue }> = {
  3: [Varint, (property, reader) => (property.value = reader.int())],
  4: [Varint, (property, reader) => (property.value = reader.long())],
  5: [Fixed32, (property, reader) => (property.value = reader.float())],
  6: [Fixed64, (property, reader) => (property.value = reader.double())],
  7: [Varint, (property, reader) => (property.value = reader.number() !== 0)],
  8: [Bytes, (property, reader) => (property.value = reader.text())],
};

function* readPropertyValue({ values }: Properties, bytes: Uint8Array): Steps<void> {
  values.push(yield* readMessage<{ value?: WireValue }>(bytes, {}, PROPERTY_VALUE));
}

function* readProperties(metric: SparkplugMetric, bytes: Uint8Array): Steps<void> {
  const { keys, values } = yield* readMessage<Properties>(bytes, { keys: [], values: [] }, PROPERTIES);
  const properties = new Map<string, WireValue>();
  for (const [index, key] of keys.slice(0, MOST_PROPERTIES).entries()) {
    const value = values[index]?.value;
    if (value !== undefined) properties.set(key, value);
  }
  metric.properties = properties;
}

interface Payload {
  timeMs: number | undefined;
  seq: number | undefined;
  uuid?: string;
  body?: Uint8Array;
  readonly metrics: SparkplugMetric[];
}

const PAYLOAD: Fields<Payload> = {
  1: [Varint, (payload, reader) => (payload.timeMs = reader.number())],
  2: [Bytes, undefined, addMetric],
  3: [Varint, (payload, reader) => (payload.seq = reader.number())],
  4: [Bytes, (payload, reader) => (payload.uuid = reader.text())],
  5: [Bytes, (payload, reader) => (payload.body = reader.bytes())],
};

function* addMetric({ metrics }: Payload, bytes: Uint8Array): Steps<void> {
  if (metrics.length >= MOST_METRICS) throw new PayloadFault(`it has more than ${MOST_METRICS} metrics`);
  const metric = { dataType: 0, isHistorical: false, isNull: false, properties: NO_PROPERTIES };
  metrics.push(yield* readMessage<SparkplugMetric>(bytes, metric, METRIC));
}

/** One that is packed into another is unpacked. */
export function* decodeSparkplug(bytes: Uint8Array): Steps<SparkplugPayload> {
  const outer = yield* readPayload(bytes);
  if (outer.uuid !== PACKED_UUID) return outer;
  const { timeMs, seq, body, metrics } = outer;
  const inner = yield* readPayload(unpackBody(body, metrics.find(({ name }) => name === ALGORITHM)?.value));
  if (inner.uuid === PACKED_UUID) throw new PayloadFault('the payload is packed twice');
  return { timeMs: inner.timeMs ?? timeMs, seq: inner.seq ?? seq, metrics: inner.metrics };
}

function readPayload(bytes: Uint8Array): Steps<Payload> {
  return readMessage<Payload>(bytes, { timeMs: undefined, seq: undefined, metrics: [] }, PAYLOAD);
}

const REBIRTH_METRIC = 'Node Control/Rebirth';
const BOOLEAN = 11;

/** The command that makes an edge node send its birth again. */
export function encodeRebirth(nowMs: number): Uint8Array {
  const name = Buffer.from(REBIRTH_METRIC);
  const metric = [0x0a, name.length, ...name, 0x18, ...varint(nowMs), 0x20, BOOLEAN, 0x70, 1];
  return Uint8Array.from([0x08, ...varint(nowMs), 0x12, metric.length, ...metric]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
