// Fuzzed: what comes through the doors: lines, queries and patterns, messages of brokers, ids of objects.

import sparkplug from 'sparkplug-payload';
import { LineParser } from '../../server/codec/line-protocol/line-parser.ts';
import { idOf, parseElementId } from '../../server/doors/i3x/elements/element-ids.ts';
import { readTopic } from '../../server/doors/mqtt/config/topic-entries.ts';
import { PayloadFault } from '../../server/doors/mqtt/mapping/faults.ts';
import { finish } from '../../server/doors/mqtt/mapping/steps.ts';
import { mapMessage, type TopicMapping } from '../../server/doors/mqtt/mapping/topic-mapping.ts';
import { SparkplugHost } from '../../server/doors/mqtt/sparkplug/sparkplug-host.ts';
import { parsePromql } from '../../server/doors/prometheus/promql/promql-parser.ts';
import { Pattern } from '../../server/patterns/pattern.ts';
import { ProblemError } from '../../server/problem.ts';
import { DEFAULT_LINE_TEMPLATE, parseLineTemplate } from '../../server/settings/line-template.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { LOOKUP } from './body-targets.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { mutateBytes, mutateText } from './mutate.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

const LINES = [
  'plant,unit=u1,line=a\\ b level=12.5,count=3i,on=t,text="a \\"b\\" c" 1704067200000000000',
  'm v=1e21,w=-0.5u,x=18446744073709551615u 1',
  'm,t=ü😀 v="1\n2",w=F\n\n# a comment\nm v=1',
];

const QUERIES = [
  'sum by (dataset) (avg_over_time(varve_value{dataset="Demo",tag=~"PA.*|x"}[5m])) * 2 ^ 3 - 1e3',
  'rate(varve_value{tag!~"[^a-c]{2,5}?\\\\d+",dataset!="x"}[1h30m])',
  '-(1 + 2) % {__name__="varve_quality"}',
  'max by () (last_over_time(varve_value[1w])) / 0x10',
];
const PATTERNS = ['(PA01\\.Flow|PA01\\.State)', '^a+(b|[^c-f\\d])*?(?:x{2,5})$', '(?i)\\pL{3}.*\\.', '(a|b|)'];
const PATTERN_TEXTS = ['PA01.Flow', 'aaabxx', 'ÄÖÜx.', ''];

const IDS = ['Mill:line/Flow', 'Mill', 'a%3Ab:line/', 'Mill:a//b%2F', 'varve.Number', 'HasParent', '%20x:ü\u0001'];

const library = sparkplug.get('spBv1.0') as NonNullable<ReturnType<typeof sparkplug.get>>;
type Payload = Parameters<typeof library.encodePayload>[0];

const metrics = [
  { name: 'bdSeq', type: 'Int64', value: 1 },
  {
    name: 'x',
    alias: 7,
    type: 'Double',
    value: 1.5,
    timestamp: NOW_MS,
    properties: { engUnit: { type: 'String', value: 'bar' } },
  },
  { name: 'text', alias: 8, type: 'String', value: 'ü', timestamp: NOW_MS },
  { name: 'null', alias: 9, type: 'Int32', value: null, isNull: true },
];
const BIRTH = library.encodePayload({ timestamp: NOW_MS, seq: 0, metrics } as unknown as Payload);
const DATA = library.encodePayload({
  timestamp: NOW_MS,
  seq: 1,
  metrics: [{ alias: 7, type: 'Double', value: 2, timestamp: NOW_MS + 1 }],
} as unknown as Payload);
const KINDS = ['NBIRTH/n', 'DBIRTH/n/d', 'NDATA/n', 'DDATA/n/d', 'NDEATH/n', 'DDEATH/n/d', 'NCMD/n', 'STATE'];

const MESSAGES = [
  '{"time":"2026-01-01T00:00:00Z","q":"good","items":[{"name":"a","v":1.50},{"name":"b","v":12345678901234567890}]}',
  '{"d":{"temp":21.5,"on":true,"text":"x","more":{"y":1}},"ts":1760000000123}',
  '12.5',
];

