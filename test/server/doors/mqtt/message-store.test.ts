// Messages about very many metrics: others have their turn meanwhile, and writes stay small.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import sparkplug from 'sparkplug-payload';
import type { Engine, TagChange } from '../../../../engine/index.ts';
import type { IncomingMessage } from '../../../../server/doors/mqtt/broker-link.ts';
import type { SourceConfig } from '../../../../server/doors/mqtt/config/mqtt-config.ts';
import { readTopic } from '../../../../server/doors/mqtt/config/topic-entries.ts';
import { DatasetStatuses } from '../../../../server/doors/mqtt/dataset-statuses.ts';
import { MessageMapper } from '../../../../server/doors/mqtt/message-mapper.ts';
import { MessageStore } from '../../../../server/doors/mqtt/message-store.ts';
import { PointWriter, type SourcedPoint, type WriteOutcome } from '../../../../server/doors/mqtt/point-writer.ts';
import { SourceRecord } from '../../../../server/doors/mqtt/source-record.ts';
import { emptyOutcome, type LifeSign } from '../../../../server/doors/mqtt/sparkplug/sparkplug-host.ts';
import { DroppedPoints } from '../../../../server/metrics/dropped-points.ts';

const library = sparkplug.get('spBv1.0');
assert.ok(library);
type Payload = Parameters<typeof library.encodePayload>[0];

const T = Date.UTC(2026, 5, 1);
const METRICS = 20_000;
const DEVICES = 4;
const MOST_TOGETHER = 20_000;
const NO_ENGINE = {} as Engine;

/** Keeps what it is to write; at once, so that all turns that are taken are taken elsewhere. */
class KeptWrites extends PointWriter {
  readonly written: (readonly string[])[] = [];
  definedCount = 0;
  /** Writes from this one on fail, as on a full disk. */
  failsFrom = Number.POSITIVE_INFINITY;

  override async write<M>(_dataset: string, points: readonly SourcedPoint<M>[]): Promise<WriteOutcome<M>> {
    if (this.written.length >= this.failsFrom) throw new Error('the disk is full');
    this.written.push(points.map(({ tag }) => tag));
    return { written: points.length, ignored: 0, repeated: 0, expired: 0, rejected: 0, faults: [] };
  }

  override async define(_dataset: string, changes: readonly TagChange[]): Promise<void> {
    this.definedCount += changes.length;
  }
}

class KeptSigns extends DatasetStatuses {
  readonly signs: Pick<LifeSign, 'who' | 'isAlive'>[] = [];

  override setNode(_dataset: string, who: string, isAlive: boolean): void {
    this.signs.push({ who, isAlive });
  }
}

function makeStore(): {
  store: MessageStore;
  mapper: MessageMapper;
  writer: KeptWrites;
  statuses: KeptSigns;
  record: SourceRecord;
} {
  const entry = { topic: 'spBv1.0/#', dataset: '{group}', payload: { format: 'sparkplug' } } as const;
  const topics = [readTopic(entry, '', (path, fault) => assert.fail(path + fault))];
  const config = {
    name: 'test',
    topics,
    maxMessageBytes: 2_097_152,
    hasHeartbeat: true,
    sparkplugReorderMs: 0,
  } as unknown as SourceConfig;
  const record = new SourceRecord('test', pino({ level: 'silent' }));
  const mapper = new MessageMapper(config);
  const dropped = new DroppedPoints(pino({ level: 'silent' }));
  const writer = new KeptWrites({ engine: NO_ENGINE, truths: 'boolean', late: 'accept', dropped });
  const statuses = new KeptSigns(NO_ENGINE);
  return { store: new MessageStore({ config, record, mapper, writer, statuses }), mapper, writer, statuses, record };
}

function messageOf(place: string, payload: Payload): IncomingMessage {
  const bytes = library?.encodePayload(payload) ?? new Uint8Array();
  const link = { publish: () => undefined } as unknown as IncomingMessage['link'];
  const message = { topic: `spBv1.0/g/${place}`, payload: bytes, arrivalMs: T, link, packetId: 1 };
  return { ...message, isRepeated: false, isRetained: false };
}

function births(): IncomingMessage[] {
  const metrics = Array.from({ length: METRICS }, (_, i) => ({
    name: `m${i}`,
    type: 'Double',
    value: i,
    timestamp: T,
  }));
  const payload = (seq: number) => ({ timestamp: T, seq, metrics }) as unknown as Payload;
  const devices = Array.from({ length: DEVICES }, (_, i) => messageOf(`DBIRTH/n/d${i}`, payload(i + 1)));
  return [messageOf('NBIRTH/n', payload(0)), ...devices];
}

const death = messageOf('NDEATH/n', { timestamp: T, metrics: [] });
const ALL = METRICS * (DEVICES + 1);

/** How often the event loop came round meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

test('births and deaths of very many metrics are taken in turns with others, and written in parts', async () => {
  const { store, writer, statuses, record } = makeStore();
  for (const [index, birth] of births().entries()) {
    const turns = await turnsDuring(async () => assert.deepEqual(await store.store([birth]), [birth]));
    assert.ok(turns >= 4, `${turns} turns for birth ${index}`);
  }
  assert.equal(writer.definedCount, ALL);
  writer.written.length = 0;
  const turns = await turnsDuring(async () => assert.deepEqual(await store.store([death]), [death]));
  assert.ok(turns >= 10, `${turns} turns for the death`);
  const sizes = writer.written.map((tags) => tags.length);
  assert.ok(sizes.length >= ALL / MOST_TOGETHER && Math.max(...sizes) <= MOST_TOGETHER, `${sizes}`);
  assert.equal(new Set(writer.written.flat()).size, ALL);
  assert.deepEqual(statuses.signs.at(-1), { who: 'g/n', isAlive: false });
  assert.equal(record.counts.bad, 0);
});

test('between two steps of a message there is one metric at most', () => {
  const { mapper } = makeStore();
  const messages = births();
  for (const message of [...messages, death]) {
    const outcome = emptyOutcome();
    let most = 0;
    let before = 0;
    for (const _ of mapper.map(message, outcome)) {
      most = Math.max(most, outcome.points.length - before);
      before = outcome.points.length;
    }
    assert.equal(outcome.points.length, message === death ? ALL : METRICS);
    assert.equal(most, 1, message.topic);
  }
});

test('a message of which only the first points could be stored is not to be acknowledged', async () => {
  const { store, writer, statuses } = makeStore();
  for (const birth of births()) assert.deepEqual(await store.store([birth]), [birth]);
  writer.failsFrom = writer.written.length + 2;
  const storing = store.store([death]);
  let isOver = false;
  void storing.then(() => {
    isOver = true;
  });
  while (!store.isHolding && !isOver) await new Promise((next) => setImmediate(next));
  store.stop();
  assert.deepEqual(await storing, []);
  assert.equal(writer.written.length, writer.failsFrom);
  assert.ok(
    statuses.signs.every(({ isAlive }) => isAlive),
    'the death is not told before its points are stored',
  );
});

test('a payload of very many fields in one metric is read in steps, too', () => {
  const { mapper } = makeStore();
  const empty = Buffer.from([0x4a, 0]); // properties without any
  const metric = Buffer.concat(Array.from({ length: 50_000 }, () => empty));
  const payload = Buffer.concat([Buffer.from([0x12, 0xa0, 0x8d, 0x06]), metric]);
  let steps = 0;
  for (const _ of mapper.map({ ...death, topic: 'spBv1.0/g/NDATA/n', payload }, emptyOutcome())) steps++;
  assert.ok(steps >= 50_000, `${steps} steps`);
});
