// A host of Sparkplug, and messages of edge nodes for it, made by the library of the Eclipse project.

import assert from 'node:assert/strict';
import sparkplug from 'sparkplug-payload';
import { TextTemplate } from '../../../../../server/doors/mqtt/mapping/text-template.ts';
import { SparkplugHost, type SparkplugOutcome } from '../../../../../server/doors/mqtt/sparkplug/sparkplug-host.ts';

const found = sparkplug.get('spBv1.0');
assert.ok(found);
export const library = found;
export type Payload = Parameters<typeof library.encodePayload>[0];
export type Metric = NonNullable<Payload['metrics']>[number];

export const T = Date.UTC(2026, 5, 1);
const NO_LEVELS = { levelCount: 0, levelNames: new Map<string, number>() };
const NAMES = {
  dataset: new TextTemplate('{group}', { ...NO_LEVELS, names: ['group', 'node'] }),
  tag: new TextTemplate('{node}/{device}/{metric}', { ...NO_LEVELS, names: ['node', 'device', 'metric'] }),
};

export function encode(payload: Payload): Uint8Array {
  return library.encodePayload(payload);
}

export const bdSeq = (value: number): Metric => ({ name: 'bdSeq', type: 'Int64', value }) as Metric;

/** A host, and messages of one node for it. */
export class Node {
  readonly host: SparkplugHost;
  arrivalMs = T;

  constructor(reorderMs = 0) {
    this.host = new SparkplugHost(reorderMs);
  }

  send(
    kind: string,
    payload: Payload | Uint8Array,
    { node = 'n', device = '', isRepeated = false } = {},
  ): SparkplugOutcome {
    const topic = ['spBv1.0', 'g', kind, node, ...(device === '' ? [] : [device])].join('/');
    const bytes = payload instanceof Uint8Array ? payload : encode(payload);
    return this.host.take(NAMES, { topic, payload: bytes, arrivalMs: this.arrivalMs, isRepeated });
  }

  /** What becomes of messages that have waited for others until now. */
  *held(): Iterable<SparkplugOutcome> {
    const { held } = this.host;
    for (let message = held.next(this.arrivalMs); message; message = held.next(this.arrivalMs))
      yield this.host.take(NAMES, message);
  }

  birth(seq = 0, bd = 1): SparkplugOutcome {
    const metrics = [bdSeq(bd), { name: 'x', alias: 7, type: 'Double', value: 1.5, timestamp: T }] as Metric[];
    return this.send('NBIRTH', { timestamp: T, seq, metrics });
  }

  data(seq: number, value: number, more: Partial<Metric> = {}, isRepeated = false): SparkplugOutcome {
    const metric = { alias: 7, type: 'Double', value, timestamp: T + 1000 + seq, ...more } as Metric;
    return this.send('NDATA', { timestamp: T + 1000 + seq, seq, metrics: [metric] }, { isRepeated });
  }
}

/** What became of a message: the points, by their tags, and the earliest times of those to which the server gives one. */
export function textsOf({ points }: SparkplugOutcome): string[] {
  return points.map(({ tag, text, serverMs }) => {
    const time = serverMs === undefined ? '' : ` from ${new Date(serverMs).toISOString()} on`;
    return `${tag} ${text}${time}`;
  });
}