function mapping(entry: Omit<Parameters<typeof readTopic>[0], 'topic' | 'dataset'>): TopicMapping {
  const faults: string[] = [];
  const made = readTopic({ topic: 'plant/{line}/#', dataset: 'D', ...entry }, '', (_path, fault) => faults.push(fault));
  if (made === undefined) throw new Error(faults.join());
  return made;
}

const MAPPINGS: readonly TopicMapping[] = [
  mapping({ tag: '{line}/{#}' }),
  mapping({ tag: '{line}/{field}', payload: { format: 'json', each: 'd', time: 'ts', timeUnit: 'ms' } }),
  mapping({
    tag: '{line}/{field}',
    payload: { format: 'json', items: 'items', name: 'name', value: 'v', time: 'time', quality: 'q' },
  }),
];

const lines = new LineParser();
const template = parseLineTemplate(DEFAULT_LINE_TEMPLATE);

function isProblem(error: unknown): boolean {
  return error instanceof ProblemError && error.status >= 400 && error.status < 500;
}

function readLines(random: SeededRandom): void {
  const text = Array.from({ length: 1 + random.below(6) }, () => mutateText(random.pick(LINES), random)).join('\n');
  const bytes = Buffer.from(text);
  const { batch, rejected } = lines.parse(random.chance(0.3) ? mutateBytes(bytes, random, 'any') : bytes, {
    lookup: LOOKUP,
    template,
    precision: random.pick(['ns', 'us', 'ms', 's', 'm', 'h']),
    arrivalMs: NOW_MS,
    maxTextBytes: 65_536,
    truths: 'boolean',
  });
  const counted = batch.runs.reduce((sum, { count }) => sum + count, 0);
  if (counted !== batch.points.count || rejected < 0) throw new Error('points do not add up');
  lines.release(batch);
}

function takeMessages(random: SeededRandom): void {
  const host = new SparkplugHost(5000);
  const [first] = MAPPINGS;
  const names = { dataset: (first as TopicMapping).dataset, tag: (first as TopicMapping).dataset };
  const take = (kind: string, payload: Uint8Array): void => {
    const [word, ...rest] = kind.split('/');
    const topic = ['spBv1.0', 'g', word, ...rest].join('/');
    host.take(names, { topic, payload, arrivalMs: NOW_MS, isRepeated: random.chance(0.2) });
  };
  take('NBIRTH/n', BIRTH);
  for (let i = 0; i < 3; i++) {
    const payload = random.pick([BIRTH, DATA]);
    take(random.pick(KINDS), random.chance(0.7) ? payload : mutateBytes(payload, random, 'any'));
  }
  host.held.giveUpAll(NOW_MS);
  for (let held = host.held.next(NOW_MS); held; held = host.held.next(NOW_MS)) host.take(names, held);
}

export const doorTargets: readonly FuzzTarget[] = [
  { name: 'line protocol', isDeclared: isProblem, run: readLines },
  {
    name: 'PromQL',
    isDeclared: isProblem,
    run: (random) => void parsePromql(mutateText(random.pick(QUERIES), random)),
  },
  {
    name: 'patterns',
    isDeclared: (error) => (error as Error).constructor === Error,
    run: (random) => {
      const pattern = new Pattern(mutateText(random.pick(PATTERNS), random));
      for (const text of PATTERN_TEXTS) pattern.matches(mutateText(text, random));
    },
  },
  { name: 'Sparkplug', isDeclared: (error) => error instanceof PayloadFault, run: takeMessages },
  {
    name: 'messages of a broker',
    isDeclared: (error) => error instanceof PayloadFault,
    run: (random) => {
      const payload = Buffer.from(mutateText(random.pick(MESSAGES), random));
      const message = { topic: 'plant/a/b', payload, arrivalMs: NOW_MS };
      finish(mapMessage(random.pick(MAPPINGS), message, message.topic.split('/')));
    },
  },
  {
    name: 'ids of objects',
    isDeclared: () => false,
    run: (random) => {
      const id = mutateText(random.pick(IDS), random);
      const element = parseElementId(id);
      if (element !== undefined && idOf(element) !== id) throw new Error(`'${id}' is also '${idOf(element)}'`);
    },
  },
];
